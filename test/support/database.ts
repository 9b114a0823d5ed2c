import { copyFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { throughConflicts } from './conflicting-proxy.js';
import { keptConnection } from './kept-connection.js';
import { isPooled } from './pooled.js';
import { isChosen, isChosenOrNamed } from './thorough.js';

/** Whether the tests of PostgreSQL run on its profile `distributed`, behind a proxy that makes statements conflict. */
export const isDistributed = process.env.DISTRIBUTED === 'true';

/** Both databases, for suites that run on each: `describe.each(providers)`. */
export const providers: Provider[] = isPooled || isDistributed ? ['postgresql'] : ['sqlite', 'postgresql'];

/** The similar cases that are tested on this database: each case on one of the two, and all on both by `.ci/run`. */
export function shareOf<Case>(provider: Provider, cases: readonly Case[]): Case[] {
  return cases.filter((_, index) => isChosen(index + providers.indexOf(provider), providers.length));
}

/**
 * The databases for a suite that hardly depends on them, given its file. `npm test` uses one of them, according
 * to the name of the file; a run with named files, and `.ci/run`, use both.
 */
export function databaseInTurn(file: string): Provider[] {
  const number = [...basename(file)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  return providers.filter((_, index) => isChosenOrNamed(number + index, providers.length));
}

/**
 * How the suites of `file` have operations executed: compiled on both databases, and by the resolvers on the one in turn,
 * because these hardly depend on the database: Prisma writes their SQL.
 */
export const waysToExecute = (file: string): { database: Provider; compiled: boolean }[] => [
  ...providers.map((database) => ({ database, compiled: true })),
  ...databaseInTurn(file).map((database) => ({ database, compiled: false })),
];

/** The URL of a new, migrated database that nobody else uses. It is deleted when the test run ends. */
export async function freshDatabaseUrl(provider: Provider): Promise<string> {
  if (provider === 'postgresql') return createPostgresql(inject('testRun').postgresqlTemplate);
  const path = join(freshFolder(), 'records.db');
  copyFileSync(inject('testRun').sqliteTemplate, path);
  return `file:${path}`;
}

/** The URL of a new database with nothing in it, not even the tables. */
export async function emptyDatabaseUrl(provider: Provider): Promise<string> {
  return provider === 'postgresql' ? createPostgresql('template1') : `file:${join(freshFolder(), 'records.db')}`;
}

/** A new folder that is deleted when the test run ends. */
export function freshFolder(): string {
  return mkdtempSync(join(inject('testRun').folder, 'sqlite', 'test-'));
}

let databases = 0;

async function createPostgresql(template: string): Promise<string> {
  const run = inject('testRun');
  await serverReady(run.postgresqlReady);
  const name = `${run.postgresqlTemplate.replace(/template$/, '')}${process.pid}_${++databases}`;
  const client = keptConnection(run.postgresqlUrl);
  // Copied as files, which takes half as long on a server that does not wait for its disk.
  await client.query(`CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY FILE_COPY`);
  const url = new URL(run.poolerUrl ?? run.postgresqlUrl);
  url.pathname = name;
  return isDistributed && template !== 'template1' ? throughConflicts(url.href) : url.href;
}

async function serverReady(file: string): Promise<void> {
  for (let waited = 0; !existsSync(file); waited += 50) {
    if (waited > 120_000) throw new Error('PostgreSQL has not started within two minutes');
    await sleep(50);
  }
  const problem = readFileSync(file, 'utf8');
  if (problem) throw new Error(`PostgreSQL for the tests did not start: ${problem}`);
}
