/** Long reads on SQLite: nobody waits for them, they end at their deadline, and they leave nothing behind. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { freshDatabaseUrl } from '../support/database.js';
import { type Answer, startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement } from '../support/many-records.js';
import { startProcess } from '../support/process.js';
import { resourceOf } from '../support/resources.js';
import { runningProcesses } from '../support/running-processes.js';
import { Sqlite } from '../support/sqlite-library.js';

/** The URL of a database of its own with 20,000 repairs. */
async function filledDatabaseUrl(): Promise<string> {
  const url = await freshDatabaseUrl('sqlite');
  copyFileSync(filled, sqlitePath(url));
  return url;
}

let filled: string;
beforeAll(async () => {
  const url = await freshDatabaseUrl('sqlite');
  filled = sqlitePath(url);
  const file = new Sqlite(filled);
  file.exec(fillStatement('sqlite', resourceOf('AssetRepair'), 20_000));
  file.close();
});

/** Conditions that match no record, so that every record is compared, in several fields. */
function filters(fields: number, conditions: number): string {
  // Each field asks for something else, because equal fields are read only once.
  const each = (field: number) =>
    Array.from({ length: conditions }, (_, index) => `{ description: { contains: "no ${field} ${index}" } }`).join(' ');
  const lists = Array.from(
    { length: fields },
    (_, index) => `a${index}: assetRepairs(first: 1, where: { or: [${each(index)}] }) { totalCount nodes { id } }`,
  );
  return `{ ${lists.join(' ')} }`;
}

/** The reader processes of this process, or of the one with the id; of any if it is 0. */
function readersOf(parent = process.pid): number[] {
  return runningProcesses()
    .filter((each) => each.command.includes('reader-process') && (parent === 0 || each.parent === parent))
    .map(({ pid }) => pid);
}

/** Repeats requests that are answered `busy` or `timeout`, which happens on a busy machine. */
async function whenThereIsTime(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let tries = 0; isForLackOfTime(answer) && tries < 100; tries++) {
    await sleep(50);
    answer = await send();
  }
  return answer;
}

/** The code of the whole request or, if only the turn of the reader came too late, of a field. */
const isForLackOfTime = ({ status, body }: Answer): boolean =>
  [503, 504].includes(status) ||
  Object(body).errors?.some(({ extensions }: { extensions: { reason: string } }) =>
    ['busy', 'timeout'].includes(extensions.reason),
  );

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds() && waited < 60_000; waited += 20) await sleep(20);
  expect(holds()).toBe(true);
}

describe.each([
  ['compiled', true],
  ['by the resolvers', false],
])('a read that takes longer than its request may, %s,', (_way, compiled) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      compiled,
      env: { DATABASE_URL: await filledDatabaseUrl(), REQUEST_TIMEOUT: '2' },
    });
  });
  afterAll(() => gateway.close());

  test('holds up nobody, is answered 504, and is really stopped', async () => {
    const before = new Set(readersOf());
    let isOver = false;
    const slow = gateway.graphql(filters(3, 45)).finally(() => {
      isOver = true;
    });
    // If such a read blocked this process, the process would notice nothing until the end of the read, even on a fast
    // machine.
    await until(() => readersOf().length > before.size);
    expect(isOver).toBe(false);
    const started = readersOf().filter((pid) => !before.has(pid));
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    const answer = await slow;
    expect(answer.status).toBe(504);
    expect(answer.body.errors[0].extensions).toMatchObject({ code: 'TIMEOUT', reason: 'timeout' });
    await until(() => started.every((pid) => !readersOf().includes(pid)));
    const next = await whenThereIsTime(() => gateway.graphql(filters(1, 1)));
    expect(next.body.data.a0.totalCount).toBe(0);
  });
});

test('a read whose client has gone away is ended, and is no error in the log', async () => {
  const gateway = await startGateway({ env: { DATABASE_URL: await filledDatabaseUrl() } });
  const before = readersOf();
  const leaving = new AbortController();
  const answer = fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: filters(20, 45) }),
    signal: leaving.signal,
  }).catch(() => 'left');
  const started = () => readersOf().filter((pid) => !before.includes(pid));
  await until(() => started().length > 0);
  const [reader = 0] = started();
  leaving.abort();
  expect(await answer).toBe('left');
  await until(() => !readersOf().includes(reader));
  await gateway.close();
  expect(gateway.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect(gateway.logLines.join('')).toContain('"aborted":true');
});

test('three large requests leave room for a fourth', async () => {
  // Each request needs sixty reads, so a request that waits for three of these reads is answered long before these
  // requests.
  const gateway = await startGateway({ env: { DATABASE_URL: await filledDatabaseUrl(), REQUEST_TIMEOUT: '150' } });
  await gateway.graphql(filters(1, 1));
  let areDone = false;
  const slow = Array.from({ length: 3 }, () => gateway.graphql(filters(60, 1)));
  const done = Promise.allSettled(slow).then(() => {
    areDone = true;
  });
  await sleep(20);
  const short = await whenThereIsTime(() =>
    gateway.graphql('{ assetRepairs(first: 1, where: { id: { eq: "none" } }) { nodes { id } } }'),
  );
  expect(areDone).toBe(false);
  expect(short.body).toEqual({ data: { assetRepairs: { nodes: [] } } });
  await gateway.close();
  await done;
});

