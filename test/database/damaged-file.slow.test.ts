/** A page of the database file that is damaged: the gateway goes on, and says what is wrong to whoever needs that page. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
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
    // The cause once by each process.
    const lines = gateway.log().split('\n');
    expect(lines.filter((line) => /"err".*malformed/.test(line)).length).toBeLessThanOrEqual(Number(workers));
    expect(lines.filter((line) => line.includes('"level":"error"'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
    const check = await records(['check'], { DATABASE_URL: `file:${file}` });
    expect([check.code, check.text]).toEqual([3, expect.stringMatching(/NO +the database is intact[\s\S]*page \d+/)]);
  },
  60_000,
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
