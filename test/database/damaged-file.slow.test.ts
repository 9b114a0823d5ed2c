/** A page of the database file that is damaged: the gateway goes on, and says what is wrong to whoever needs that page. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseProblem } from '../../src/database/database-problem.js';
import { openDatabase } from '../../src/database/open-database.js';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js';
import { records } from '../commands/records.js';
import { gatewayAt, place, processAt } from './placed.js';

const repairs = '/api/assets/asset-repair';
const pageBytes = 4096;

/** Fills the table of repairs, and overwrites the leaves of a tree but the last one, as a bad disk does. Returns a repair in the first leaf. */
async function damaged(tree: string): Promise<{ file: string; id: string }> {
  const { file } = await place();
  const gateway = await gatewayAt(`file:${file}`);
  const ids: string[] = [];
  for (let n = 0; n < 120; n++) {
    const repair = { asset: `LATHE-${n}`, failure_date: '2026-11-20', description: 'x'.repeat(900) };
    ids.push((await gateway.rest('POST', repairs, repair)).body.id);
  }
  await gateway.close();
  const connection = new SqliteConnection(file);
  connection.script('PRAGMA journal_mode = DELETE');
  const [[root] = []] = connection.rows('SELECT rootpage FROM sqlite_master WHERE name = ?', [tree]);
  connection.close();
  const page = readFileSync(file).subarray((Number(root) - 1) * pageBytes, Number(root) * pageBytes);
  const leaves = Array.from({ length: page.readUInt16BE(3) }, (_, cell) =>
    page.readUInt32BE(page.readUInt16BE(12 + 2 * cell)),
  );
  expect(leaves.length).toBeGreaterThan(0);
  const fd = openSync(file, 'r+');
  for (const leaf of leaves) writeSync(fd, Buffer.alloc(pageBytes, 'damaged'), 0, pageBytes, (leaf - 1) * pageBytes);
  closeSync(fd);
  return { file, id: ids[0] ?? '' };
}

