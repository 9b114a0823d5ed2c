/** `records backup` and `records restore`. */
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { shownFailure } from '../../../src/cli/command.js';
import { holdFolder } from '../../../src/database/held-folder.js';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { startRecords } from '../../support/process.js';
import { Sqlite } from '../../support/sqlite-library.js';

let gateway: TestGateway;
let url: string;
beforeAll(async () => {
  gateway = await startGateway({});
  url = gateway.config.databaseUrl;
});
afterAll(() => gateway.close());

async function create(asset: string): Promise<string> {
  const { status, body } = await gateway.rest('POST', '/api/assets/asset-repair', {
    asset,
    failure_date: '2026-11-20',
  });
  expect(status).toBe(201);
  return body.id;
}

test('a backup under load holds every write that was acknowledged before, and is restored elsewhere', async () => {
  const acknowledged = await Promise.all(Array.from({ length: 200 }, (_, n) => create(`before ${n}`)));
  let isDone = false;
  let during = 0;
  const load = Promise.all(
    [1, 2, 3].map(async () => {
      while (!isDone) {
        await create('during');
        during++;
      }
    }),
  );
  const file = join(freshFolder(), 'copy.db');
  const backup = startRecords({ DATABASE_URL: url }, ['backup', file, '--json']);
  const code = await backup.ended;
  isDone = true;
  await load;
  expect(code, backup.log()).toBe(0);
  expect(during).toBeGreaterThan(0);
  const made = JSON.parse(backup.output());
  expect(made).toMatchObject({ file, bytes: statSync(file).size, problems: [] });
  expect(readFileSync(`${file}.sha256`, 'utf8')).toBe(`${made.digest}  copy.db\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, '..')).sort()).toEqual(['copy.db', 'copy.db.sha256']);

  const elsewhere = join(freshFolder(), 'data', 'records.db');
  const restore = startRecords({ DATABASE_URL: `file:${elsewhere}` }, ['restore', file]);
  expect(await restore.ended, restore.log()).toBe(0);
  expect(statSync(elsewhere).mode & 0o777).toBe(0o600);
  expect(await records(['check'], { DATABASE_URL: `file:${elsewhere}` })).toMatchObject({ code: 0 });
  const database = new Sqlite(elsewhere, { readonly: true });
  const there = new Set(database.prepare('SELECT "id" FROM "AssetRepair"').pluck().all());
  database.close();
  expect(acknowledged.filter((id) => !there.has(id))).toEqual([]);

  const again = await startGateway({ env: { DATABASE_URL: `file:${elsewhere}` } });
  expect((await again.rest('GET', `/api/assets/asset-repair/${acknowledged[0]}`)).status).toBe(200);
  expect((await again.rest('POST', '/api/assets/asset-repair', { asset: 'x', failure_date: 'y' })).status).toBe(201);
  await again.close();
});

test('a backup with a flipped bit is refused, wherever it is, and nothing changes', async () => {
  const file = join(freshFolder(), 'copy.db');
  expect((await records(['backup', file], { DATABASE_URL: url })).code).toBe(0);
  const bytes = readFileSync(file);
  for (const place of [0, 20, 5000, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const damaged = join(freshFolder(), 'copy.db');
    const flipped = Buffer.from(bytes);
    flipped[place] = (bytes[place] ?? 0) ^ 4;
    writeFileSync(damaged, flipped);
    copyFileSync(`${file}.sha256`, `${damaged}.sha256`);
    const target = freshFolder();
    const refused = await records(['restore', damaged], { DATABASE_URL: `file:${join(target, 'records.db')}` });
    expect(refused.problem).toMatch(/^error: .* has changed since it was made/);
    expect(refused.code).toBe(1);
    expect(readdirSync(target)).toEqual([]);
  }
});

test('a file without its digest is refused unless the digest is given', async () => {
  const file = join(freshFolder(), 'copy.db');
  const { digest } = JSON.parse((await records(['backup', file, '--json'], { DATABASE_URL: url })).text);
  const alone = join(freshFolder(), 'copy.db');
  copyFileSync(file, alone);
  const environment = { DATABASE_URL: `file:${join(freshFolder(), 'records.db')}` };
  expect((await records(['restore', alone], environment)).problem).toMatch(/sha256 is missing.*or give its --digest/);
  expect((await records(['restore', alone, '--digest', '0'.repeat(64)], environment)).code).toBe(1);
  expect(await records(['restore', alone, '--digest', digest], environment)).toMatchObject({ code: 0 });
});

test('a database in use or not to be replaced stays; one that is replaced is moved aside', async () => {
  const file = join(freshFolder(), 'copy.db');
  await records(['backup', file], { DATABASE_URL: url });
  const refused = await records(['restore', file], { DATABASE_URL: url });
  expect(refused).toMatchObject({ code: 1, problem: expect.stringMatching(/There is a database at .*--replace/) });
  const inUse = await records(['restore', file, '--replace'], { DATABASE_URL: url });
  expect(inUse).toMatchObject({ code: 1, problem: expect.stringMatching(/is in use\. Stop the gateway/) });
  await create('still written');

  const other = await freshDatabaseUrl('sqlite');
  const done = await records(['restore', file, '--replace', '--json'], { DATABASE_URL: other });
  expect(done.code, done.problem).toBe(0);
  expect(existsSync(JSON.parse(done.text).replaced)).toBe(true);
  expect(await records(['check'], { DATABASE_URL: other })).toMatchObject({ code: 0 });
});

test('a damaged database makes no backup, and what is there is not overwritten', async () => {
  const damaged = join(freshFolder(), 'records.db');
  const file = join(freshFolder(), 'copy.db');
  await records(['backup', file], { DATABASE_URL: url });
  const bytes = readFileSync(file);
  bytes.fill(0xff, 4096 * 3, 4096 * 3 + 200);
  writeFileSync(damaged, bytes);
  const target = freshFolder();
  const refused = await records(['backup', join(target, 'copy.db')], { DATABASE_URL: `file:${damaged}` });
  expect(refused.code).toBe(1);
  expect(readdirSync(target)).toEqual([]);
  expect((await records(['backup', file], { DATABASE_URL: url })).problem).toMatch(/exists\. Give another name/);
  expect((await records(['backup', '/nowhere/copy.db'], { DATABASE_URL: url })).problem).toMatch(
    /^error: \/nowhere\/copy\.db cannot be written \(ENOENT\)/,
  );
  const folder = join(freshFolder(), 'copy.db');
  mkdirSync(folder);
  expect((await records(['restore', folder], { DATABASE_URL: `file:${target}/r.db` })).code).toBe(1);
});

test('for PostgreSQL both name its own tools', async () => {
  const DATABASE_URL = 'postgresql://u:secret@db.example/records';
  for (const [command, tool] of [
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ] as const) {
    const { code, problem } = await records([command, 'file'], { DATABASE_URL });
    expect(code).toBe(1);
    expect(problem).toMatch(new RegExp(`${tool}[\\s\\S]*records check`));
    expect(problem).not.toContain('secret');
  }
});

test('a folder may have any name', async () => {
  const folder = join(freshFolder(), 'a?b #c%20d');
  mkdirSync(folder);
  const file = join(folder, 'copy.db');
  expect(await records(['backup', file], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  const restored = { DATABASE_URL: pathToFileURL(join(folder, 'r.db')).href };
  expect(await records(['restore', file], restored)).toMatchObject({ code: 0 });
  expect(existsSync(join(folder, 'r.db'))).toBe(true);
});

test.each([
  ['cut in half', (file: string) => truncateSync(file, statSync(file).size / 2)],
  ['no database', (file: string) => writeFileSync(file, 'Dear customer, '.repeat(1_000))],
])('a backup replaces a file that is %s', async (_how, damage) => {
  const folder = freshFolder();
  const [file, backup] = [join(folder, 'records.db'), join(folder, 'backup.db')];
  expect(await records(['backup', backup], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  copyFileSync(backup, file);
  damage(file);
  const restored = await records(['restore', backup, '--replace'], { DATABASE_URL: `file:${file}` });
  expect(restored).toMatchObject({ code: 0, problem: '', text: expect.stringContaining('What was there is now') });
  expect(await records(['check'], { DATABASE_URL: `file:${file}` })).toMatchObject({ code: 0 });
});

test('a backup replaces a file that was emptied, and keeps its log', async () => {
  const folder = freshFolder();
  const [file, backup] = [join(folder, 'records.db'), join(folder, 'backup.db')];
  expect(await records(['backup', backup], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  writeFileSync(file, '');
  writeFileSync(`${file}-wal`, 'what was written last');
  expect(await records(['restore', backup, '--replace'], { DATABASE_URL: `file:${file}` })).toMatchObject({ code: 0 });
  expect(await records(['check'], { DATABASE_URL: `file:${file}` })).toMatchObject({ code: 0 });
  const [kept = ''] = readdirSync(folder).filter((name) => /replaced-.*-wal$/.test(name));
  expect(readFileSync(join(folder, kept), 'utf8')).toBe('what was written last');
});

test('a folder of a process that was killed is removed, and one of a process that lives stays, whatever their ids', async () => {
  const folder = freshFolder();
  const backup = join(folder, 'backup.db');
  const holding = fork(join(import.meta.dirname, '../../commands/hold-folder.ts'), [join(folder, 'of-yesterday.db')], {
    execArgv: ['--import', 'tsx'],
  });
  const [killed] = await once(holding, 'message');
  const living = holdFolder(backup, 'partial');
  expect(readdirSync(folder)).toHaveLength(2);
  holding.kill('SIGKILL');
  await once(holding, 'exit');
  expect(await records(['backup', backup], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  expect(existsSync(String(killed))).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(['backup.db', basename(living.folder), 'backup.db.sha256']);
  living.leave();
  expect(readdirSync(folder).sort()).toEqual(['backup.db', 'backup.db.sha256']);
});

test('a restore to a disk that is full or read-only says so', async ({ skip }) => {
  const backup = join(freshFolder(), 'backup.db');
  expect(await records(['backup', backup], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  for (const [options, problem] of [
    ['size=256k', /There is no room for .*records\.db\. Make room\./],
    ['ro', /records\.db cannot be written \(EROFS\)\. Give a file in a folder that/],
  ] as const) {
    const folder = freshFolder();
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
    if (mounted.status !== 0) return skip('This user may not mount a file system here');
    onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
    const restored = await records(['restore', backup], { DATABASE_URL: `file:${join(folder, 'records.db')}` });
    expect(restored).toEqual({ code: 1, text: '', problem: expect.stringMatching(problem) });
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('what the system refuses to a command is one line', () => {
  for (const act of [() => mkdirSync('/dev/null/a'), () => new Sqlite('/dev/null/a').close()]) {
    const error = caught(act);
    expect(shownFailure(error)).toEqual({ code: 1, problems: [expect.stringMatching(/^[^\n]{20,200}$/)] });
  }
  expect(shownFailure(new Error('a fault')).problems[0]).toContain('backup.test.ts');
});

function caught(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('It was not refused');
}
