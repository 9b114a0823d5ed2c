import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { Pipeline } from '../../src/database/postgresql/pipeline.js';
import { noNames } from '../../src/database/postgresql/statement-names.js';
import { freshDatabaseUrl } from '../support/database.js';

test('a pipeline whose reads wait for a lock closes as soon as they are given up, and reports no lost connection', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const holder = new pg.Client(url);
  await holder.connect();
  onTestFinished(() => holder.end());
  const errors: Error[] = [];
  const pipeline = new Pipeline({
    connection: { connectionString: url, connectionTimeoutMillis: 5_000 },
    onConnect: () => undefined,
    names: noNames,
    onError: (error) => errors.push(error),
  });
  await expect.poll(() => pipeline.takes(100)).toBe(true);
  await holder.query('CREATE TABLE "Locked" ("a" int)');
  await holder.query('BEGIN; LOCK TABLE "Locked" IN ACCESS EXCLUSIVE MODE');
  const query = { text: 'SELECT "a" FROM "Locked"', rowMode: 'array' as const };
  const reads = [1, 2, 3].map(() => pipeline.read(query, 100).catch(({ message }: Error) => message));
  const silent = 'Connection terminated: it is silent';
  expect(await Promise.all(reads)).toEqual([silent, silent, silent]);
  // Without a limit for locks, an answer would never come.
  expect(await Promise.race([pipeline.close().then(() => 'closed'), sleep(10_000, 'open')])).toBe('closed');
  expect(errors).toEqual([]);
  await holder.query('ROLLBACK');
});
