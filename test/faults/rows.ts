/** Reads a gateway's database directly. */

import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { Sqlite } from '../support/sqlite-library.js';
import { administer } from './place.js';

export type Row = Record<string, string | number | null>;

/** The rows of a query that both databases understand; numbers as numbers. */
export async function rowsOf(url: string, sql: string): Promise<Row[]> {
  if (url.startsWith('file:')) {
    const database = new Sqlite(sqlitePath(url), { readonly: true });
    try {
      return database.prepare<[], Row>(sql).all();
    } finally {
      database.close();
    }
  }
  return administer(url, sql);
}

/** The single number that a query returns. */
export async function numberOf(url: string, sql: string): Promise<number> {
  const [row] = await rowsOf(url, sql);
  return Number(Object.values(row ?? {})[0]);
}

/** Faults that the database finds in itself: broken pages, indexes that disagree with their table, lost parents. */
export async function damages(url: string): Promise<string[]> {
  return url.startsWith('file:') ? sqliteDamages(url) : postgresqlDamages(url);
}

async function sqliteDamages(url: string): Promise<string[]> {
  const integrity = (await rowsOf(url, 'PRAGMA integrity_check')).map((row) => String(row.integrity_check));
  const orphans = await rowsOf(url, 'PRAGMA foreign_key_check');
  return [...integrity.filter((line) => line !== 'ok'), ...orphans.map((row) => `${row.table} without ${row.parent}`)];
}

/** amcheck reads every page of every table and index; foreign keys are looked up one by one. */
async function postgresqlDamages(url: string): Promise<string[]> {
  await administer(url, 'CREATE EXTENSION IF NOT EXISTS amcheck');
  const tables = await administer(
    url,
    `SELECT c.relname || ': ' || v.msg AS damage FROM pg_class c, LATERAL verify_heapam(c.oid) v
     WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace`,
  );
  try {
    await administer(
      url,
      `SELECT bt_index_parent_check(i.indexrelid, true) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relam = (SELECT oid FROM pg_am WHERE amname = 'btree')`,
    );
  } catch (error) {
    tables.push({ damage: String(error) });
  }
  return tables.map(({ damage }) => String(damage));
}
