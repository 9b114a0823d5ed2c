/** A database file that is removed, moved or replaced under a running gateway is noticed before anything is acknowledged. */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { records } from '../commands/records.js';
import { freshFolder } from '../support/database.js';

import { gatewayAt, type Place, path, place, readiness } from './placed.js';

/** What is done, and what undoes it. */
const ways: Record<string, [does: (place: Place) => void, undoes?: (place: Place) => void]> = {
  'the file is moved': [({ file }) => renameSync(file, `${file}.away`), ({ file }) => renameSync(`${file}.away`, file)],
  'the file is moved and a link put in its place': [
    ({ file }) => {
      renameSync(file, `${file}.away`);
      symlinkSync(`${file}.away`, file);
    },
    ({ file }) => {
      rmSync(file);
      renameSync(`${file}.away`, file);
    },
  ],
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
  'its log and the index of it are replaced by older ones': [
    ({ file }) => {
      for (const ending of ['-wal', '-shm']) {
        copyFileSync(file + ending, `${file}.copy${ending}`);
        renameSync(`${file}.copy${ending}`, file + ending);
      }
    },
  ],
  'its log is removed': [({ file }) => rmSync(`${file}-wal`)],
  'the index of its log is removed': [({ file }) => rmSync(`${file}-shm`)],
};

test.each(Object.entries(ways))('if %s, writes are refused and reads go on', async (way, [does, undoes]) => {
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
  // A longer one is read by a process of its own, which does not open another file.
  const sought = await gateway.graphql('{ uomCategories(where: {categoryName: {contains: "e"}}) { totalCount } }');
  expect(sought.body.data?.uomCategories?.totalCount ?? 1).toBe(1);
  // What would be opened beside some of the files of this one is marked.
  expect(existsSync(`${its.file}-lost`)).toBe(!undoes);
  if (way.startsWith('its log and the index')) {
    const { code } = await records(['keys', 'create', 'a', '--scopes', '*'], { DATABASE_URL: `file:${its.file}` });
    expect(code).not.toBe(0);
  }
  expect(await names()).toEqual(['before']);
  if (!undoes) return;
  undoes(its);
  expect((await create('after')).status).toBe(201);
  expect(await readiness(gateway)).toBe(200);
  expect(await names()).toEqual(['after', 'before']);
});

test('a gateway goes on if only the time of its file is set, and if it may not look at its files for a while', async () => {
  const { file, folder } = await place();
  const gateway = await gatewayAt(`file:${file}`);
  const create = async () => (await gateway.rest('POST', path, { category_name: 'a' })).status;
  expect(await create()).toBe(201);
  for (const time of [new Date(), new Date(0), new Date('2040-01-01')]) {
    utimesSync(file, time, time);
    expect([await create(), await readiness(gateway)]).toEqual([201, 200]);
  }
  // A folder in the place of another cannot be looked into, whoever runs this.
  renameSync(folder, `${folder}.away`);
  symlinkSync(folder, folder);
  expect([await create(), await readiness(gateway)]).toEqual([503, 503]);
  rmSync(folder);
  renameSync(`${folder}.away`, folder);
  expect([await create(), await readiness(gateway)]).toEqual([201, 200]);
});

test('a gateway goes on if it may not remove the mark of its lost file, when the file is back', async () => {
  const { file } = await place();
  const gateway = await gatewayAt(`file:${file}`);
  const create = async () => (await gateway.rest('POST', path, { category_name: 'a' })).status;
  mkdirSync(`${file}-lost`);
  renameSync(`${file}-wal`, `${file}-wal.away`);
  expect(await create()).toBe(503);
  renameSync(`${file}-wal.away`, `${file}-wal`);
  expect([await create(), await readiness(gateway), await create()]).toEqual([201, 200, 201]);
  rmSync(`${file}-lost`, { recursive: true });
});

test('nobody opens a link to a file that was moved without its log', async () => {
  const { file } = await place();
  const gateway = await gatewayAt(`file:${file}`);
  expect((await gateway.rest('POST', path, { category_name: 'a' })).status).toBe(201);
  ways['the file is moved and a link put in its place']?.[0]({ file, above: '', folder: '' });
  for (const command of [['check'], ['keys', 'create', 'a', '--scopes', '*'], ['serve']]) {
    const { code, problem } = await records(command, { DATABASE_URL: `file:${file}` });
    expect([code, problem]).toEqual([
      expect.any(Number),
      expect.stringContaining(`${file}-wal holds what was written last`),
    ]);
    expect(code).not.toBe(0);
  }
  ways['the file is moved and a link put in its place']?.[1]?.({ file, above: '', folder: '' });
  expect((await gateway.rest('POST', path, { category_name: 'a' })).status).toBe(201);
});

test('where the file is gone and its log is there, nobody makes a new database', async () => {
  const { file, above } = await place();
  const gateway = await gatewayAt(`file:${file}`);
  const create = () => gateway.rest('POST', path, { category_name: 'a' });
  expect((await create()).status).toBe(201);
  const backup = join(above, 'backup.db');
  const environment = { DATABASE_URL: `file:${file}` };
  expect(await records(['backup', backup], environment)).toMatchObject({ code: 0 });
  expect((await create()).status).toBe(201);
  renameSync(file, `${file}.away`);
  for (const command of [['serve'], ['migrate', 'apply'], ['restore', backup, '--replace'], ['restore', backup]]) {
    const { code, problem } = await records(command, environment);
    expect([code === 0, problem]).toEqual([false, expect.stringContaining(`${file}-wal holds what was written last`)]);
  }
  renameSync(`${file}.away`, file);
  expect((await create()).status).toBe(201);
  expect((await gateway.rest('GET', path)).body.total).toBe(3);
});

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
  // Each has its own log.
  expect([one, other].map(({ file }) => existsSync(`${file}-lost`))).toEqual([false, false]);
});

test('a file that has taken the place of the database is marked also by a gateway that notices it only at its end', async () => {
  const { file } = await place();
  const gateway = await gatewayAt(`file:${file}`);
  expect((await gateway.rest('POST', path, { category_name: 'a' })).status).toBe(201);
  ways['another file is moved over it']?.[0]({ file, above: '', folder: '' });
  await gateway.close();
  const { code, problem } = await records(['check'], { DATABASE_URL: `file:${file}` });
  expect([code === 0, problem]).toEqual([false, expect.stringContaining(`remove ${file}-lost`)]);
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
