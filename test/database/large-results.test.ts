/**
 * On PostgreSQL reads with large results share few connections, so that others find a free one while many of them wait.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLargeResultQueue } from '../../src/database/postgresql/pool-share.js';
import { knownError } from '../../src/graphql/shown-errors/show-error.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement, recordId } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';

test.each(['large', 'unknown'])(
  'a read that waits too long for its turn is told `busy`, and for what: %s',
  async (size) => {
    const { inQueue, noteResult } = createLargeResultQueue(
      { large: 1, unknown: 1, perCaller: 1 },
      { waiting: 1000, waitMillis: 50 },
    );
    if (size === 'large') noteResult('SELECT 1', [['x'.repeat(1_000_000)]]);
    // Requests of one key: another one would get a turn of its own.
    const request = () => ({ keyId: 'one', isOver: false, whenOver: () => () => undefined });
    const read = (done: Promise<void>) =>
      inQueue(
        'SELECT 1',
        request(),
        () => done,
        () => [],
      );
    let end = () => {};
    const first = read(new Promise((resolve) => (end = resolve)));
    const error = await read(Promise.resolve()).catch(knownError);
    expect(error).toMatchObject({
      message: `The gateway is busy. Try again in a moment. The read has waited 0.05 s for a connection for ${size} results.`,
      details: { reason: 'busy' },
    });
    end();
    await first;
  },
);

describe.each([
  ['compiled', true],
  ['by the resolvers', false],
])('a burst of reads, %s,', (_way, compiled) => {
  let gateway: TestGateway;
  let watcher: pg.Client;
  let holder: pg.Client;
  let id: string;
  beforeAll(async () => {
    gateway = await startGateway({ database: 'postgresql', compiled });
    watcher = new pg.Client(gateway.config.databaseUrl);
    holder = new pg.Client(gateway.config.databaseUrl);
    await Promise.all([watcher.connect(), holder.connect()]);
    const { body } = await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      { input: { asset: 'A', failureDate: '2026-01-31', description: 'x'.repeat(300_000) } },
    );
    id = body.data.createAssetRepair.record.id;
  });
  beforeEach(async () => {
    await bystand();
  });
  afterAll(async () => {
    await Promise.all([watcher.end(), holder.end()]);
    await gateway.close();
  });

  /** A list, because Prisma puts reads by id that come together into one statement. */
  const one = (fields: string) => `{ assetRepairs(where: { id: { eq: "${id}" } }) { nodes { ${fields} } } }`;

  /** The read of many others meanwhile; its results are known to be small. */
  async function bystand(): Promise<void> {
    expect((await gateway.rest('GET', '/api/crm/industry-type?limit=1')).status).toBe(200);
  }

  async function waitingForLock(): Promise<number> {
    const { rows } = await watcher.query(
      `SELECT count(*)::int AS "count" FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0].count;
  }

  /**
   * Sends the read more often than there are connections, while the table of repairs is locked, and returns the
   * answers.
   */
  async function burst(read: string, connections: number) {
    await holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
    const answers = Array.from({ length: 12 }, () => gateway.graphql(read));
    await expect.poll(waitingForLock).toBe(connections);
    for (let looks = 0; looks < 10; looks++) {
      await sleep(10);
      expect(await waitingForLock()).toBe(connections);
    }
    await bystand();
    await holder.query('COMMIT');
    return Promise.all(answers);
  }

  test('of a large text has two connections, and a bystander is answered before it', async () => {
    const read = one('description');
    await gateway.graphql(read);
    for (const { body } of await burst(read, 2))
      expect(body.data.assetRepairs.nodes[0].description).toHaveLength(300_000);
  });

  test('of a thousand records has two connections, however small each is', async () => {
    const repair = resourceOf('AssetRepair');
    await holder.query(fillStatement('postgresql', repair, 1000));
    const ids = Array.from({ length: 1000 }, (_, index) => recordId(repair, index + 1));
    const read = `{ nodes(ids: ${JSON.stringify(ids)}) { id } }`;
    await gateway.graphql(read);
    for (const { body } of await burst(read, 2)) expect(body.data.nodes.at(-1)).toEqual({ id: ids.at(-1) });
  });

  test('with a statement that has had no result yet has five connections', async () => {
    const read = one('project company');
    for (const { status, body } of await burst(read, 5)) expect([status, body.errors]).toEqual([200, undefined]);
  });

  test('of small results may have all connections but the two for pipelined reads and one for other keys', async () => {
    const read = one('project asset');
    await gateway.graphql(read);
    await holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
    const answers = Array.from({ length: 30 }, () => gateway.graphql(read));
    await expect.poll(waitingForLock).toBe(7);
    await holder.query('COMMIT');
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  });
});
