/** On PostgreSQL a request has a share of the connections, so that a large one leaves some to the others. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const lists = Array.from(
  { length: 100 },
  (_, index) =>
    `a${index}: assetRepairs(first: 1, where: { description: { contains: "no ${index}" } }) { nodes { id } }`,
);
const much = `{ ${lists.join(' ')} }`;

describe.each([
  ['compiled', true],
  ['by the resolvers', false],
])('a request for a hundred lists, %s,', (_way, compiled) => {
  let gateway: TestGateway;
  let watcher: pg.Client;
  let holder: pg.Client;
  beforeAll(async () => {
    gateway = await startGateway({ database: 'postgresql', compiled });
    watcher = new pg.Client(gateway.config.databaseUrl);
    holder = new pg.Client(gateway.config.databaseUrl);
    await Promise.all([watcher.connect(), holder.connect()]);
  });
  afterAll(async () => {
    await Promise.all([watcher.end(), holder.end()]);
    await gateway.close();
  });

  /** Connections of the gateway whose statement waits for the lock. */
  async function waiting(): Promise<number> {
    const { rows } = await watcher.query(
      `SELECT count(*)::int AS "count" FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"description"%'`,
    );
    return rows[0].count;
  }

  test('has two connections at a time, and a bystander is answered before it', async () => {
    // Nobody can read repairs while the lock is held, so the request takes all its connections and waits.
    await holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
    let isDone = false;
    const answer = gateway.graphql(much).finally(() => {
      isDone = true;
    });
    await expect.poll(waiting).toBe(2);
    for (let looks = 0; looks < 20; looks++) {
      await sleep(10);
      expect(await waiting()).toBe(2);
    }
    expect((await gateway.rest('GET', '/api/crm/industry-type?limit=1')).status).toBe(200);
    expect(isDone).toBe(false);
    await holder.query('COMMIT');
    const { status, body } = await answer;
    expect([status, body.errors]).toEqual([200, undefined]);
  });
});

test('a transaction that reads outside of itself does not wait for its own request, whatever the pool', async () => {
  const url = new URL(await freshDatabaseUrl('postgresql'));
  url.searchParams.set('connection_limit', '2');
  const gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL: url.href } });
  const previews = Array.from(
    { length: 10 },
    (_, index) => `a${index}: previewAction(id: "asset-repair_x", action: DELETE) { allowed }`,
  );
  const { body } = await gateway.graphql(
    `{ ${previews.join(' ')} b: assetRepairs(where: { id: { ne: "x" } }) { totalCount } }`,
  );
  await gateway.close();
  expect(body.errors).toBeUndefined();
  expect(body.data.b.totalCount).toBe(0);
});