test.each([
  ['compiled', true],
  ['by the resolvers', false],
])('what an index bounds needs no other process, however large the tables, %s', async (_way, compiled) => {
  const gateway = await startGateway({ compiled, env: { DATABASE_URL: await filledDatabaseUrl() } });
  const input = { asset: 'A', failureDate: 'x', consumedItems: [{ itemCode: 'X', warehouse: 'W' }] };
  const create =
    'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id consumedItems { id } } } }';
  const { id, consumedItems } = (await gateway.graphql(create, { input })).body.data.createAssetRepair.record;
  // Longer than a looked-up key is cached.
  await sleep(600);
  const before = readersOf().length;
  for (const query of [
    '{ assetRepair(id: $id) { asset consumedItems { idx assetRepair { id } } purchaseInvoices(limit: 2) { id } } }',
    '{ assetRepairs(first: 5) { totalCount pageInfo { hasNextPage hasPreviousPage endCursor } nodes { asset consumedItems { idx } } } }',
    '{ assetRepairs(last: 5) { totalCount pageInfo { hasNextPage hasPreviousPage } nodes { asset } } }',
    '{ assetRepairs(first: 2, offset: 5000) { nodes { asset } } }',
    '{ assetRepairConsumedItems(parentId: $id, offset: 1) { totalCount nodes { idx assetRepair { asset } } } }',
    '{ node(id: $id) { id } nodes(ids: [$id, $line]) { id } }',
    '{ previewAction(id: $id, action: DELETE) { allowed deletes { count } } }',
    '{ subscriptionSettings { id } assetRepairAggregate { count } }',
  ]) {
    const literal = query.replaceAll('$id', `"${id}"`).replaceAll('$line', `"${consumedItems[0].id}"`);
    expect((await gateway.graphql(literal)).body.errors, query).toBeUndefined();
    expect(readersOf().length, query).toBe(before);
  }
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  expect(readersOf().length).toBe(before);
  await gateway.close();
});

test.each([
  ['compiled', true],
  ['by the resolvers', false],
])('a page of large records is read in another process, and arrives whole, %s', async (_way, compiled) => {
  const gateway = await startGateway({ compiled, env: { DATABASE_URL: await filledDatabaseUrl() } });
  const texts = Array.from({ length: 30 }, (_, index) => `${index} ${'aé€😀'.repeat(20_000)}`);
  for (const description of texts) {
    const body = { asset: 'A', failure_date: '2026-01-01', description };
    expect((await gateway.rest('POST', '/api/assets/asset-repair', body)).status).toBe(201);
  }
  const page = async (first: number) =>
    (await gateway.graphql(`{ assetRepairs(first: ${first}) { nodes { description } } }`)).body.data.assetRepairs.nodes;
  const before = new Set(readersOf());
  const started = () => readersOf().filter((pid) => !before.has(pid)).length;
  const newest = texts.toReversed().map((description) => ({ description }));
  expect(await page(3)).toEqual(newest.slice(0, 3));
  expect(started()).toBe(0);
  expect(await page(30)).toEqual(newest);
  expect(started()).toBeGreaterThan(0);
  await gateway.close();
});

test('a reader process sees everything that was committed when it was asked', async () => {
  const gateway = await startGateway({ readsAt: 'elsewhere' });
  for (let round = 1; round <= 20; round++) {
    const created = await gateway.rest('POST', '/api/assets/asset-repair', {
      asset: `A${round}`,
      failure_date: 'x',
      repair_cost: 1,
    });
    expect(created.status).toBe(201);
    const found = await gateway.graphql(`{ assetRepairs(where: { asset: { eq: "A${round}" } }) { totalCount } }`);
    expect(found.body.data.assetRepairs.totalCount).toBe(1);
  }
  await gateway.close();
});

test('a closed database has no readers, and one that is not used keeps no process alive', async () => {
  const database = await openDatabase({
    url: await freshDatabaseUrl('sqlite'),
    migrate: true,
    readsAt: 'elsewhere',
    readerProgram: join(inject('testRun').built, 'src/database/sqlite/reader-process.js'),
  });
  const before = readersOf().length;
  await Promise.all(Array.from({ length: 10 }, () => database.client.assetRepair.count()));
  expect(readersOf().length).toBeGreaterThan(before);
  expect(readersOf().length).toBeLessThanOrEqual(before + 4);
  await database.close();
  expect(readersOf().length).toBe(before);
});

test('a gateway that is killed leaves no reader behind, whatever it is doing', async () => {
  const url = await filledDatabaseUrl();
  const key = 'a-key-of-the-test-that-may-do-all';
  const gateway = startProcess({ DATABASE_URL: url, API_KEY: key, LOG_LEVEL: 'silent' });
  const address = await gateway.ready();
  const slow = fetch(`${address}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: filters(20, 45) }),
  }).catch(() => undefined);
  await until(() => readersOf(gateway.child.pid).length > 0);
  const readers = readersOf(gateway.child.pid);
  await sleep(300);
  gateway.child.kill('SIGKILL');
  await Promise.all([slow, gateway.ended]);
  await until(() => readersOf(0).every((pid) => !readers.includes(pid)));
});
