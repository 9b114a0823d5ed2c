import pg from 'pg';
import type { Provider } from '../../../src/database/migrations/migration-history.js';
import { sqlitePath } from '../../../src/database/sqlite/open-sqlite.js';
import { Sqlite } from '../../support/sqlite-library.js';

export type Row = Readonly<Record<string, unknown>>;

/** A direct connection to a database, without the gateway. */
export interface Plain {
  provider: Provider;
  rows(sql: string, values: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openPlain(provider: Provider, url: string): Promise<Plain> {
  if (provider === 'sqlite') {
    const database = new Sqlite(sqlitePath(url));
    return {
      provider,
      rows: async (sql, values) => {
        const statement = database.prepare<unknown[], Row>(sql);
        if (statement.reader) return statement.all(...values);
        statement.run(...values);
        return [];
      },
      close: async () => void database.close(),
    };
  }
  const client = new pg.Client(url);
  await client.connect();
  return {
    provider,
    rows: async (sql, values) => (await client.query(sql, [...values])).rows,
    close: () => client.end(),
  };
}
