/** INSERT of many rows of one table. */

import type { Provider } from '../../database/migrations/migration-history.js';
import type { Statement } from '../../work.js';
import type { Journaled } from './journal/journaled.js';
import { withInsertEntries } from './journal/postgresql-lines.js';
import { batchesOf, quoted, StatementBuilder } from './statement-builder.js';
import type { Insert } from './step.js';
import { placeBehind } from './step-conditions.js';

/** The statements return the row's `idx` if it was computed, otherwise nothing. */
export function* insertStatements(
  provider: Provider,
  insert: Insert,
  journaled: Journaled | undefined,
): Generator<Statement> {
  const columns = columnsOf(provider, insert);
  for (const rows of batchesOf(provider, insert.rows, columns.length)) {
    const text = new StatementBuilder(provider);
    const write = insertText(text, { ...insert, rows }, columns);
    const returning = insert.behind ? ' RETURNING "idx"' : '';
    yield text.statement(
      journaled ? withInsertEntries(text, journaled, { ...insert, rows }, write) : `${write}${returning}`,
    );
  }
}

/**
 * The columns to be set. Where several rows are inserted, those without a value in any row are left out on SQLite, which
 * takes each value by itself: most fields of most records are empty. A column with a default always has a value. A single
 * row sets all columns, so that there is one statement for each type.
 */
function columnsOf(provider: Provider, { rows }: Insert): string[] {
  const columns = Object.keys(rows[0] ?? {});
  if (provider !== 'sqlite' || rows.length === 1) return columns;
  return columns.filter((name) => rows.some((row) => row[name] !== null));
}

export function insertText(text: StatementBuilder, insert: Insert, columns: readonly string[]): string {
  const {
    resource: { model },
    rows,
    behind,
  } = insert;
  const into = `INSERT INTO "${model}" (${columns.map(quoted).join(', ')})`;
  const isPlace = (name: string) => behind !== undefined && name === 'idx';
  if (text.provider === 'sqlite') {
    if (behind) return `${into} VALUES (${columns.map((name) => cell(name, text.bind(rows[0]?.[name]))).join(', ')})`;
    for (const row of rows) for (const name of columns) text.bind(row[name]);
    const places = `(${Array(columns.length).fill('?').join(', ')})`;
    return `${into} VALUES ${Array(rows.length).fill(places).join(', ')}`;
  }
  const source = `json_populate_recordset(NULL::"${model}", ${text.bind(JSON.stringify(rows))}::json)`;
  return `${into} SELECT ${columns.map((name) => cell(name, quoted(name))).join(', ')} FROM ${source}`;

  function cell(name: string, value: string): string {
    return isPlace(name) ? placeBehind(text, insert, value) : value;
  }
}
