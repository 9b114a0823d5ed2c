/** A folder and a PostgreSQL server for the faults, both deleted after the run. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { type PostgresqlServer, startPostgresql } from '../support/postgresql.js';

export class Place {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gateway-faults-'));
  #server: Promise<PostgresqlServer> | undefined;
  #databases = 0;

  /** A new folder. */
  folder(): string {
    return mkdtempSync(join(this.#folder, 'fault-'));
  }

  /** A server that syncs as one in production does, shared by the faults. */
  server(): Promise<PostgresqlServer> {
    this.#server ??= startPostgresql({ durable: true });
    return this.#server;
  }

  /** The URL of a new, empty database. */
  async database(provider: Provider): Promise<string> {
    if (provider === 'sqlite') return `file:${join(this.folder(), 'records.db')}`;
    const { url } = await this.server();
    const name = `fault_${++this.#databases}`;
    await administer(url, `CREATE DATABASE ${name}`);
    const own = new URL(url);
    own.pathname = name;
    return own.href;
  }

  async close(): Promise<void> {
    await (await this.#server)?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The rows of one statement, on a connection of its own. */
export async function administer(url: string, sql: string, values: unknown[] = []) {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
