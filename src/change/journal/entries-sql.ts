/** Reads entries up to a number of bytes, found before any large value is loaded. */

import { type Rows, rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Database } from '../../database/open-database.js';
import { Turns } from '../../database/turns.js';
import type { Resource } from '../../model/resource.js';
import { entryReader, type StoredEntry } from './stored-entry.js';

/** What entries are read, and in which order. Values are `?` in the order of the text. */
export interface EntryQuery {
  where: string;
  values: readonly (string | number)[];
  order: string;
  most: number;
  /** The bytes of values after which no further entry is read; the first one is always read. */
  bytes: number;
  /** Bytes that each entry counts besides its values; 0 where it is left out. */
  each?: number;
  /** A further value that each row has, such as `heldSql`, and what it binds. */
  also?: { sql: string; values: readonly number[] };
}

/** Where entries are read from: outside a transaction by a plain read, otherwise inside it. */
export type EntrySource = Pick<Database, 'provider' | 'read' | 'perform'>;

export interface FoundEntries {
  entries: StoredEntry[];
  /** Whether the number of bytes has cut them short. */
  isCut: boolean;
  /** The length of their values. */
  bytes: number;
  /** The further value; undefined if nothing was found. */
  also?: unknown;
}

export async function readEntries(
  database: EntrySource,
  resources: readonly Resource[],
  query: EntryQuery,
  reach?: 'bounded',
): Promise<FoundEntries> {
  const { columns, entryOf } = entryReader(database.provider, resources);
  const { where, values, order, most, bytes, each = 0, also } = query;
  const sql = `
    WITH "found" AS (SELECT "entry", octet_length("changes") + ${each} AS "size", row_number() OVER (ORDER BY ${order}) AS "place"
      FROM "JournalEntry" WHERE ${where} ORDER BY ${order} LIMIT ${most}),
    "summed" AS (SELECT "entry", "size", sum("size") OVER (ORDER BY "place") AS "total" FROM "found")
    SELECT ${columns}, (SELECT count(*) FROM "found"), ${also?.sql ?? 'NULL'} FROM "JournalEntry" WHERE "entry" IN (
      SELECT "entry" FROM "summed" WHERE "total" - "size" <= ${bytes}) ORDER BY ${order}`;
  const found = await rowsOf(database, sql, [...values, ...(also?.values ?? [])], reach);
  // After each row's own values come the number of found entries and the further value.
  const size = found.reduce((sum, row) => sum + String(row.at(-3)).length, 0);
  const isCut = found.length < Number(found[0]?.at(-2) ?? 0);
  const entries: StoredEntry[] = [];
  const turns = new Turns();
  for (const row of found) {
    entries.push(entryOf(row));
    const due = turns.due();
    if (due) await due;
  }
  return { entries, isCut, bytes: size, also: found[0]?.at(-1) };
}

/** Rows of a statement whose values are `?`. */
export async function rowsOf(
  { provider, read, perform }: EntrySource,
  sql: string,
  values: readonly (string | number)[],
  reach?: 'bounded',
): Promise<Rows> {
  if (read) return read(numbered(provider, sql), values, reach);
  const inside = provider === 'sqlite' ? sql : numbered(provider, sql);
  return perform(() => rows(inside, values));
}

function numbered(provider: Provider, sql: string): string {
  let count = 0;
  return sql.replaceAll('?', () => `${provider === 'sqlite' ? '?' : '$'}${++count}`);
}
