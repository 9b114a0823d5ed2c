/** Runs SQL on a database of the bench, each time on a connection of its own. */
import pg from 'pg';
import { openSqliteFile } from '../src/database/sqlite/sqlite-library.js';

/** Runs statements on a new connection. */
export async function runOn(url: string, statements: readonly string[]): Promise<void> {
  return url.startsWith('file:') ? onSqlite(url, statements) : onPostgresql(url, statements);
}

/** Drops all triggers, which maintain the gateway's counts; other systems should not pay for them. */
export async function dropTriggers(url: string): Promise<void> {
  if (url.startsWith('file:'))
    onSqlite(
      url,
      namesOnSqlite(url).map((name) => `DROP TRIGGER "${name}"`),
    );
  else await onPostgresql(url, [dropOnPostgresql]);
}

const dropOnPostgresql = `DO $$
  DECLARE found record;
  BEGIN
    FOR found IN SELECT tgname, tgrelid::regclass AS of_table FROM pg_trigger WHERE NOT tgisinternal LOOP
      EXECUTE format('DROP TRIGGER %I ON %s', found.tgname, found.of_table);
    END LOOP;
  END $$`;

function namesOnSqlite(url: string): unknown[] {
  const database = openSqliteFile(url.slice('file:'.length), { readonly: true });
  try {
    return database.prepare(`SELECT "name" FROM "sqlite_master" WHERE "type" = 'trigger'`).pluck().all();
  } finally {
    database.close();
  }
}

export function onSqlite(url: string, statements: readonly string[]): void {
  const database = openSqliteFile(url.slice('file:'.length), { timeout: 10_000 });
  try {
    database.pragma('foreign_keys = ON');
    for (const sql of statements) database.exec(sql);
  } finally {
    database.close();
  }
}

export async function onPostgresql(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const sql of statements) await client.query(sql);
  } finally {
    await client.end();
  }
}
