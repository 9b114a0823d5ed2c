/** On PostgreSQL a request has a share of the connections, so that one that asks for much leaves some to all others. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceOf } from '../../src/model/resource.js';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement } from '../support/many-records.js';

const filter = { or: Array.from({ length: 45 }, (_, index) => ({ description: { contains: `no ${index}` } })) };
const lists = Array.from(
  { length: 100 },
  (_, index) => `a${index}: assetRepairs(first: 1, where: $f) { nodes { id } }`,
);
const much = `query ($f: AssetRepairFilter) { ${lists.join(' ')} }`;

describe.each([
  ['compiled', true],
  ['by the resolvers', false],
])('a request for a hundred lists, %s,', (_way, compiled) => {
  let gateway: TestGateway;
  let watcher: pg.Client;
  beforeAll(async () => {
    gateway = await startGateway({ database: 'postgresql', compiled });
    await gateway.database.client.$executeRawUnsafe(fillStatement('postgresql', resourceOf('AssetRepair'), 20_000));
    watcher = new pg.Client(gateway.config.databaseUrl);
    await watcher.connect();
  });
  afterAll(async () => {
    await watcher.end();
    await gateway.close();
  });

  /** Connections of the gateway that run a statement. */
  async function active(): Promise<number> {
    const { rows } = await watcher.query(
      `SELECT count(*)::int AS "count" FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE '%"description"%' AND pid <> pg_backend_pid()`,
    );
    return rows[0].count;
  }

  test('has two connections at a time, and a bystander is answered before it', async () => {
    let isDone = false;
    const answer = gateway.graphql(much, { f: filter }).finally(() => {
      isDone = true;
    });
    let most = 0;
    for (let looks = 0; looks < 200 && !isDone && most < 2; looks++) most = Math.max(most, await active());
    expect((await gateway.rest('GET', '/api/assets/asset-repair?limit=1')).status).toBe(200);
    expect(isDone).toBe(false);
    for (let looks = 0; looks < 100 && !isDone; looks++) most = Math.max(most, await active());
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2);
    const { status } = await answer;
    expect([200, 504]).toContain(status);
  });
});

test('a transaction that reads outside of itself does not wait for its own request, whatever the pool', async () => {
  const url = new URL(await freshDatabaseUrl('postgresql'));
  url.searchParams.set('connection_limit', '2');
  const gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL: url.href } });
  const previews = Array.from(
    { length: 10 },
    (_, index) => `a${index}: previewAction(id: "asset-repair_x", action: delete) { allowed }`,
  );
  const { body } = await gateway.graphql(
    `{ ${previews.join(' ')} b: assetRepairs(where: { id: { ne: "x" } }) { totalCount } }`,
  );
  await gateway.close();
  expect(body.errors).toBeUndefined();
  expect(body.data.b.totalCount).toBe(0);
});
