/** The permissions of files that a start creates, and the error of a start that cannot write. */
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { type Database as GatewayDatabase, openDatabase } from '../../src/database/open-database.js';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import { asOrdinaryUser } from '../support/ordinary-user.js';
import { type GatewayProcess, run } from '../support/process.js';
import { Sqlite } from '../support/sqlite-library.js';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const sqliteFiles = (path: string) => [path, `${path}-wal`, `${path}-shm`];
const pathOf = (url: string) => url.slice('file:'.length);

/** Opens the database as a start does, and uses it. */
async function open(url: string, log?: (message: string) => void): Promise<GatewayDatabase> {
  const database = await openDatabase({ url, migrate: true, log });
  onTestFinished(() => database.close());
  await database.transaction((tx) => tx.apiKey.deleteMany());
  return database;
}

/** `records migrate apply`, which opens the database as every program does, and starts sooner than the gateway. */
function migrateAsOrdinaryUser(environment: Record<string, string>): GatewayProcess {
  const [command = '', ...parameters] = [
    ...asOrdinaryUser,
    process.execPath,
    join(inject('testRun').built, 'src/main.js'),
    'migrate',
    'apply',
  ];
  return run(command, parameters, environment);
}

test('what a first start makes is for this user alone', async () => {
  const folder = join(freshFolder(), 'data');
  await open(`file:${folder}/records.db`);
  expect(modeOf(folder)).toBe('700');
  expect(sqliteFiles(join(folder, 'records.db')).map(modeOf)).toEqual(['600', '600', '600']);
});

test('a database that everybody could read is closed to others, with its log, and the log of the gateway says so', async () => {
  const url = await freshDatabaseUrl('sqlite');
  const path = pathOf(url);
  const other = new Sqlite(path);
  onTestFinished(() => void other.close());
  other.pragma('journal_mode = WAL');
  other.exec('CREATE TABLE "leaves a log" (x)');
  for (const file of sqliteFiles(path)) chmodSync(file, 0o644);
  const log: string[] = [];
  await open(url, (line) => log.push(line));
  expect(sqliteFiles(path).map(modeOf)).toEqual(['600', '600', '600']);
  expect(log.join()).toContain(`Everybody on this machine could read ${path}; now only this user can`);
});

test('a database that was opened to a group stays open to it', async () => {
  const url = await freshDatabaseUrl('sqlite');
  chmodSync(pathOf(url), 0o640);
  await open(url);
  expect(sqliteFiles(pathOf(url)).map(modeOf)).toEqual(['640', '640', '640']);
});

test.each([
  ['whose folder may be written', 0o755],
  ['whose folder may not either', 0o555],
])('a database that may be read but not written, %s, is one line that says what to do', async (_which, folderMode) => {
  const DATABASE_URL = await freshDatabaseUrl('sqlite');
  const path = pathOf(DATABASE_URL);
  const before = readFileSync(path);
  chmodSync(path, 0o444);
  chmodSync(dirname(path), folderMode);
  const migration = migrateAsOrdinaryUser({ DATABASE_URL });
  expect(await migration.ended).toBe(1);
  chmodSync(dirname(path), 0o755);
  expect(migration.log()).toBe(
    `error: The database file ${path} is read-only. Let this user write the file and its folder, or set DATABASE_URL to another file.\n`,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a folder in which nothing may be made is one line that says what to do', async () => {
  const locked = join(freshFolder(), 'locked');
  mkdirSync(locked, { mode: 0o555 });
  const migration = migrateAsOrdinaryUser({ DATABASE_URL: `file:${locked}/data/records.db` });
  expect(await migration.ended).toBe(1);
  expect(migration.log()).toMatch(/^error: The folder of the database file .* cannot be made \(EACCES.*\n$/);
});
