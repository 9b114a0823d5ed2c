/**
 * Large queries by the resolvers are executed one after another, so that other requests do not wait for all of them.
 */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRepairs, repairInput } from '../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { waitingForLock } from '../support/waiting-for-lock.js';

const long =
  '{ assetRepairs(first: 1000) { nodes { id asset description status company actions { action } a: consumedItems(limit: 2) { id } b: consumedItems { id } } } }';
const short = '{ industryTypes(first: 10) { nodes { id actions { action } } } }';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ database: 'postgresql', env: { REQUEST_TIMEOUT: '5' } });
  await createRepairs(gateway, 3, repairInput({ consumedItems: 3 }));
  for (const query of [short, long]) await gateway.graphql(query);
});
afterAll(() => gateway.close());

/** The tables that the statements of these queries read, in the order in which they were sent. */
async function readBy(queries: readonly string[]): Promise<string[]> {
  const from = gateway.statements.length;
  const answers = await Promise.all(queries.map((query) => gateway.graphql(query)));
  for (const { body, text } of answers) expect(body.errors, text).toBeUndefined();
  const tables = gateway.statements.slice(from).map((sql) => /FROM "public"\."(\w+)"/.exec(sql)?.[1]);
  return tables.filter((table) => table !== undefined);
}

test('the statements of one follow those of the other, and those of a short one do not wait', async () => {
  const [alone, brief] = [await readBy([long]), await readBy([short])];
  expect(alone.length).toBeGreaterThan(2);
  const all = await readBy([long, long, short]);
  expect(all.filter((table) => !brief.includes(table))).toEqual([...alone, ...alone]);
  expect(all.indexOf('IndustryType')).toBeLessThan(alone.length);
});

describe('beside one whose table is locked', () => {
  let holder: pg.Client;
  beforeAll(async () => {
    holder = new pg.Client(gateway.config.databaseUrl);
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
    return () => holder.end();
  });

  test('others begin after a while, and one that has waited too long is refused with the reason', async () => {
    const answering = Promise.all([1, 2, 3].map(() => gateway.graphql(long)));
    await expect.poll(() => waitingForLock(gateway.config.databaseUrl)).toBeGreaterThan(1);
    for (const { text } of await answering) expect(text).toContain('"TIMEOUT"');
    await holder.query('ROLLBACK');
    await readBy([long, long, long]);
  });
});
