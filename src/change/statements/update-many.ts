/** UPDATE of many rows of one table, each in its own way, with one statement. */

import type { Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Journaled } from '../entries/journaled.js';
import { withUpdateEntries } from '../entries/postgresql-update.js';
import { rowsTable } from './rows-table.js';
import { batchesOf, quoted, StatementBuilder } from './statement-builder.js';
import { type Further, type RowUpdate, raised, type Update, updateOne } from './update.js';
import { type ChangeColumn, changeColumns, changesWith, conditionsOfMany, givenFields } from './update-rows.js';

/**
 * The statements return the id and new version of each changed row, unless `journaled` says that nothing is returned.
 * `now` is the time of the change. With `journaled` they write their entries too, and return the time of the change as
 * text.
 */
export function* updateStatements(
  provider: Provider,
  update: Update,
  now: Date,
  journaled: Journaled | 'nothing returned' | undefined,
): Generator<Statement> {
  const { rows } = update;
  const [first] = rows;
  const columns = changeColumns(update);
  const isOne = rows.length === 1 && first !== undefined;
  const table = quoted(update.resource.model);
  for (const part of isOne ? [rows] : batchesOf(provider, rows, columns.length)) {
    const text = new StatementBuilder(provider);
    const write = (further?: Further) =>
      isOne ? updateOne(text, update, first, now, further) : updateMany(text, update, columns, part, now, further);
    if (journaled === 'nothing returned') yield text.statement(write());
    else if (journaled) yield text.statement(withUpdateEntries(text, journaled, { ...update, rows: part }, write));
    else yield text.statement(`${write()} RETURNING ${table}."id", ${table}."version"`);
  }
}

function updateMany(
  text: StatementBuilder,
  { resource }: Update,
  columns: readonly ChangeColumn[],
  rows: readonly RowUpdate[],
  now: Date,
  { from, condition }: Further = {},
): string {
  const table = quoted(resource.model);
  const isLite = text.provider === 'sqlite';
  const head = isLite ? `WITH ${changesWith(text, 'change', columns, rows)} ` : '';
  const sources = [isLite ? '"change"' : rowsTable(text, 'change', columns, rows), ...(from ? [from] : [])];
  const set = givenFields(table, 'change', columns).map(({ name, given }) =>
    given
      ? `"${name}" = CASE WHEN "change"."${given}" THEN "change"."${name}" ELSE ${table}."${name}" END`
      : `"${name}" = "change"."${name}"`,
  );
  const conditions = [
    ...conditionsOfMany(table, 'change', columns, rows[0]?.locked),
    ...(condition ? [condition] : []),
  ];
  const assignments = [...set, ...raised(text, resource, now)].join(', ');
  return `${head}UPDATE ${table} SET ${assignments} FROM ${sources.join(', ')} WHERE ${conditions.join(' AND ')}`;
}
