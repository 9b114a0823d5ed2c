/** Requests whose queries Prisma would collect together wait, end and count each for itself. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { withLoadBudget } from '../../src/database/answer-limit.js';
import { callers } from '../../src/database/direct-access.js';
import { Deadline } from '../../src/gateway/http/deadline.js';
import { createRepairs } from '../graphql/asset-repairs.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

async function start(database: 'sqlite' | 'postgresql', env: Record<string, string> = {}): Promise<TestGateway> {
  const gateway = await startGateway({ database, env });
  onTestFinished(() => gateway.close());
  return gateway;
}

const find = ({ database }: TestGateway, id: string) =>
  database.client.assetRepair.findUnique({ where: { id }, select: { id: true } });

test.each(providers)(
  'on %s queries of two requests are two statements, those of one request are one',
  async (database) => {
    const gateway = await start(database);
    const [one = '', other = ''] = await createRepairs(gateway, 2);
    const statementsOf = async (finding: Promise<unknown>[]) => {
      const before = gateway.statements.length;
      await Promise.all(finding);
      return gateway.statements.slice(before).filter((sql) => sql.includes('AssetRepair')).length;
    };
    const inNameOf = (deadline: Deadline, id: string) => callers.run(deadline, () => find(gateway, id).then());
    await find(gateway, one);
    const [first, second] = [new Deadline('first'), new Deadline('second')];
    expect(await statementsOf([inNameOf(first, one), inNameOf(first, other)])).toBe(1);
    expect(await statementsOf([inNameOf(first, one), inNameOf(second, other)])).toBe(2);
  },
);

test.each(providers)('on %s what one request loads does not count for another', async (database) => {
  const gateway = await start(database);
  const [id = ''] = await createRepairs(gateway, 1);
  const load = (limit: number) =>
    withLoadBudget(limit, () => find(gateway, id).then()).then(
      () => 'loaded',
      () => 'refused',
    );
  const [none, plenty] = [-8 * 1024 * 1024, 1_000_000];
  expect(await Promise.all([load(none), load(plenty)])).toEqual(['refused', 'loaded']);
  expect(await Promise.all([load(plenty), load(none)])).toEqual(['loaded', 'refused']);
});

test('a request whose client leaves does not take others along that have waited for the same look-up of their key', async () => {
  const url = new URL(await freshDatabaseUrl('postgresql'));
  url.searchParams.set('connection_limit', '1');
  const gateway = await start('postgresql', { DATABASE_URL: url.href });
  const ids = await createRepairs(gateway, 2);
  const query = (id: string | undefined) =>
    `{ assetRepair(id: "${id}") { id history(first: 1) { nodes { version } } } }`;
  await gateway.graphql(query(ids[0]));
  const read = gateway.database.read ?? expect.unreachable();
  await sleep(700); // Then the key is looked up again, and waits for the only connection.
  const first = read('SELECT pg_sleep(0.5)', [], 'unbounded');
  await sleep(20);
  const { hostname, port } = new URL(gateway.url);
  const headers = { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
  const leaving = request({ hostname, port, path: '/graphql', method: 'POST', agent: false, headers });
  leaving.on('error', () => undefined).end(JSON.stringify({ query: query(ids[0]) }));
  await sleep(100);
  const staying = gateway.graphql(query(ids[1]));
  await sleep(100);
  const second = read('SELECT pg_sleep(1.5)', [], 'unbounded');
  await sleep(800);
  leaving.destroy();
  expect(await staying).toMatchObject({ status: 200, body: { data: { assetRepair: { id: ids[1] } } } });
  await Promise.all([first, second]);
});