test.each(['1', '2'])(
  '%s processes go on without the pages that are damaged',
  async (workers) => {
    const { file, id } = await damaged('AssetRepair');
    const { gateway, address, ask, create } = await processAt(file, workers);
    const headers = { authorization: 'Bearer brg_of_this_test_only_00000', 'content-type': 'application/json' };
    const send = async (path: string, method = 'GET', body?: object, key?: string) => {
      const init = {
        headers: { ...headers, ...(key && { 'idempotency-key': key }) },
        method,
        ...(body && { body: JSON.stringify(body) }),
      };
      const answer = await fetch(`${address}${path}`, init);
      return [answer.status, answer.headers.get('retry-after'), await answer.text()];
    };
    // In a reader process.
    const query = { query: '{ assetRepairs(where: { description: { contains: "y" } }) { nodes { description } } }' };
    const refused = [
      503,
      '60',
      expect.stringMatching(/The database is damaged where .* `records check`, and restores a/),
    ];
    const refusals = async () => {
      expect(await send(`${repairs}?limit=5`)).toEqual(refused);
      expect(await send(`${repairs}/${id}`, 'PATCH', { asset: 'LATHE' })).toEqual(refused);
      expect(await send(`${repairs}/${id}`, 'PATCH', { asset: 'LATHE' }, 'key of this test')).toEqual(refused);
      expect((await send('/graphql', 'POST', query))[2]).toContain(
        'The database is damaged where this request needs it',
      );
    };
    for (let round = 0; round < 10; round++) {
      const created = Array.from({ length: 5 }, async () => (await create()).status);
      await Promise.all([refusals(), refusals()]);
      expect(await Promise.all(created)).toEqual([201, 201, 201, 201, 201]);
      expect((await ask()).status).toBe(200);
    }
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toBe(0);
    // Each process says once what a read met, and once what a write met.
    const lines = gateway.log().split('\n');
    const causes = lines.filter((line) => /"err".*malformed/.test(line)).map((line) => JSON.parse(line));
    expect(new Set(causes.map(({ worker, err }) => `${worker} ${err.message}`)).size).toBe(causes.length);
    expect(lines.filter((line) => line.includes('"level":"error"'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
    const check = await records(['check'], { DATABASE_URL: `file:${file}` });
    expect([check.code, check.text]).toEqual([3, expect.stringMatching(/NO +the database is intact[\s\S]*page \d+/)]);
  },
  60_000,
);

/** A database in which the pages where these trees begin are overwritten. */
async function withoutRoots(...trees: string[]): Promise<string> {
  const { file } = await place();
  const database = await openDatabase({ url: `file:${file}`, migrate: true });
  const [now, client] = [new Date(), database.client];
  for (let n = 0; n < 30; n++) {
    await client.uOMCategory.create({ data: { id: `${n}`, categoryName: `${n}`, createdAt: now, updatedAt: now } });
  }
  await database.close();
  const connection = new SqliteConnection(file);
  connection.script('PRAGMA journal_mode = DELETE');
  const rootOf = (tree: string) => connection.rows('SELECT rootpage FROM sqlite_schema WHERE name = ?', [tree])[0]?.[0];
  const roots = trees.map((tree) => Number(rootOf(tree)));
  connection.close();
  const fd = openSync(file, 'r+');
  for (const root of roots) writeSync(fd, Buffer.alloc(pageBytes, 'damaged'), 0, pageBytes, (root - 1) * pageBytes);
  closeSync(fd);
  return file;
}

const [category, account, history] = ['UOMCategory', 'ProcessStatementOfAccounts', '_prisma_migrations'];
const indexOf = (table: string) => `sqlite_autoindex_${table}_1`;

test.each([
  [[category], [`The table ${category}, page `]],
  [[indexOf(category)], [`The index ${indexOf(category)} of ${category}, page `]],
  [
    [category, indexOf(account), history],
    [
      `The table ${category}, page `,
      `The index ${indexOf(account)} of ${account}, page `,
      `The table ${history}, page `,
    ],
  ],
])('check names the tables and indexes that are damaged, and no other: %s', async (trees, expected) => {
  const file = await withoutRoots(...trees);
  const DATABASE_URL = `file:${file}`;
  const { code, text, problem } = await records(['check'], { DATABASE_URL });
  expect([code, problem]).toEqual([3, '']);
  const [, found = ''] = text.split('NO   the database is intact\n');
  const lines = found.trim().split('\n');
  for (const beginning of expected) expect(text).toContain(beginning);
  for (const line of lines)
    expect(
      expected.some((each) => line.trim().startsWith(each)),
      line,
    ).toBe(true);
  const others = await records(['export', '-', '--types', 'AssetRepair'], { DATABASE_URL });
  if (!trees.includes(history)) expect(others).toMatchObject({ code: 0 });
});

test.runIf(spawnSync('sqlite3', ['--version']).status === 0)(
  'where only indexes are damaged, all records are read without them, as the documentation says',
  async () => {
    const file = await withoutRoots(indexOf(category));
    const [, command = ''] =
      /`(sqlite3 records\.db \.dump[^`]*)`/.exec(readFileSync('docs/operations.md', 'utf8')) ?? [];
    const cwd = dirname(file);
    renameSync(file, join(cwd, 'records.db'));
    expect(spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    const DATABASE_URL = `file:${join(cwd, 'new.db')}`;
    expect(await records(['check'], { DATABASE_URL })).toMatchObject({ code: 0 });
    const exported = await records(['export', '-', '--types', category], { DATABASE_URL });
    expect(exported.text.trim().split('\n')).toHaveLength(30);
  },
);

test('other transactions of a group that met a damaged page are committed', async () => {
  const { file, id } = await damaged('AssetRepair');
  const database = await openDatabase({ url: `file:${file}`, migrate: false });
  onTestFinished(() => database.close());
  const now = new Date();
  const create = (id: string) =>
    database.transaction(async (tx) => {
      await tx.uOMCategory.count();
      return tx.uOMCategory.create({ data: { id, categoryName: id, createdAt: now, updatedAt: now } });
    });
  const meet = () => database.transaction((tx) => tx.assetRepair.update({ where: { id }, data: { asset: 'LATHE' } }));
  const results = await Promise.allSettled([create('a'), meet(), create('b'), meet(), create('c'), create('d')]);
  const found = results.map((each) => (each.status === 'rejected' ? databaseProblem(each.reason) : each.status));
  expect(found).toEqual(['fulfilled', 'damaged', 'fulfilled', 'damaged', 'fulfilled', 'fulfilled']);
  expect(await database.client.uOMCategory.count()).toBe(4);
});
