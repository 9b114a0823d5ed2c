/** Who may read what a start makes, and what a start says where it may not write. */
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, inject, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { asOrdinaryUser } from '../support/ordinary-user.js';
import { type GatewayProcess, run, startProcess } from '../support/process.js';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const sqliteFiles = (path: string) => [path, `${path}-wal`, `${path}-shm`];

async function stop(gateway: GatewayProcess): Promise<void> {
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
}

function startAsOrdinaryUser(environment: Record<string, string>): GatewayProcess {
  const [command = '', ...parameters] = [
    ...asOrdinaryUser,
    process.execPath,
    join(inject('testRun').built, 'src/main.js'),
  ];
  return run(command, parameters, environment);
}

test('what a first start makes is for this user alone', async () => {
  const gateway = startProcess();
  await gateway.ready();
  const folder = join(gateway.folder, 'data');
  expect(modeOf(folder)).toBe('700');
  expect(sqliteFiles(join(folder, 'records.db')).map(modeOf)).toEqual(['600', '600', '600']);
  await stop(gateway);
});

test('a database that everybody could read is closed to others, with its log, and the log of the gateway says so', async () => {
  const DATABASE_URL = await freshDatabaseUrl('sqlite');
  const path = DATABASE_URL.slice('file:'.length);
  const other = new Database(path);
  other.pragma('journal_mode = WAL');
  other.exec('CREATE TABLE "leaves a log" (x)');
  for (const file of sqliteFiles(path)) chmodSync(file, 0o644);
  const gateway = startProcess({ DATABASE_URL });
  await gateway.ready();
  expect(sqliteFiles(path).map(modeOf)).toEqual(['600', '600', '600']);
  expect(gateway.log()).toContain(`Everybody on this machine could read ${path}; now only this user can`);
  other.close();
  await stop(gateway);
});

test('a database that was opened to a group stays open to it', async () => {
  const DATABASE_URL = await freshDatabaseUrl('sqlite');
  const path = DATABASE_URL.slice('file:'.length);
  chmodSync(path, 0o640);
  const gateway = startProcess({ DATABASE_URL });
  await gateway.ready();
  expect(sqliteFiles(path).map(modeOf)).toEqual(['640', '640', '640']);
  await stop(gateway);
});

test.each([
  ['whose folder may be written', 0o755],
  ['whose folder may not either', 0o555],
])('a database that may be read but not written, %s, is one line that says what to do', async (_which, folderMode) => {
  const DATABASE_URL = await freshDatabaseUrl('sqlite');
  const path = DATABASE_URL.slice('file:'.length);
  const before = readFileSync(path);
  chmodSync(path, 0o444);
  chmodSync(dirname(path), folderMode);
  const gateway = startAsOrdinaryUser({ DATABASE_URL });
  expect(await gateway.ended).toBe(1);
  chmodSync(dirname(path), 0o755);
  expect(gateway.log()).toBe(
    `The gateway cannot start: The database file ${path} is read-only. Let this user write the file and its folder, or set DATABASE_URL to another file.\n`,
  );
  expect(readFileSync(path)).toEqual(before);
});

test('a folder in which nothing may be made is one line that says what to do', async () => {
  const folder = dirname((await freshDatabaseUrl('sqlite')).slice('file:'.length));
  const locked = join(folder, 'locked');
  mkdirSync(locked, { mode: 0o555 });
  const gateway = startAsOrdinaryUser({ DATABASE_URL: `file:${locked}/data/records.db` });
  expect(await gateway.ended).toBe(1);
  expect(gateway.log()).toMatch(
    /^The gateway cannot start: The folder of the database file .* cannot be made \(EACCES.*\n$/,
  );
});
