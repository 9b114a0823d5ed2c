/** On PostgreSQL work of a key that cannot go on leaves room to other keys, whatever kind of work it is. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callers } from '../../src/database/direct-access.js';
import { BoundDatabase, Deadline } from '../../src/gateway/http/deadline.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let holder: pg.Client;
let watcher: pg.Client;
let other: Record<string, string>;
beforeAll(async () => {
  gateway = await startGateway({ database: 'postgresql', env: { SLOW_OPERATION: '1' } });
  [holder, watcher] = [new pg.Client(gateway.config.databaseUrl), new pg.Client(gateway.config.databaseUrl)];
  await Promise.all([holder.connect(), watcher.connect()]);
  const { body } = await gateway.graphql(
    'mutation { createApiKey(input: { name: "other", scopes: ["*"] }) { secret } }',
  );
  other = { authorization: `Bearer ${body.data.createApiKey.secret}` };
});
afterAll(async () => {
  await Promise.all([holder.end(), watcher.end()]);
  await gateway.close();
});

const create = (industry: string, headers?: Record<string, string>) =>
  gateway.graphql(
    'mutation ($industry: String!) { createIndustryType(input: { industry: $industry }) { record { id } } }',
    { industry },
    headers,
  );

async function waitingForLock(): Promise<number> {
  const { rows } = await watcher.query(
    `SELECT count(*)::int AS "count" FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

test('reads by statements that have had no result yet', async () => {
  await holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
  const where = '{ description: { contains: "x" } }';
  const reads = Array.from({ length: 30 }, (_, index) =>
    gateway.graphql(`{ assetRepairs(where: ${where}, first: 1, offset: ${index}) { nodes { id } } }`),
  );
  await expect.poll(waitingForLock).toBe(5);
  const read = '{ industryTypes(where: { industry: { contains: "q" } }) { nodes { id } } }';
  const { body } = await gateway.graphql(read, {}, other);
  expect(body).toEqual({ data: { industryTypes: { nodes: [] } } });
  await holder.query('COMMIT');
  for (const { status } of await Promise.all(reads)) expect(status).toBe(200);
});

test('writes with an Idempotency-Key', async () => {
  await holder.query('BEGIN; LOCK TABLE "IdempotentRequest" IN ACCESS EXCLUSIVE MODE');
  const writes = Array.from({ length: 12 }, (_, index) => create(`${index}`, { 'Idempotency-Key': `turn-${index}` }));
  await expect.poll(waitingForLock).toBe(7);
  expect((await create('of the other', other)).body.errors).toBeUndefined();
  await holder.query('COMMIT');
  for (const { body } of await Promise.all(writes)) expect(body.errors).toBeUndefined();
});

test('small reads behind those of another key on the same connection', async () => {
  const [ofRepairs, ofTypes] = [
    '{ assetRepairs(first: 3) { nodes { id } } }',
    '{ industryTypes(first: 3) { nodes { id } } }',
  ];
  for (let round = 0; round < 20; round++) await Promise.all([gateway.graphql(ofRepairs), gateway.graphql(ofTypes)]);
  await holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
  let answered = 0;
  const waiting: Promise<unknown>[] = [];
  const others: Promise<unknown>[] = [];
  // Two of each, for the two connections.
  for (let place = 0; place < 3; place++) {
    for (let pair = 0; pair < 2; pair++) waiting.push(gateway.graphql(ofRepairs).then(() => answered++));
    for (let pair = 0; pair < 2; pair++) others.push(gateway.graphql(ofTypes, {}, other));
  }
  for (const answer of await Promise.all(others)) expect(answer).toMatchObject({ status: 200 });
  expect(answered).toBe(0);
  await holder.query('COMMIT');
  await Promise.all(waiting);
});

test('the plan of a slow operation', async () => {
  const read = '{ assetRepairs(where: { description: { contains: "y" } }) { nodes { id } } }';
  await Promise.all(Array.from({ length: 8 }, () => gateway.graphql(read)));
  await holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
  const before = new Set<unknown>();
  const reads = Array.from({ length: 20 }, () => gateway.graphql(read).then((answer) => before.add(answer.status)));
  // The first are refused after five seconds, and described in the log as slow.
  await expect.poll(() => gateway.logLines.some((line) => line.includes('has waited 5 s'))).toBe(true);
  for (let look = 0; look < 10; look++) {
    expect(await waitingForLock()).toBeLessThan(8);
    expect((await create('of the other', other)).body.errors).toBeUndefined();
  }
  await holder.query('COMMIT');
  await Promise.all(reads);
});

test('what is done after a commit is not done in the name of the request', async () => {
  const found: unknown[] = [];
  gateway.database.onCommit(() => found.push(callers.getStore()));
  await gateway.graphql(
    'mutation { createIndustryType(input: { industry: "x" }) { record { id allowedActions: actions { action } } } }',
  );
  await create('any');
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found)).toEqual(new Set([undefined]));
});

test('a read of a request whose time is over does not begin', async () => {
  const deadline = new Deadline('one');
  deadline.resultInTime(new Promise(() => {})).catch(() => undefined);
  deadline.pass();
  const { read } = new BoundDatabase(gateway.database, deadline);
  await expect(read?.('SELECT 41 + 1', [], 'unbounded')).rejects.toThrow('before the statement began');
});
