/** A temporary folder and PostgreSQL server for the bench, removed at its end. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MigrationConnection, migrate } from '../src/database/migrations/migrate.js';
import type { Provider } from '../src/database/migrations/migration-history.js';
import { openPostgresqlMigration } from '../src/database/migrations/postgresql-migration.js';
import { openSqliteMigration } from '../src/database/migrations/sqlite-migration.js';
import { type PostgresqlServer, startPostgresql } from '../test/support/postgresql.js';
import { type Amounts, fillStatements } from './data.js';
import { pin } from './processors.js';
import { progress } from './progress.js';
import { onPostgresql, onSqlite } from './run-sql.js';

export class Place {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gateway-bench-'));
  readonly #filled = new Map<string, Promise<string>>();
  #server: Promise<PostgresqlServer> | undefined;
  #copies = 0;

  /** The URL of a new copy of a database with these records. */
  async database(provider: Provider, amounts: Amounts): Promise<string> {
    const key = `${provider}_${amounts.repairs}_${amounts.quotations}`;
    if (!this.#filled.has(key)) this.#filled.set(key, this.#fill(provider, key, amounts));
    const original = (await this.#filled.get(key)) ?? '';
    const name = `copy_${++this.#copies}`;
    if (provider === 'sqlite') {
      copyFileSync(original.slice('file:'.length), this.#file(name));
      return `file:${this.#file(name)}`;
    }
    return this.#createPostgresql(name, new URL(original).pathname.slice(1));
  }

  /** The URL of a new, empty database. */
  async emptyDatabase(provider: Provider): Promise<string> {
    const name = `empty_${++this.#copies}`;
    return provider === 'sqlite' ? `file:${this.#file(name)}` : this.#createPostgresql(name, 'template1');
  }

  /** The process id of the PostgreSQL server; undefined if none was started. */
  async postgresqlPid(): Promise<number | undefined> {
    const server = await this.#server;
    return server && pidOf(server);
  }

  async close(): Promise<void> {
    await (await this.#server)?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #fill(provider: Provider, name: string, amounts: Amounts): Promise<string> {
    progress(`Making ${amounts.repairs.toLocaleString('en')} asset repairs on ${provider}`);
    const statements = fillStatements(provider, amounts);
    if (provider === 'sqlite') {
      await migrated(openSqliteMigration(this.#file(name)));
      onSqlite(`file:${this.#file(name)}`, ['BEGIN', ...statements, 'COMMIT', 'PRAGMA wal_checkpoint(TRUNCATE)']);
      return `file:${this.#file(name)}`;
    }
    const url = await this.#createPostgresql(name, 'template1');
    await migrated(await openPostgresqlMigration(url));
    // Each call splits at most sixteen blocks, and a block needs three calls: announce, wait, count.
    const tending = Array(3 * Math.ceil(amounts.repairs / 200_000)).fill(`SELECT "gateway_block_tend"('AssetRepair')`);
    await onPostgresql(url, [...statements, ...tending, 'VACUUM ANALYZE', 'CHECKPOINT']);
    return url;
  }

  async #createPostgresql(name: string, template: string): Promise<string> {
    this.#server ??= startServer();
    const server = await this.#server;
    await onPostgresql(server.url, [`CREATE DATABASE "${name}" TEMPLATE "${template}"`]);
    const url = new URL(server.url);
    url.pathname = name;
    return url.href;
  }

  #file(name: string): string {
    return join(this.#folder, `${name}.db`);
  }
}

/**
 * Durable as in production, but without background maintenance, which would affect some measurements and not others.
 */
async function startServer(): Promise<PostgresqlServer> {
  const flags = ['shared_buffers=1GB', 'max_wal_size=8GB', 'checkpoint_timeout=1h', 'autovacuum=off'];
  const server = await startPostgresql({ durable: true, flags: flags.flatMap((flag) => ['-c', flag]) });
  pin('server', pidOf(server));
  return server;
}

function pidOf({ folder }: PostgresqlServer): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

async function migrated(connection: MigrationConnection): Promise<void> {
  try {
    await migrate(connection);
  } finally {
    await connection.close();
  }
}
