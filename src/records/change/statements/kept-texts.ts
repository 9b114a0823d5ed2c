/**
 * The texts of statements that change one row, kept by what they depend on besides their values: making one, and
 * finding its prepared statement by it, took a tenth of the gateway's time for a change of a line.
 */
import type { AnswerSql } from './answer-sql.js';
import type { ChangedRow } from './changed-rows.js';
import type { StatementBuilder } from './statement-builder.js';

/**
 * The texts of each answer, that is, of each operation of a client: one with variables may set other fields each time.
 */
const mostShapes = 50;

const kept = new WeakMap<AnswerSql, Map<string, string>>();

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
  const shape = `${shapes.join(' ')} ${guard}`;
  const texts = kept.get(answer) ?? new Map<string, string>();
  const known = texts.get(shape);
  if (known !== undefined) return known;
  const bound = text.values.length;
  const made = make();
  if (text.values.length > bound) return made;
  if (texts.size >= mostShapes) texts.clear();
  texts.set(shape, made);
  kept.set(answer, texts);
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
