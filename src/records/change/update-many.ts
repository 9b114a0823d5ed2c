/** UPDATE of many rows of one table, each in its own way, with one statement. */
import type { Provider } from '../../database/migrations/migration-history.js';
import type { FieldType } from '../../model/field.js';
import type { Statement } from '../../work.js';
import { batchesOf, quoted, StatementBuilder } from './statement-builder.js';
import { type RowUpdate, raised, type Update, updateOne } from './update.js';

/** The statements return the id and new version of each changed row. `now` is the time of the change. */
export function* updateStatements(provider: Provider, update: Update, now: Date): Generator<Statement> {
  const { rows } = update;
  const [first] = rows;
  if (rows.length === 1 && first) {
    const text = new StatementBuilder(provider);
    yield text.statement(`${updateOne(text, update, first, now)} RETURNING "id", "version"`);
    return;
  }
  const columns = columnsOf(update);
  for (const part of batchesOf(provider, rows, columns.length)) yield updateMany(provider, update, columns, part, now);
}

/** A column of the table of changes. */
interface ChangeColumn {
  name: string;
  type: string;
  cell(row: RowUpdate): unknown;
  /** The field whose new values it holds, and the column that tells which rows change it, if not all do. */
  field?: { name: string; given: string | undefined };
}

function columnsOf({ resource, rows }: Update): ChangeColumn[] {
  const columns: ChangeColumn[] = [{ name: 'key', type: 'text', cell: ({ id }) => id }];
  for (const { name, type } of resource.fields) {
    const isGiven = ({ values }: RowUpdate) => Object.hasOwn(values, name);
    if (!rows.some(isGiven)) continue;
    const given = rows.every(isGiven) ? undefined : `${name} given`;
    columns.push({ name, type: types[type], cell: ({ values }) => values[name] ?? null, field: { name, given } });
    if (given) columns.push({ name: given, type: 'boolean', cell: isGiven });
  }
  if (rows.some(({ version }) => version != null)) {
    columns.push({ name: 'expected version', type: 'integer', cell: ({ version }) => version ?? null });
  }
  if (rows.some(({ statuses }) => statuses)) {
    columns.push({ name: 'state', type: 'text', cell: ({ statuses }) => statuses?.[0] ?? null });
    columns.push({ name: 'other state', type: 'text', cell: ({ statuses }) => statuses?.[1] ?? null });
  }
  return columns;
}

const types = { String: 'text', Float: 'double precision', Int: 'integer', Boolean: 'boolean' } satisfies Record<
  FieldType,
  string
>;

function updateMany(
  provider: Provider,
  { resource }: Update,
  columns: readonly ChangeColumn[],
  rows: readonly RowUpdate[],
  now: Date,
): Statement {
  const text = new StatementBuilder(provider);
  const table = quoted(resource.model);
  const fields = columns.flatMap(({ field }) => (field ? [field] : []));
  const names = columns.map(({ name }) => quoted(name));
  const source = changesTable(text, columns, names, rows);
  const set = fields.map(({ name, given }) =>
    given
      ? `"${name}" = CASE WHEN "change"."${given}" THEN "change"."${name}" ELSE ${table}."${name}" END`
      : `"${name}" = "change"."${name}"`,
  );
  const differs = fields.map(({ name, given }) => {
    const isOther = `${table}."${name}" IS DISTINCT FROM "change"."${name}"`;
    return given ? `("change"."${given}" AND ${isOther})` : isOther;
  });
  const conditions = [`${table}."id" = "change"."key"`, `(${differs.join(' OR ')})`];
  if (names.includes('"expected version"')) {
    conditions.push(`coalesce("change"."expected version" = ${table}."version", true)`);
  }
  if (names.includes('"state"')) {
    conditions.push(`("change"."state" IS NULL OR ${table}."status" IN ("change"."state", "change"."other state"))`);
  }
  const assignments = [...set, ...raised(text, resource, now)].join(', ');
  return text.statement(
    `${source.with}UPDATE ${table} SET ${assignments} FROM ${source.from} WHERE ${conditions.join(' AND ')} ` +
      `RETURNING ${table}."id", ${table}."version"`,
  );
}

/** The table `change`: on SQLite a VALUES list before the statement, on PostgreSQL built from one JSON value. */
function changesTable(
  text: StatementBuilder,
  columns: readonly ChangeColumn[],
  names: readonly string[],
  rows: readonly RowUpdate[],
) {
  if (text.provider === 'sqlite') {
    for (const row of rows) for (const { cell } of columns) text.bind(cell(row));
    const places = `(${Array(columns.length).fill('?').join(', ')})`;
    const values = Array(rows.length).fill(places).join(', ');
    return { with: `WITH "change" (${names.join(', ')}) AS (VALUES ${values}) `, from: '"change"' };
  }
  const records = rows.map((row) => Object.fromEntries(columns.map(({ name, cell }) => [name, cell(row)])));
  const typed = columns.map(({ name, type }) => `"${name}" ${type}`).join(', ');
  const place = text.bind(JSON.stringify(records));
  return { with: '', from: `json_to_recordset(${place}::json) AS "change" (${typed})` };
}
