/**
 * The texts of statements that change one row, kept by what they depend on besides their values: making one, and
 * finding its prepared statement by it, took a tenth of the gateway's time for a change of a line.
 */
import { WeighedCache } from '../../common/weighed-cache.js';
import type { AnswerSql } from './answer-sql.js';
import type { ChangedRow } from './changed-rows.js';
import type { StatementBuilder } from './statement-builder.js';

/**
 * Characters of all texts together. They are not counted per operation, because clients decide how many operations
 * there are, how long the statement of each becomes, and which fields each change sets.
 */
const mostCharacters = 4_000_000;

const kept = new WeighedCache<string>(mostCharacters, (shape, text) => shape.length + text.length);

/** A number for each answer, that is, for each operation of a client. */
const numbers = new WeakMap<AnswerSql, number>();
let numbersGiven = 0;

/**
 * The text that `make` makes with `text`, or the same made before for rows of this shape. All values are bound before,
 * in an order that follows from the shape; a text that binds more is not kept.
 */
export function keptText(
  text: StatementBuilder,
  answer: AnswerSql,
  changes: readonly ChangedRow[],
  at: Date,
  guard: string | undefined,
  make: () => string,
): string {
  const shapes = changes.map((change) => bindShape(text, change, at));
  if (shapes.includes(undefined)) return make();
  const number = numbers.get(answer) ?? numbersGiven++;
  numbers.set(answer, number);
  const shape = `${number} ${shapes.join(' ')} ${guard}`;
  const known = kept.get(shape);
  if (known !== undefined) return known;
  const bound = text.values.length;
  const made = make();
  if (text.values.length === bound) kept.set(shape, made);
  return made;
}

/**
 * Binds the values of a row, and returns its shape: everything else that its statement depends on. Undefined if it
 * depends on more.
 */
function bindShape(text: StatementBuilder, { update, row, raisedBy, condition, unread }: ChangedRow, at: Date) {
  const { model, timestamps } = update.resource;
  const { id, values, version, statuses, locked, becomes, ...others } = row;
  // A new property of `RowUpdate` on which the statement depends must become part of the shape, too.
  others satisfies Record<string, never>;
  if (statuses || becomes) return undefined;
  const bind = (name: string, value: unknown) => text.bindColumn(model, name, value);
  if (!unread) bind('id', id);
  if (version != null) bind('version', version);
  if (timestamps) bind('updatedAt', at);
  const names = Object.keys(values);
  for (const name of names) bind(name, values[name]);
  const flags = `${version != null}${locked}${update.raises}${raisedBy}${condition}${unread !== undefined}`;
  return `${model} ${names.join()} ${flags}`;
}
