import pg from 'pg';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { Sqlite } from './sqlite-library.js';

/** Blocks all other writes (and on PostgreSQL reads) of industry types until the returned function is called. */
export async function lockIndustryTypes(url: string, provider: Provider): Promise<() => Promise<void>> {
  if (provider === 'sqlite') {
    const holder = new Sqlite(url.slice('file:'.length));
    holder.exec('BEGIN IMMEDIATE');
    return async () => {
      holder.exec('ROLLBACK');
      holder.close();
    };
  }
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE "IndustryType" IN ACCESS EXCLUSIVE MODE');
  return () => holder.end();
}
