/** Many rows of one table changed in one statement, each in its own way. */
import { Prisma } from '../generated/sqlite/client.js';
import type { FieldType } from '../model/field.js';
import type { Resource } from '../model/resource.js';
import type { Client, Values } from './delegate.js';
import { ids } from './ids.js';

export interface RowChange {
  id: string;
  /** The columns this row is to change, document fields only; the others stay as they are. */
  values: Values;
  /** The version the row must have. */
  version?: number | undefined;
  /** The status the row must have, unless it has the one in `values` already. */
  origin?: string | undefined;
}

/** What one statement may bind is bounded: 32,766 values in SQLite. */
const mostValues = 30_000;

/**
 * Changes the rows and raises their versions by one. Returns the ids of those that were there and as their change
 * requires. One statement for all, and only beyond 30,000 values more than one.
 */
export async function changeMany(tx: Client, resource: Resource, changes: readonly RowChange[]): Promise<Set<string>> {
  const columns = columnsOf(resource, changes);
  const width = columns.reduce((sum, { given }) => sum + (given ? 2 : 1), 0);
  const rowsPerStatement = Math.max(1, Math.floor(mostValues / width));
  const changed = new Set<string>();
  for (let start = 0; start < changes.length; start += rowsPerStatement) {
    const rows = changes.slice(start, start + rowsPerStatement);
    for (const { id } of await tx.$queryRaw<{ id: string }[]>(statement(resource, columns, rows))) changed.add(id);
  }
  return changed;
}

/** A column of the table of changes. */
interface Column {
  name: string;
  type: Prisma.Sql;
  cell(change: RowChange): unknown;
  /** Whether a row changes this field, where not every row does. */
  given?: (change: RowChange) => boolean;
  /** Holds new values of a field of this name. */
  isField?: boolean;
}

function columnsOf({ fields, documentLike }: Resource, changes: readonly RowChange[]): Column[] {
  const columns: Column[] = [{ name: 'key', type: types.String, cell: ({ id }) => id }];
  for (const { name, type } of fields) {
    const given = ({ values }: RowChange) => Object.hasOwn(values, name);
    if (!changes.some(given)) continue;
    columns.push({
      name,
      isField: true,
      type: types[type],
      cell: ({ values }) => values[name] ?? null,
      ...(changes.every(given) ? {} : { given }),
    });
  }
  if (changes.some(({ version }) => version !== undefined)) {
    columns.push({ name: 'expected version', type: types.Int, cell: ({ version }) => version ?? null });
  }
  if (documentLike && changes.some(({ values }) => values.status !== undefined)) {
    columns.push({ name: 'origin', type: types.String, cell: ({ origin }) => origin ?? null });
  }
  return columns;
}

function statement({ model, timestamps }: Resource, columns: Column[], rows: readonly RowChange[]): Prisma.Sql {
  const table = named(model);
  const names = columns.flatMap((column) =>
    column.given ? [named(column.name), flagOf(column)] : [named(column.name)],
  );
  const raised = [Prisma.sql`"version" = ${table}."version" + 1`];
  if (timestamps) raised.push(Prisma.sql`"updatedAt" = ${ids.now()}`);
  return Prisma.sql`WITH "change" (${Prisma.join(names)}) AS (VALUES ${Prisma.join(rows.map((row) => cellsOf(columns, row)))})
UPDATE ${table} SET ${Prisma.join([...assignments(table, columns), ...raised])}
FROM "change" WHERE ${Prisma.join(conditions(table, columns), ' AND ')} RETURNING ${table}."id"`;
}

function cellsOf(columns: Column[], row: RowChange): Prisma.Sql {
  const cells = columns.flatMap(({ type, cell, given }) => {
    const value = Prisma.sql`CAST(${cell(row)} AS ${type})`;
    return given ? [value, Prisma.sql`CAST(${given(row)} AS BOOLEAN)`] : [value];
  });
  return Prisma.sql`(${Prisma.join(cells)})`;
}

function assignments(table: Prisma.Sql, columns: Column[]): Prisma.Sql[] {
  return columns
    .filter(({ isField }) => isField)
    .map((column) => {
      const name = named(column.name);
      return column.given
        ? Prisma.sql`${name} = CASE WHEN "change".${flagOf(column)} THEN "change".${name} ELSE ${table}.${name} END`
        : Prisma.sql`${name} = "change".${name}`;
    });
}

function conditions(table: Prisma.Sql, columns: Column[]): Prisma.Sql[] {
  const all = [Prisma.sql`${table}."id" = "change"."key"`];
  const has = (name: string) => columns.some((column) => column.name === name);
  if (has('expected version')) {
    all.push(Prisma.sql`("change"."expected version" IS NULL OR "change"."expected version" = ${table}."version")`);
  }
  if (has('origin')) {
    const status = columns.find(({ name }) => name === 'status');
    const isOpen = Prisma.sql`${table}."status" IN ("change"."status", "change"."origin")`;
    all.push(status?.given ? Prisma.sql`(NOT "change".${flagOf(status)} OR ${isOpen})` : isOpen);
  }
  return all;
}

const named = (name: string): Prisma.Sql => Prisma.raw(`"${name}"`);
const flagOf = ({ name }: Column): Prisma.Sql => named(`${name} given`);

const types = {
  String: Prisma.sql`TEXT`,
  Float: Prisma.sql`DOUBLE PRECISION`,
  Int: Prisma.sql`INTEGER`,
  Boolean: Prisma.sql`BOOLEAN`,
} satisfies Record<FieldType, Prisma.Sql>;
