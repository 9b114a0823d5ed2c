/** INSERT of many rows of one table. */

import type { Statement } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { batchesOf, quoted, StatementBuilder } from '../../database/statement-builder.js';
import { authorColumns } from '../../model/resource.js';
import type { Journaled } from '../entries/entry-sql.js';
import { withInsertEntries } from '../entries/postgresql-entries.js';
import type { Insert, InsertedRow } from '../plan.js';
import { placeBehind, sqlTypeOf } from './conditions.js';

/** The statements return the row's `idx` if it was computed, otherwise nothing. */
export function* insertStatements(
  provider: Provider,
  insert: Insert,
  journaled: Journaled | undefined,
): Generator<Statement> {
  const columns = insertedColumns(insert);
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
 * The columns to be set. Where several rows are inserted, those without a value in any row are left out, because the database
 * takes each value by itself: most fields of most records are empty. A column with a default always has a value. A single
 * row sets all columns, so that there is one statement for each type.
 */
export function insertedColumns({ rows }: Pick<Insert, 'rows'>): string[] {
  const columns = Object.keys(rows[0] ?? {});
  return rows.length === 1 ? columns : columns.filter((name) => rows.some((row) => row[name] !== null));
}

/**
 * `condition` is one under which PostgreSQL inserts the rows. It gets a single row as one value for each column, and many
 * rows as one array for each.
 */
export function insertText(
  text: StatementBuilder,
  insert: Insert,
  columns: readonly string[],
  condition?: string,
): string {
  const { resource, rows, behind } = insert;
  const { model } = resource;
  if (text.provider === 'sqlite' && !behind) {
    const shared = sharesValues(rows.length) ? sharedAuthors(rows, columns) : [];
    const own = shared.length > 0 ? columns.filter((name) => !shared.includes(name)) : columns;
    for (const row of rows) for (const name of own) text.bind(row[name]);
    for (const name of shared) text.bind(rows[0]?.[name]);
    return rowsText(model, own, rows.length, shared);
  }
  const into = intoText(model, columns);
  const isPlace = (name: string) => behind !== undefined && name === 'idx';
  const where = condition === undefined ? '' : ` WHERE ${condition}`;
  const [row, ...more] = rows;
  if (row && more.length === 0) {
    return `${into} SELECT ${columns.map((name) => cell(name, text.bind(row[name]))).join(', ')}${where}`;
  }
  const table = columns.map((name) => ({
    name,
    type: sqlTypeOf(resource, name),
    cell: (each: InsertedRow) => each[name],
  }));
  const source = text.table('new', table, rows);
  return `${into} SELECT ${columns.map((name) => cell(name, quoted(name))).join(', ')} FROM ${source}${where}`;

  function cell(name: string, value: string): string {
    return isPlace(name) ? placeBehind(text, insert, value) : value;
  }
}

const intoText = (model: string, columns: readonly string[]): string =>
  `INSERT INTO "${model}" (${columns.map(quoted).join(', ')})`;

/** The columns that name the same author in all rows: only those that an import brings have different ones. */
const sharedAuthors = (rows: readonly InsertedRow[], columns: readonly string[]): string[] =>
  authorColumns.filter((name) => columns.includes(name) && rows.every((row) => row[name] === rows[0]?.[name]));

function textOfRows(model: string, columns: readonly string[], count: number, shared: readonly string[]): string {
  const places = (names: readonly string[]) => Array(names.length).fill('?').join(', ');
  const values = `VALUES ${Array(count)
    .fill(`(${places(columns)})`)
    .join(', ')}`;
  const into = intoText(model, [...columns, ...shared]);
  if (shared.length === 0) return `${into} ${values}`;
  return `${into} SELECT own.*, shared.* FROM (${values}) AS own CROSS JOIN (SELECT ${places(shared)}) AS shared`;
}

/**
 * The INSERT of so many rows on SQLite, whose values are bound in their order. Kept for few of them: those of a table mostly
 * have the same columns as the last. Of many rows, values of `shared` columns are bound once, behind all others.
 */
export function rowsText(
  model: string,
  columns: readonly string[],
  count: number,
  shared: readonly string[] = [],
): string {
  if (sharesValues(count)) return textOfRows(model, columns, count, shared);
  const key = `${model} ${count}`;
  const known = keptTexts.get(key);
  if (known?.columns.length === columns.length && columns.every((name, place) => name === known.columns[place])) {
    return known.text;
  }
  const text = textOfRows(model, columns, count, []);
  keptTexts.set(key, { columns, text });
  return text;
}

/** The most rows whose text is kept. */
const mostKept = 10;

const keptTexts = new Map<string, { columns: readonly string[]; text: string }>();

/** Whether so many rows are written faster if a value that all of them have is bound once. */
export const sharesValues = (count: number): boolean => count > mostKept;
