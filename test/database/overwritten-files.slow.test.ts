/** As in placed-files.test.ts: what needs processes of their own, for files that are overwritten and workers that end. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { LogIndex } from '../../src/database/sqlite/placed-files.js';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js';
import { retryWhileBusy } from '../../src/database/sqlite/sqlite-errors.js';
import { records } from '../commands/records.js';
import { freshFolder } from '../support/database.js';
import { runningProcesses } from '../support/running-processes.js';

import { gatewayAt, openFiles, type Place, path, place, processAt } from './placed.js';

/** What another program writes where the file is. */
const overwritings: Record<string, (place: Place) => void | Promise<void>> = {
  'the file is emptied': ({ file }) => truncateSync(file),
  'the file is cut in half': ({ file }) => truncateSync(file, statSync(file).size / 2),
  'a backup is copied over the file': async ({ file, above }) => {
    // Otherwise all that was written is in the log, and the file is still what its backup is.
    const other = new SqliteConnection(file);
    const index = new LogIndex(`${file}-shm`);
    for (let before = ''; before !== index.read().checkpoints; ) {
      other.script('PRAGMA wal_checkpoint(PASSIVE)');
      before = index.read().checkpoints;
      // Every process looks once a second; what is written meanwhile begins the log anew, as after a checkpoint.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
    other.close();
    execFileSync('cp', [join(above, 'backup.db'), file]);
  },
  'a byte of the file is changed': ({ file }) => {
    const fd = openSync(file, 'r+');
    writeSync(fd, 'x', 5_000);
    closeSync(fd);
  },
  'its log is emptied': ({ file }) => truncateSync(`${file}-wal`),
  'its log is cut in half': ({ file }) => truncateSync(`${file}-wal`, statSync(`${file}-wal`).size / 2),
};

// In a process of its own: what the test itself closes would release the locks of a gateway in the process of the test.
test.each(Object.entries(overwritings))(
  'if %s, nothing is read or written any more',
  async (_way, overwrites) => {
    const its = await place();
    copyFileSync(its.file, join(its.above, 'backup.db'));
    const { gateway, address, ask, create } = await processAt(its.file);
    for (let n = 0; n < 10; n++) expect((await create()).status).toBe(201);
    await overwrites(its);
    const refusal = async () => {
      const refused = await create();
      return [refused.status, refused.headers.get('retry-after'), await refused.text()];
    };
    const refused = [
      503,
      '60',
      expect.stringContaining('truncated or overwritten by another program, so nothing is read or'),
    ];
    // Nothing is acknowledged before.
    await expect
      .poll(async () => {
        const found = await refusal();
        expect(found[0]).toBe(503);
        return found;
      })
      .toEqual(refused);
    // Every worker looks once a second.
    const readings = async () => Promise.all(Array.from({ length: 4 }, async () => (await ask()).status));
    await expect.poll(readings, { timeout: 10_000 }).toEqual([503, 503, 503, 503]);
    await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 10_000 }).toBe(503);
    expect(gateway.log()).toContain('Stop the gateway and restore a backup');

    // A worker that takes the place of one that ended does not take what it finds for the right file.
    const [worker] = runningProcesses().filter(({ parent }) => parent === gateway.child.pid);
    process.kill(worker?.pid ?? 0, 'SIGKILL');
    await expect.poll(() => gateway.log(), { timeout: 20_000 }).toMatch(/A worker has ended[\s\S]*A worker has ended/);
    for (let n = 0; n < 8; n++) expect((await ask()).status).toBe(503);
  },
  60_000,
);

const foreign: Record<string, (place: Place) => void> = {
  'an older copy is copied over it': ({ file, above }) => execFileSync('cp', [join(above, 'backup.db'), file]),
  'it is emptied': ({ file }) => truncateSync(file),
  'another file takes its place': ({ file, above }) => {
    copyFileSync(join(above, 'backup.db'), `${file}.new`);
    renameSync(`${file}.new`, file);
  },
  'it is removed': ({ file }) => rmSync(file),
};

test.each(Object.entries(foreign).flatMap(([way, overwrites]) => ['1', '2'].map((n) => ({ way, n, overwrites }))))(
  'a gateway of $n that is stopped after its file was lost, because $way, leaves the log as it is',
  async ({ n, overwrites }) => {
    const its = await place();
    const { file, above } = its;
    const { gateway, create } = await processAt(file, n);
    // The log is begun anew after a checkpoint, which each worker makes when it starts.
    copyFileSync(file, join(above, 'backup.db'));
    for (let made = 0; made < 20; made++) expect((await create()).status).toBe(201);
    // So that the file is another one than the copy, as a file that is worth a copy is.
    utimesSync(join(above, 'backup.db'), 1, 1);
    overwrites(its);
    if (existsSync(file)) appendFileSync(file, Buffer.alloc(4096));
    await expect.poll(async () => (await create()).status, { timeout: 10_000 }).toBe(503);
    const left = () => ['', '-wal'].map((ending) => existsSync(file + ending) && readFileSync(file + ending));
    const before = left();
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toBe(1);
    expect(left()).toEqual(before);

    // As docs/operations.md says: the log belongs to a copy of the file that was made since the log began.
    const saved = join(freshFolder(), 'saved.db');
    execFileSync('cp', [join(above, 'backup.db'), saved]);
    execFileSync('cp', [`${file}-wal`, `${saved}-wal`]);
    expect(await records(['check'], { DATABASE_URL: `file:${saved}` })).toMatchObject({ code: 0 });
    const again = await gatewayAt(`file:${saved}`);
    expect((await again.rest('GET', path)).body.total).toBe(20);
  },
  60_000,
);

