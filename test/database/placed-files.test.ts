/** A database file that is removed, moved or replaced under a running gateway is noticed before anything is acknowledged. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { retryWhileBusy } from '../../src/database/sqlite/busy.js';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js';
import { records } from '../commands/records.js';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { startProcess } from '../support/process.js';
import { runningProcesses } from '../support/running-processes.js';

const path = '/api/stock/u-o-m-category';

async function gatewayAt(databaseUrl: string): Promise<TestGateway> {
  const gateway = await startGateway({ env: { DATABASE_URL: databaseUrl } });
  onTestFinished(() => gateway.close().catch(() => undefined));
  return gateway;
}

/** A database in a folder of its own within another one. */
async function place() {
  const above = freshFolder();
  const folder = join(above, 'data');
  mkdirSync(folder);
  const file = join(folder, 'records.db');
  copyFileSync((await freshDatabaseUrl('sqlite')).slice('file:'.length), file);
  return { above, folder, file };
}

async function readiness(gateway: TestGateway): Promise<number> {
  // One answer is good for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  return (await gateway.rest('GET', '/readyz')).status;
}

/** The open files of a process by this name. */
function openFiles(pid: number, name: string): string[] {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((number) => `/proc/${pid}/fd/${number}`);
    return links.filter((link) => existsSync(link) && readlinkSync(link) === name);
  } catch {
    return []; // It has ended meanwhile.
  }
}

type Place = Awaited<ReturnType<typeof place>>;

