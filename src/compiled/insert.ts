/** The statements that insert a new record with its lines and answer with its JSON. */
import type { Batch, Statement } from '../database/direct.js';
import { exactNumberOf } from '../database/exact-number.js';
import type { Provider } from '../database/migration-history.js';
import type { Resource } from '../model/resource.js';
import type { Values } from '../records/delegate.js';
import type { NewRecord } from '../records/new-record.js';
import { type Remembered, remembered } from './remembered.js';
import { storedBy } from './stored.js';

/** Makes the batch of a new record. */
export type InsertBatch = (record: NewRecord) => Batch;

/** `object` is the expression for the JSON text of the row `t0`. */
export function insertBatches(provider: Provider, resource: Resource, object: string): InsertBatch {
  return provider === 'sqlite' ? sqliteBatches(resource, object) : postgresqlBatches(resource, object);
}

function sqliteBatches({ model }: Resource, object: string): InsertBatch {
  const text = remembered();
  const answer = `SELECT ${object} FROM "${model}" AS t0 WHERE t0."id" = ?1`;
  return (record) => ({
    changes: rowsOf(record).flatMap((rows) => inserts(rows, text)),
    answer: { sql: answer, values: [record.own.id] },
  });
}

/** The rows that were inserted stand in the place of their tables, which do not hold them yet while the statement runs. */
function postgresqlBatches({ model }: Resource, object: string): InsertBatch {
  const text = remembered();
  return (record) => {
    const [own, ...lists] = rowsOf(record);
    const sql = text(lists.map((list) => list.model).join(), () => {
      const fields = Object.keys(record.own);
      const places = fields.map((_, index) => `$${index + 1}`);
      const inserted = lists.map(({ model: child, values: [line = {}] }, index) => {
        const columns = columnsOf(line);
        const source = `json_populate_recordset(NULL::"${child}", $${fields.length + index + 1}::json)`;
        return `"${child}" AS (INSERT INTO "${child}" (${columns}) SELECT ${columns} FROM ${source} RETURNING *)`;
      });
      const first = `"${model}" AS (INSERT INTO "${model}" (${columnsOf(record.own)}) VALUES (${places}) RETURNING *)`;
      return `WITH ${[first, ...inserted].join(', ')} SELECT ${object} FROM "${model}" AS t0`;
    });
    const values = [
      ...(own?.values ?? []).flatMap((row) => Object.values(row).map(storedBy.postgresql)),
      ...lists.map((list) => JSON.stringify(list.values.map(plainRow))),
    ];
    return { changes: [], answer: { sql, values } };
  };
}

interface Rows {
  model: string;
  values: readonly Values[];
}

/** In the order in which the rows refer to each other. */
function rowsOf({ resource, own, lists }: NewRecord): Rows[] {
  const lines = lists.map(({ lines: { resource: child, reference }, values }) => ({
    model: child.model,
    values: values.map((line) => ({ ...line, [reference]: own.id })),
  }));
  return [{ model: resource.model, values: [own] }, ...lines];
}

/** Values SQLite binds in one statement. */
const mostValues = 30_000;

function inserts({ model, values: rows }: Rows, text: Remembered): Statement[] {
  const [first = {}] = rows;
  const width = Object.keys(first).length;
  const height = Math.floor(mostValues / width);
  const write = (count: number) => () => {
    const places = `(${'?, '.repeat(width - 1)}?)`;
    return `INSERT INTO "${model}" (${columnsOf(first)}) VALUES ${Array(count).fill(places).join(', ')}`;
  };
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += height) {
    const some = rows.slice(start, start + height);
    const sql = text(`${model} ${some.length}`, write(some.length));
    statements.push({ sql, values: some.flatMap((row) => Object.values(row).map(storedBy.sqlite)) });
  }
  return statements;
}

const columnsOf = (row: Values): string =>
  Object.keys(row)
    .map((name) => `"${name}"`)
    .join(', ');

const plainRow = (row: Values): Values =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, exactNumberOf(value)]));