test.each([0, 0.5])(
  'a gateway of one process goes on, and says what happened, if its log is cut to %s',
  async (share) => {
    const its = await place();
    const { gateway, address, create } = await processAt(its.file, '1');
    for (let n = 0; n < 5; n++) expect((await create()).status).toBe(201);
    truncateSync(`${its.file}-wal`, statSync(`${its.file}-wal`).size * share);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect([(await create()).status, (await fetch(`${address}/readyz`)).status]).toEqual([503, 503]);
    expect(gateway.log()).toContain('truncated or overwritten by another program');
    expect(gateway.log()).not.toContain('"level":"fatal"');
  },
);

test('an older copy over the file is noticed also in the same moment as a checkpoint', async () => {
  const { file, above } = await place();
  const backup = join(above, 'backup.db');
  copyFileSync(file, backup);
  const { create } = await processAt(file, '1');
  const other = new SqliteConnection(file);
  onTestFinished(() => other.close());
  const checkpoint = () => retryWhileBusy(() => other.script('PRAGMA wal_checkpoint(PASSIVE)'), 10_000);
  // So many that the file grows, which its counter counts.
  for (let n = 0; n < 60; n++) expect((await create('a'.repeat(900))).status).toBe(201);
  await checkpoint();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await create()).status).toBe(201);
  await checkpoint();
  execFileSync('cp', [backup, file]);
  await expect.poll(async () => (await create()).status, { timeout: 5_000 }).toBe(503);
}, 60_000);

test('checkpoints, a VACUUM and shortened logs, of this and of other processes, are no overwriting', async () => {
  const { file } = await place();
  const { address, create } = await processAt(file);
  const createLarge = async () => (await create('a'.repeat(3_000))).status;
  const other = new SqliteConnection(file);
  onTestFinished(() => other.close());
  const maintenance = [
    'PRAGMA wal_checkpoint(PASSIVE)',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'VACUUM',
    'PRAGMA wal_checkpoint(RESTART)',
  ];
  for (let round = 0; round < 12; round++) {
    const answers = Promise.all(Array.from({ length: 40 }, createLarge));
    for (const each of maintenance) await retryWhileBusy(() => other.script(each), 10_000);
    expect(new Set(await answers)).toEqual(new Set([201]));
  }
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
}, 60_000);

test.runIf(process.platform === 'linux').each([
  ['log', ['-wal']],
  ['log and its index', ['-wal', '-shm']],
])(
  'if the %s was removed, a worker that takes the place of one that ended makes no new one',
  async (_which, endings) => {
    const { file } = await place();
    const { gateway, create } = await processAt(file);
    for (let n = 0; n < 20; n++) expect((await create()).status).toBe(201);
    for (const ending of endings) rmSync(`${file}${ending}`);
    const [worker = 0] = runningProcesses().flatMap(({ pid, parent }) => (parent === gateway.child.pid ? [pid] : []));
    process.kill(worker, 'SIGKILL');
    await expect.poll(() => gateway.log(), { timeout: 30_000 }).toContain(`The database file ${file}-wal is gone`);
    expect(endings.filter((ending) => existsSync(`${file}${ending}`))).toEqual([]);
    gateway.child.kill('SIGTERM');
    await gateway.ended;
    const again = await gatewayAt(`file:${file}`);
    expect((await again.rest('GET', path)).body.total).toBe(20);
    expect(await records(['check'], { DATABASE_URL: `file:${file}` })).toMatchObject({ code: 0 });
  },
  60_000,
);

