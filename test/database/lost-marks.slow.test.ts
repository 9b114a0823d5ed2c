/** The mark of a lost database file stays until it is proven that nothing is lost, and is made only where it belongs. */
import { fork } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PlacedFiles } from '../../src/database/sqlite/placed-files.js';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js';
import { retryWhileBusy } from '../../src/database/sqlite/sqlite-errors.js';
import { records } from '../commands/records.js';
import { runningProcesses } from '../support/running-processes.js';
import { gatewayAt, path, place, processAt } from './placed.js';

type Gateway = Awaited<ReturnType<typeof processAt>>;

/** Removes files of a gateway that has made 20 records, and waits until it has marked the others. */
async function lose(file: string, { create }: Gateway, endings: string[]): Promise<void> {
  for (let n = 0; n < 20; n++) expect((await create()).status).toBe(201);
  for (const ending of endings) rmSync(file + ending);
  await expect.poll(() => existsSync(`${file}-lost`), { timeout: 5_000 }).toBe(true);
  expect((await create()).status).toBe(503);
}

const stop = async ({ gateway }: Gateway): Promise<number | string> => {
  gateway.child.kill('SIGTERM');
  return gateway.ended;
};

const start = async (file: string) => records(['serve'], { DATABASE_URL: `file:${file}` });

async function countAt(file: string): Promise<number> {
  const again = await gatewayAt(`file:${file}`);
  expect(await records(['check'], { DATABASE_URL: `file:${file}` })).toMatchObject({ code: 0 });
  return (await again.rest('GET', path)).body.total;
}

const saved = 'everything that it had acknowledged was in the file';

test.each([
  { beside: 'an idle program', begins: 'SELECT 1 FROM sqlite_schema', endings: ['-wal', '-shm'], isSaved: true },
  { beside: 'an idle program', begins: 'SELECT 1 FROM sqlite_schema', endings: ['-wal'], isSaved: true },
  {
    beside: 'a program that reads',
    begins: 'BEGIN; SELECT 1 FROM sqlite_schema',
    endings: ['-wal', '-shm'],
    isSaved: false,
  },
])(
  'with $beside beside it, a gateway that stops after the removal of $endings leaves the mark and exits 1',
  async ({ begins, endings, isSaved }) => {
    const { file } = await place();
    const gateway = await processAt(file, '1');
    expect((await gateway.create()).status).toBe(201);
    const other = new SqliteConnection(file);
    other.script(begins);
    await lose(file, gateway, endings);
    expect(await stop(gateway)).toBe(1);
    expect(gateway.gateway.log()).toContain(`${file}-lost says what is known`);
    expect(readFileSync(`${file}-lost`, 'utf8').includes(saved)).toBe(isSaved);
    expect(await start(file)).toMatchObject({ code: 1, problem: expect.stringContaining(`remove ${file}-lost`) });
    other.close();
    if (!isSaved) return;
    rmSync(`${file}-lost`);
    expect(await countAt(file)).toBe(21);
  },
  60_000,
);

test('of two gateways the last one to stop removes the mark, and nothing is lost', async () => {
  const { file } = await place();
  const one = await processAt(file, '1');
  const other = await processAt(file, '1');
  await lose(file, one, ['-wal', '-shm']);
  expect(await stop(one)).toBe(1);
  expect(await start(file)).toMatchObject({ code: 1 });
  expect([await stop(other), existsSync(`${file}-lost`)]).toEqual([0, false]);
  expect(await countAt(file)).toBe(20);
}, 60_000);

test.each([[['-wal']], [['-shm']], [['-wal', '-shm']]])(
  'of several workers that stop together after the removal of %s, one sees that it is the last',
  async (endings) => {
    const { file } = await place();
    const gateway = await processAt(file, '4');
    await lose(file, gateway, endings);
    expect([await stop(gateway), existsSync(`${file}-lost`)]).toEqual([0, false]);
    expect(await countAt(file)).toBe(20);
  },
  60_000,
);

test.runIf(process.platform === 'linux')(
  'a gateway that had to kill a worker when it stopped exits 1, and leaves the mark if there was one',
  async () => {
    const exit = async (endings: string[]) => {
      const { file } = await place();
      const gateway = await processAt(file);
      if (endings.length > 0) await lose(file, gateway, endings);
      const [worker] = runningProcesses().filter(({ parent }) => parent === gateway.gateway.child.pid);
      process.kill(worker?.pid ?? 0, 'SIGSTOP');
      const code = await stop(gateway);
      expect(gateway.gateway.log()).toContain('A worker has not ended in time, and was killed');
      return { code, isMarked: existsSync(`${file}-lost`) };
    };
    expect(await Promise.all([exit([]), exit(['-wal'])])).toEqual([
      { code: 1, isMarked: false },
      { code: 1, isMarked: true },
    ]);
  },
  60_000,
);

test('a log that is emptied after it was begun anew is noticed before the next write is acknowledged', async () => {
  const { file } = await place();
  const { create } = await processAt(file, '1');
  for (let n = 0; n < 20; n++) expect((await create()).status).toBe(201);
  await sleep(1_200);
  const other = new SqliteConnection(file);
  onTestFinished(() => other.close());
  await retryWhileBusy(() => other.script('PRAGMA wal_checkpoint(RESTART)'), 10_000);
  expect((await create()).status).toBe(201);
  truncateSync(`${file}-wal`);
  expect((await create()).status).toBe(503);
  expect(existsSync(`${file}-lost`)).toBe(true);
});

