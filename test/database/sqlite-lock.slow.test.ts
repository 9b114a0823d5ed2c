import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { databaseProblem } from '../../src/database/database-problem.js';
import { openDatabase } from '../../src/database/open-database.js';
import { startChild } from '../support/child-process.js';
import { freshDatabaseUrl } from '../support/database.js';
import { apiKey, gate, safeClient } from '../support/sqlite.js';
import { Sqlite } from '../support/sqlite-library.js';

/** How many other turns the event loop had during `work`. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const timer = setInterval(() => turns++, 2);
  await work.finally(() => clearInterval(timer));
  return turns;
}

test('a write waits for a lock held by another process without stopping the event loop', async () => {
  const { client, path } = await safeClient();
  // The first use of a client loads the query compiler, which must not be measured.
  await client.apiKey.count();
  const child = startChild('locking', path, '2000');
  await child.says('locked');
  // A write that blocked the event loop would leave only one turn before and one after it.
  expect(await turnsDuring(client.apiKey.create({ data: apiKey('patient') }))).toBeGreaterThan(10);
  expect(await client.apiKey.count()).toBe(1);
});

test('reads do not wait for a lock held by another process', async () => {
  const { client, path } = await safeClient();
  await client.apiKey.create({ data: apiKey('there') });
  const child = startChild('locking', path, '60000');
  await child.says('locked');
  expect(await client.apiKey.count()).toBe(1);
  const other = new Sqlite(path, { timeout: 0 });
  expect(() => other.exec('BEGIN IMMEDIATE')).toThrow('database is locked');
  other.close();
});

test('a write that has waited too long is refused as busy, and the next one is not', async () => {
  const { client, path } = await safeClient({ waitMillis: 300 });
  const child = startChild('locking', path, '1200');
  await child.says('locked');
  const refused = await Promise.allSettled([
    client.apiKey.create({ data: apiKey('single') }),
    client.$transaction((tx) => tx.apiKey.create({ data: apiKey('transaction') })),
  ]);
  for (const outcome of refused) {
    expect(outcome.status).toBe('rejected');
    expect(outcome.status === 'rejected' && databaseProblem(outcome.reason)).toBe('busy');
  }
  await child.ends();
  await client.apiKey.create({ data: apiKey('after') });
  expect((await client.apiKey.findMany()).map(({ id }) => id)).toEqual(['after']);
});

test('what waits behind a long transaction is refused as busy when its time is up', async () => {
  const { client } = await safeClient({ waitMillis: 100 });
  const begun = gate();
  const long = client.$transaction(async () => {
    begun.open();
    await sleep(500);
  });
  await begun.opened;
  const refusal = await client.apiKey.create({ data: apiKey('late') }).catch((error: unknown) => error);
  expect(databaseProblem(refusal)).toBe('busy');
  await long;
  await client.apiKey.create({ data: apiKey('after') });
});

test('more than the limit in the queue is refused as busy at once', async () => {
  const { client } = await safeClient({ waiting: 20 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, i) => client.apiKey.create({ data: apiKey(`${i}`) })),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(10);
  expect(await client.apiKey.count()).toBe(20);
});

test('two processes count on one file without a failure and without a gap', async () => {
  const url = await freshDatabaseUrl('sqlite');
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  const now = new Date();
  const data = { id: 'counter', failureDate: '2026-01-31', asset: 'A', version: 0, createdAt: now, updatedAt: now };
  await database.client.assetRepair.create({ data });
  const children = [startChild('counting', url, '300'), startChild('counting', url, '300')];
  expect((await Promise.all(children.map((child) => child.ends()))).map((output) => output.trim().split('\n'))).toEqual(
    [
      ['open', 'done'],
      ['open', 'done'],
    ],
  );
  expect(await database.client.assetRepair.findUniqueOrThrow({ where: { id: 'counter' } })).toMatchObject({
    version: 600,
  });
});
