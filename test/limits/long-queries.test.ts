/** Queries with many values by the resolvers: two at a time, so that others do not wait for the work of all. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { waitingForLock } from '../support/waiting-for-lock.js';

const long =
  '{ assetRepairs(first: 1000) { nodes { id asset description status company actions { action } consumedItems { id } } } }';
const short = '{ assetRepairs(first: 10) { nodes { id actions { action } } } }';
const elsewhere = '{ industryTypes(first: 10) { nodes { id actions { action } } } }';

let gateway: TestGateway;
let holder: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ database: 'postgresql', env: { REQUEST_TIMEOUT: '5' } });
  // PostgreSQL knows the statements then, and Prisma is there.
  for (const query of [short, long, elsewhere]) await gateway.graphql(query);
  holder = new pg.Client(gateway.config.databaseUrl);
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await gateway.close();
});

const lock = () => holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
const waiting = () => waitingForLock(gateway.config.databaseUrl);

test('a third one is not begun, a short one is, and all are answered in the end', async () => {
  await lock();
  const all = [long, long].map((query) => gateway.graphql(query));
  await expect.poll(waiting).toBe(2);
  all.push(gateway.graphql(long), gateway.graphql(short));
  await expect.poll(waiting).toBe(3);
  // What was sent before this has reached the database.
  await gateway.graphql(elsewhere);
  expect(await waiting()).toBe(3);
  await holder.query('ROLLBACK');
  for (const { body, text } of await Promise.all(all)) expect(body.errors, text).toBeUndefined();
});

test('one that waits for longer than a request may take is told so, and its turn goes to others', async () => {
  await lock();
  const answers = await Promise.all([1, 2, 3].map(() => gateway.graphql(long)));
  for (const { body, text } of answers) expect(text, JSON.stringify(body)).toContain('"TIMEOUT"');
  await holder.query('ROLLBACK');
  for (const { body, text } of await Promise.all([1, 2, 3].map(() => gateway.graphql(long)))) {
    expect(body.errors, text).toBeUndefined();
  }
});