test.runIf(process.platform === 'linux')(
  'everything that was acknowledged is in the open files of a gateway whose file was removed, with two workers too',
  async () => {
    const { folder, file } = await place();
    const { gateway, create } = await processAt(file);
    for (let n = 0; n < 40; n++) expect((await create()).status).toBe(201);
    rmSync(folder, { recursive: true });
    for (let n = 0; n < 8; n++) expect((await create()).status).toBe(503);

    // As docs/operations.md says.
    const saved = join(freshFolder(), 'records.db');
    const workers = runningProcesses().flatMap(({ pid, parent }) => (parent === gateway.child.pid ? [pid] : []));
    for (const ending of ['', '-wal']) {
      const [open = ''] = workers.flatMap((pid) => openFiles(pid, `${file}${ending} (deleted)`));
      copyFileSync(open, `${saved}${ending}`);
    }
    const again = await gatewayAt(`file:${saved}`);
    expect((await again.rest('GET', path)).body.total).toBe(40);
    expect(await records(['check'], { DATABASE_URL: `file:${saved}` })).toMatchObject({ code: 0 });

    // A worker that takes the place of one that ended makes no new database.
    const [worker = 0] = workers.filter((pid) => openFiles(pid, `${file} (deleted)`).length > 0);
    process.kill(worker, 'SIGKILL');
    await expect.poll(() => gateway.log(), { timeout: 30_000 }).toContain(`The database file ${file} is gone`);
    expect(existsSync(folder)).toBe(false);
  },
  60_000,
);

/** Requests on connections of their own, so that each worker is met. */
const statusesOf = async (create: () => Promise<Response>): Promise<number[]> => {
  const found = new Set<number>();
  for (let n = 0; n < 12; n++) found.add((await create()).status);
  return [...found];
};

const otherFiles = {
  'another file has taken the place of the database': { endings: [''] },
  'other files have taken the places of all': {
    endings: ['', '-wal', '-shm'],
    says: 'not the one that others have open',
  },
};

test.each(
  Object.entries(otherFiles).flatMap(([way, how]) =>
    (['SIGKILL', 'SIGUSR2'] as const).map((signal) => ({ way, signal, ...how })),
  ),
)(
  'a worker that starts after $signal, when $way, does not open it',
  async ({ signal, endings }) => {
    const { file, above } = await place();
    const older = join(above, 'older.db');
    for (const ending of ['', '-wal', '-shm']) writeFileSync(older + ending, ending === '' ? readFileSync(file) : '');
    const { gateway, create } = await processAt(file);
    for (let n = 0; n < 40; n++) expect((await create()).status).toBe(201);
    const [worker] = runningProcesses().filter(({ parent }) => parent === gateway.child.pid);
    const before = readFileSync(older);
    for (const ending of endings) renameSync(older + ending, file + ending);
    await expect.poll(() => statusesOf(create), { timeout: 10_000 }).toEqual([503]);

    process.kill(signal === 'SIGKILL' ? (worker?.pid ?? 0) : (gateway.child.pid ?? 0), signal);
    await expect.poll(() => gateway.log(), { timeout: 20_000 }).toContain('not the one that others have open');
    expect(await statusesOf(create)).toEqual([503]);
    expect(readFileSync(file)).toEqual(before);
  },
  60_000,
);

test.each([
  ...Object.entries(overwritings).slice(2, 4),
  ['another file takes its place', foreign['another file takes its place']] as const,
])(
  'a gateway that is killed after %s is not started on it again, and no command opens it: the log stays',
  async (_way, overwrites) => {
    const its = await place();
    const { file, above } = its;
    copyFileSync(file, join(above, 'backup.db'));
    const { gateway, create } = await processAt(file, '1');
    for (let n = 0; n < 20; n++) expect((await create()).status).toBe(201);
    const copy = join(above, 'copy.db');
    copyFileSync(file, copy);
    await overwrites?.(its);
    await expect.poll(async () => (await create()).status, { timeout: 10_000 }).toBe(503);
    gateway.child.kill('SIGKILL');
    await gateway.ended;
    const left = () => ['', '-wal'].map((ending) => readFileSync(file + ending));
    const before = left();

    const env = { DATABASE_URL: `file:${file}` };
    for (const command of [
      ['serve'],
      ['check'],
      ['keys', 'list'],
      ['keys', 'create', 'a', '--scopes', '*'],
      ['seed', '--add'],
    ]) {
      const { code, problem } = await records(command, env);
      expect([command, code === 0, problem]).toEqual([command, false, expect.stringContaining(`remove ${file}-lost`)]);
    }
    expect(left()).toEqual(before);

    // A restore puts a database there that is opened again.
    const backup = join(above, 'saved.db');
    expect(await records(['backup', backup], { DATABASE_URL: `file:${copy}` })).toMatchObject({ code: 0 });
    // Who marked it may still run: a mark that was made just now says so.
    utimesSync(`${file}-lost`, Date.now() / 1000, Date.now() / 1000);
    const early = await records(['restore', backup, '--replace'], env);
    expect(early).toMatchObject({ code: 1, problem: expect.stringContaining('is in use. Stop the gateway') });
    utimesSync(`${file}-lost`, 1, 1);
    expect(await records(['restore', backup, '--replace'], env)).toMatchObject({ code: 0 });
    expect(await records(['check'], env)).toMatchObject({ code: 0 });
  },
  60_000,
);