test.each([0, 0.5])('a log that is cut to %s during a commit is noticed after it', async (share) => {
  const { file } = await place();
  const writer = new SqliteConnection(file);
  onTestFinished(() => writer.close());
  writer.script('PRAGMA journal_mode = WAL; CREATE TABLE "t" ("x")');
  const { dev, ino } = statSync(file);
  const files = new PlacedFiles(file, `${dev}:${ino}`);
  onTestFinished(() => files.close('unsaved'));
  const insert = () => writer.script('INSERT INTO t VALUES (hex(zeroblob(9000)))');
  for (let n = 0; n < 5; n++) insert();
  files.require();
  files.requireLog();
  truncateSync(`${file}-wal`, statSync(`${file}-wal`).size * share);
  insert();
  expect(() => files.requireLog()).toThrow('truncated or overwritten');
});

test('commits and shortened logs of another process between two reads are no overwriting', async () => {
  const { file } = await place();
  const reader = new SqliteConnection(file);
  onTestFinished(() => reader.close());
  reader.script('PRAGMA journal_mode = WAL; CREATE TABLE "t" ("x")');
  const { dev, ino } = statSync(file);
  const files = new PlacedFiles(file, `${dev}:${ino}`);
  onTestFinished(() => files.close('unsaved'));
  const program = join(file, '..', 'write.cjs');
  writeFileSync(
    program,
    `const Library = require(process.argv[2]);
     const database = new Library(process.argv[3], { timeout: 5000 });
     database.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0');
     for (let n = 1; ; n++) {
       database.exec('INSERT INTO t VALUES (hex(zeroblob(4000)))');
       if (n % 50 === 0) database.exec('PRAGMA wal_checkpoint(' + (n % 100 === 0 ? 'TRUNCATE' : 'RESTART') + '); DELETE FROM t');
       if (n === 1) process.send('ready');
     }`,
  );
  const library = join(process.cwd(), 'node_modules/better-sqlite3');
  const other = fork(program, [library, file]);
  onTestFinished(() => void other.kill('SIGKILL'));
  await new Promise((resolve) => other.once('message', resolve));
  let time = 0;
  for (const until = Date.now() + 4_000; Date.now() < until; ) {
    // As if somebody had written into it.
    utimesSync(file, ++time, time);
    files.require();
  }
  expect(other.exitCode).toBe(null);
}, 30_000);

test('a gateway that was suspended while its lost database was replaced does not mark the new one', async () => {
  const { file, above } = await place();
  const backup = join(above, 'backup.db');
  const env = { DATABASE_URL: `file:${file}` };
  const { gateway, create } = await processAt(file, '1');
  expect(await records(['backup', backup], env)).toMatchObject({ code: 0 });
  for (let n = 0; n < 20; n++) expect((await create()).status).toBe(201);
  truncateSync(file);
  await expect.poll(() => existsSync(`${file}-lost`), { timeout: 5_000 }).toBe(true);
  gateway.child.kill('SIGSTOP');
  utimesSync(`${file}-lost`, 1, 1);
  expect(await records(['restore', backup, '--replace'], env)).toMatchObject({ code: 0 });
  gateway.child.kill('SIGCONT');
  expect((await create()).status).toBe(503);
  // It looks once a second.
  await sleep(2_500);
  expect(existsSync(`${file}-lost`)).toBe(false);
  expect(await countAt(file)).toBe(0);
}, 60_000);

const all = ['', '-wal', '-shm'];

test.each([
  { how: 'is killed', signal: 'SIGKILL' as const, code: 'SIGKILL' },
  { how: 'stops at once', signal: 'SIGTERM' as const, code: 1 },
])(
  'where a database is gone as a whole and its gateway $how, no new one is made in its place',
  async (its) => {
    const { file, folder } = await place();
    const { gateway, create } = await processAt(file, '1');
    for (let n = 0; n < 20; n++) expect((await create()).status).toBe(201);
    const away = join(folder, 'away');
    mkdirSync(away);
    const move = (from: string, to: string) => {
      for (const ending of all) renameSync(join(from, `records.db${ending}`), join(to, `records.db${ending}`));
    };
    const isMarked = () => existsSync(`${file}-lost`);
    if (its.code === 'SIGKILL') {
      move(folder, away);
      await expect.poll(isMarked, { timeout: 5_000 }).toBe(true);
      move(away, folder);
      await expect.poll(isMarked, { timeout: 5_000 }).toBe(false);
      expect((await create()).status).toBe(201);
      rmSync(file);
      for (const ending of ['-wal', '-shm']) rmSync(file + ending);
      await expect.poll(isMarked, { timeout: 5_000 }).toBe(true);
    } else {
      move(folder, away);
    }
    gateway.child.kill(its.signal);
    expect(await gateway.ended).toBe(its.code);
    expect(await start(file)).toMatchObject({
      code: 1,
      problem: expect.stringContaining(`Put the files back; or remove ${file}-lost to begin anew.`),
    });
    expect(existsSync(file)).toBe(false);
    rmSync(`${file}-lost`);
    if (its.code !== 'SIGKILL') move(away, folder);
    expect(await countAt(file)).toBe(its.code === 'SIGKILL' ? 0 : 20);
  },
  60_000,
);

test('a folder that is removed under a gateway stays removed', async () => {
  const { folder, file } = await place();
  const gateway = await processAt(file);
  expect((await gateway.create()).status).toBe(201);
  rmSync(folder, { recursive: true });
  await sleep(2_500);
  expect([(await gateway.create()).status, existsSync(folder)]).toEqual([503, false]);
  await stop(gateway);
  expect(readdirSync(join(folder, '..'))).toEqual([]);
}, 60_000);
