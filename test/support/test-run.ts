/**
 * Vitest's global set-up: a folder for everything the run writes, a migrated SQLite file to copy, the gateway
 * built, and a PostgreSQL server with a migrated database to copy. The server starts beside the first tests, which wait
 * only if they need it.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type MigrationConnection, migrate } from '../../src/database/migrations/migrate.js';
import { openPostgresqlMigration } from '../../src/database/migrations/postgresql-migration.js';
import { openSqliteMigration } from '../../src/database/migrations/sqlite-migration.js';
import { build } from './build.js';
import { raisingConflicts } from './conflicting-proxy.js';
import { startPgbouncer } from './pgbouncer.js';
import { isPooled } from './pooled.js';
import { freePort, startPostgresql } from './postgresql.js';
import { processorTimeOfRun, tellsProcessorTime } from './processor-time.js';
import { scratchFolder } from './scratch.js';

/** What the tests can read about the run. */
export interface TestRun {
  /** Removed with all it holds when the run ends. */
  folder: string;
  /** Where the gateway is built, as `dist` is. */
  built: string;
  sqliteTemplate: string;
  /** Of the server's administrator. */
  postgresqlUrl: string;
  /** The database to copy; it exists once `postgresqlReady` exists. */
  postgresqlTemplate: string;
  /** A file that appears when the server is ready: empty, or with an error message. */
  postgresqlReady: string;
  /** The address of PgBouncer in front of the server, with `TEST_POOLER=pgbouncer`. */
  poolerUrl: string | undefined;
}

declare module 'vitest' {
  export interface ProvidedContext {
    testRun: TestRun;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = scratchFolder();
  const port = await freePort();
  const given = process.env.TEST_DATABASE_URL;
  const serverUrl = given ?? `postgresql://postgres:postgres@127.0.0.1:${port}/postgres`;
  const server = given ? undefined : startPostgresql({ port });
  if (isPooled) await server;
  const pooler = isPooled ? await startPgbouncer(serverUrl) : undefined;
  const run: TestRun = {
    folder,
    built: join(folder, 'built'),
    sqliteTemplate: join(folder, 'template.db'),
    postgresqlUrl: serverUrl,
    postgresqlTemplate: `gateway_test_${process.pid}_template`,
    postgresqlReady: join(folder, 'postgresql-ready'),
    poolerUrl: pooler?.through(serverUrl),
  };
  mkdirSync(join(folder, 'sqlite'));
  const ready = makeTemplate(run, server).then(
    () => writeFileSync(run.postgresqlReady, ''),
    (error: unknown) => writeFileSync(run.postgresqlReady, String(error)),
  );
  await Promise.all([migrateAndClose(openSqliteMigration(run.sqliteTemplate)), build(run.built)]);
  project.provide('testRun', run);
  return async () => {
    await ready;
    await pooler?.stop();
    if (given) await dropDatabases(run);
    const started = await server?.catch(() => undefined);
    if (tellsProcessorTime) console.log(processorTimeOfRun(folder, started?.pid()));
    await started?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

async function makeTemplate(run: TestRun, server: Promise<unknown> | undefined): Promise<void> {
  await server;
  await administer(run, (client) => client.query(`CREATE DATABASE "${run.postgresqlTemplate}"`));
  const url = new URL(run.postgresqlUrl);
  url.pathname = run.postgresqlTemplate;
  const isDistributed = process.env.DISTRIBUTED === 'true';
  if (isDistributed) url.searchParams.set('profile', 'distributed');
  await migrateAndClose(await openPostgresqlMigration(url.href));
  if (isDistributed) await administer(run, (client) => client.query(raisingConflicts), run.postgresqlTemplate);
}

async function dropDatabases(run: TestRun): Promise<void> {
  await administer(run, async (client) => {
    const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
      `gateway_test_${process.pid}_`,
    ]);
    for (const { datname } of rows) await client.query(`DROP DATABASE "${datname}" WITH (FORCE)`);
  });
}

async function administer(
  run: TestRun,
  work: (client: pg.Client) => Promise<unknown>,
  database?: string,
): Promise<void> {
  const url = new URL(run.postgresqlUrl);
  if (database) url.pathname = database;
  const client = new pg.Client(url.href);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function migrateAndClose(connection: MigrationConnection): Promise<void> {
  try {
    await migrate(connection);
  } finally {
    await connection.close();
  }
}