/** What is done, and what undoes it. */
const ways: Record<string, [does: (place: Place) => void, undoes?: (place: Place) => void]> = {
  'the file is moved': [({ file }) => renameSync(file, `${file}.away`), ({ file }) => renameSync(`${file}.away`, file)],
  'its folder is moved': [
    ({ folder, above }) => renameSync(folder, join(above, 'other')),
    ({ folder, above }) => renameSync(join(above, 'other'), folder),
  ],
  'another file is moved over it': [
    ({ file }) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
  'its log is removed': [({ file }) => rmSync(`${file}-wal`)],
  'the index of its log is removed': [({ file }) => rmSync(`${file}-shm`)],
};

test.each(Object.entries(ways))('if %s, writes are refused and reads go on', async (_way, [does, undoes]) => {
  const its = await place();
  const gateway = await gatewayAt(`file:${its.file}`);
  const create = (name: string) => gateway.rest('POST', path, { category_name: name });
  expect((await create('before')).status).toBe(201);
  expect(await readiness(gateway)).toBe(200);
  does(its);
  for (const write of [
    create('lost'),
    gateway.graphql('mutation { createUOMCategory(input: {categoryName: "lost"}) { record { id } } }'),
  ]) {
    const { status, body } = await write;
    expect(JSON.stringify(body)).toContain('Its file was removed, moved or replaced, so nothing is written.');
    expect(JSON.stringify(body)).not.toContain('Try again');
    expect(JSON.stringify(body)).toContain('database_unavailable');
    expect([200, 503]).toContain(status);
  }
  expect(await readiness(gateway)).toBe(503);
  const names = async () =>
    (await gateway.rest('GET', path)).body.data.map((each: { category_name: string }) => each.category_name);
  expect(await names()).toEqual(['before']);
  if (!undoes) return;
  undoes(its);
  expect((await create('after')).status).toBe(201);
  expect(await readiness(gateway)).toBe(200);
  expect(await names()).toEqual(['after', 'before']);
});

/** What another program writes where the file is. */
const overwritings: Record<string, (place: Place) => void> = {
  'the file is emptied': ({ file }) => truncateSync(file),
  'the file is cut in half': ({ file }) => truncateSync(file, statSync(file).size / 2),
  'a backup is copied over the file': ({ file, above }) => {
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
test.each(Object.entries(overwritings))('if %s, nothing is read or written any more', async (_way, overwrites) => {
  const its = await place();
  copyFileSync(its.file, join(its.above, 'backup.db'));
  const gateway = startProcess({
    DATABASE_URL: `file:${its.file}`,
    API_KEY: 'brg_of_this_test_only_00000',
    WORKERS: '2',
  });
  onTestFinished(() => void gateway.child.kill('SIGKILL'));
  const address = await gateway.ready();
  const headers = { authorization: 'Bearer brg_of_this_test_only_00000', 'content-type': 'application/json' };
  const ask = (init: RequestInit = {}) => fetch(`${address}${path}`, { headers, ...init });
  const create = () => ask({ method: 'POST', body: '{"category_name":"a"}' });
  for (let n = 0; n < 10; n++) expect((await create()).status).toBe(201);
  overwrites(its);
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
});

test('checkpoints, a VACUUM and shortened logs, of this and of other processes, are no overwriting', async () => {
  const { file } = await place();
  const gateway = await startProcess({
    DATABASE_URL: `file:${file}`,
    API_KEY: 'brg_of_this_test_only_00000',
    WORKERS: '2',
  });
  onTestFinished(() => void gateway.child.kill('SIGKILL'));
  const address = await gateway.ready();
  const headers = { authorization: 'Bearer brg_of_this_test_only_00000', 'content-type': 'application/json' };
  const create = async () =>
    (
      await fetch(`${address}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ category_name: 'a'.repeat(3_000) }),
      })
    ).status;
  const other = new SqliteConnection(file);
  onTestFinished(() => other.close());
  const maintenance = [
    'PRAGMA wal_checkpoint(PASSIVE)',
    'PRAGMA wal_checkpoint(TRUNCATE)',
    'VACUUM',
    'PRAGMA wal_checkpoint(RESTART)',
  ];
  for (let round = 0; round < 12; round++) {
    const answers = Promise.all(Array.from({ length: 40 }, create));
    for (const each of maintenance) await retryWhileBusy(() => other.script(each), 10_000);
    expect(new Set(await answers)).toEqual(new Set([201]));
  }
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
}, 60_000);

test('a link to the database may be set anew only before the next start', async () => {
  const [one, other] = [await place(), await place()];
  const link = join(freshFolder(), 'link.db');
  symlinkSync(one.file, link);
  const gateway = await gatewayAt(`file:${link}`);
  const create = () => gateway.rest('POST', path, { category_name: 'a' });
  expect((await create()).status).toBe(201);
  rmSync(link);
  symlinkSync(other.file, link);
  expect((await create()).status).toBe(503);
});

test.each([
  ['log', '-wal'],
  ['index of the log', '-shm'],
])('if the %s was removed, a stop saves everything that was acknowledged', async (_which, ending) => {
  const { file } = await place();
  const gateway = await gatewayAt(`file:${file}`);
  for (let n = 0; n < 20; n++) expect((await gateway.rest('POST', path, { category_name: 'a' })).status).toBe(201);
  rmSync(`${file}${ending}`);
  expect((await gateway.rest('POST', path, { category_name: 'a' })).status).toBe(503);
  await gateway.close();
  const again = await gatewayAt(`file:${file}`);
  expect((await again.rest('GET', path)).body.total).toBe(20);
  expect(await records(['check'], { DATABASE_URL: `file:${file}` })).toMatchObject({ code: 0 });
});

test.runIf(process.platform === 'linux').each([
  ['log', ['-wal']],
  ['log and its index', ['-wal', '-shm']],
])(
  'if the %s was removed, a worker that takes the place of one that ended makes no new one',
  async (_which, endings) => {
    const { file } = await place();
    const gateway = startProcess({
      DATABASE_URL: `file:${file}`,
      API_KEY: 'brg_of_this_test_only_00000',
      WORKERS: '2',
    });
    onTestFinished(() => void gateway.child.kill('SIGKILL'));
    const address = await gateway.ready();
    await expect.poll(() => gateway.log().match(/A worker serves/g), { timeout: 30_000 }).toHaveLength(2);
    const headers = { authorization: 'Bearer brg_of_this_test_only_00000', 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"category_name":"a"}' };
    for (let n = 0; n < 20; n++) expect((await fetch(`${address}${path}`, init)).status).toBe(201);
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
    const gateway = startProcess({
      DATABASE_URL: `file:${file}`,
      API_KEY: 'brg_of_this_test_only_00000',
      WORKERS: '2',
    });
    onTestFinished(() => void gateway.child.kill('SIGKILL'));
    const address = await gateway.ready();
    const create = async () => {
      const headers = { authorization: 'Bearer brg_of_this_test_only_00000', 'content-type': 'application/json' };
      return (await fetch(`${address}${path}`, { method: 'POST', headers, body: '{"category_name":"a"}' })).status;
    };
    for (let n = 0; n < 40; n++) expect(await create()).toBe(201);
    rmSync(folder, { recursive: true });
    for (let n = 0; n < 8; n++) expect(await create()).toBe(503);

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
