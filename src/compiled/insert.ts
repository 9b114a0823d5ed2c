/** The statements that insert a new record with its lines and answer with its JSON. */
import type { Batch, Statement } from '../database/direct.js';
import { exactNumberOf } from '../database/exact-number.js';
import type { Provider } from '../database/migration-history.js';
import type { Values } from '../records/delegate.js';
import type { NewRecord } from '../records/new-record.js';

/** `object` is the expression for the JSON text of the row `t0`. */
export function batchOf(provider: Provider, record: NewRecord, object: string): Batch {
  return batches[provider](record, object);
}

const batches: Record<Provider, (record: NewRecord, object: string) => Batch> = {
  sqlite: ({ id, rows: [own, ...lists] }, object) => ({
    changes: [own, ...lists].flatMap((each) => (each ? inserts(each.resource.model, each.values) : [])),
    answer: { sql: `SELECT ${object} FROM "${own?.resource.model}" AS t0 WHERE t0."id" = ?1`, values: [id] },
  }),
  // The rows that were inserted stand in the place of their tables, which do not hold them yet while the statement runs.
  postgresql: ({ rows }, object) => {
    const parts = rows.map(({ resource: { model }, values: [first = {}] }, index) => {
      const columns = columnsOf(first);
      const source = `json_populate_recordset(NULL::"${model}", $${index + 1}::json)`;
      return `"${model}" AS (INSERT INTO "${model}" (${columns}) SELECT ${columns} FROM ${source} RETURNING *)`;
    });
    const sql = `WITH ${parts.join(', ')} SELECT ${object} FROM "${rows[0]?.resource.model}" AS t0`;
    return { changes: [], answer: { sql, values: rows.map(({ values }) => JSON.stringify(values.map(plainRow))) } };
  },
};

/** Values SQLite binds in one statement. */
const mostValues = 30_000;

function inserts(model: string, rows: readonly Values[]): Statement[] {
  const [first = {}] = rows;
  const width = Object.keys(first).length;
  const height = Math.floor(mostValues / width);
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += height) {
    const some = rows.slice(start, start + height);
    statements.push({
      sql: insertText(model, first, some.length),
      values: some.flatMap((row) => Object.values(row).map(sqliteValue)),
    });
  }
  return statements;
}

/** Remembered, because it takes longer to write than to run; longer ones come too seldom. */
function insertText(model: string, row: Values, height: number): string {
  const key = `${model} ${height} ${Object.keys(row).join()}`;
  const known = insertTexts.get(key);
  if (known) return known;
  const places = `(${'?, '.repeat(Object.keys(row).length - 1)}?)`;
  const text = `INSERT INTO "${model}" (${columnsOf(row)}) VALUES ${Array(height).fill(places).join(', ')}`;
  if (height <= mostRemembered) insertTexts.set(key, text);
  return text;
}

const insertTexts = new Map<string, string>();
const mostRemembered = 20;

const columnsOf = (row: Values): string =>
  Object.keys(row)
    .map((name) => `"${name}"`)
    .join(', ');

const plainRow = (row: Values): Values =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, exactNumberOf(value)]));

/** As Prisma stores it: a timestamp as text in UTC, a boolean as 0 or 1. */
function sqliteValue(given: unknown): string | number | null {
  const value = exactNumberOf(given);
  if (value instanceof Date) return value.toISOString().replace('Z', '+00:00');
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError(`A ${typeof value} is no value of a column`);
}
