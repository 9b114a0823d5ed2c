import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databaseProblem, retry } from '../../src/database/database-problem.js';
import { type Database, openDatabase } from '../../src/database/open-database.js';
import { freshDatabaseUrl } from '../support/database.js';
import { apiKey, gate } from '../support/sqlite.js';

async function postgresql(): Promise<Database> {
  const database = await openDatabase({ url: await freshDatabaseUrl('postgresql'), migrate: true });
  onTestFinished(() => database.close());
  return database;
}

describe('on PostgreSQL', () => {
  test('a deadlock is undone for one of the two, which then runs again', async () => {
    const database = await postgresql();
    await database.client.apiKey.createMany({ data: [apiKey('a'), apiKey('b')] });
    let runs = 0;
    const bothHold = gate();
    let holding = 0;
    const rename = (first: string, second: string) =>
      database.transaction(async (tx) => {
        runs++;
        await tx.apiKey.update({ where: { id: first }, data: { name: `${first} first` } });
        if (++holding === 2) bothHold.open();
        await bothHold.opened;
        await tx.apiKey.update({ where: { id: second }, data: { name: `${first} second` } });
      });
    await Promise.all([rename('a', 'b'), rename('b', 'a')]);
    // On a busy machine the other one may have to run again too.
    expect(runs).toBeGreaterThan(2);
    const names = (await database.client.apiKey.findMany()).map(({ name }) => name);
    // The last one has written both rows.
    expect([
      ['a first', 'a second'],
      ['b first', 'b second'],
    ]).toContainEqual(names.sort());
  });

  test('work that goes on after a conflict, as if nothing had happened, is run again all the same', async () => {
    const database = await postgresql();
    const told: string[] = [];
    await database.transaction(
      async (tx) => {
        told.push('runs');
        if (told.includes('runs again')) return;
        const conflict = `DO $$ BEGIN RAISE EXCEPTION 'a conflict' USING ERRCODE = '40001'; END $$`;
        await expect(tx.$executeRawUnsafe(conflict)).rejects.toThrow('a conflict');
      },
      () => told.push(told.length === 0 ? 'begins' : 'runs again'),
    );
    expect(told).toEqual(['begins', 'runs', 'runs again', 'runs']);
  });

  test('transactions that cannot be put in order are run again until they can', async () => {
    const database = await postgresql();
    await database.client.apiKey.create({ data: { ...apiKey('counter'), name: '0' } });
    let runs = 0;
    const increment = () =>
      retry(() =>
        database.client.$transaction(
          async (tx) => {
            runs++;
            const { name } = await tx.apiKey.findUniqueOrThrow({ where: { id: 'counter' } });
            await tx.apiKey.update({ where: { id: 'counter' }, data: { name: String(Number(name) + 1) } });
          },
          { isolationLevel: 'Serializable' },
        ),
      );
    for (let i = 0; i < 5; i++) await Promise.all([increment(), increment(), increment()]);
    expect(await database.client.apiKey.findFirst()).toMatchObject({ name: '15' });
    expect(runs).toBeGreaterThan(15);
  });
});

test('a conflict that does not end is given up after six attempts', async () => {
  let runs = 0;
  const hopeless = retry(async () => {
    runs++;
    throw new DriverAdapterError({ kind: 'TransactionWriteConflict', originalCode: '40001' });
  });
  const error = await hopeless.catch((reason: unknown) => reason);
  expect(databaseProblem(error)).toBe('conflict');
  expect(runs).toBe(6);
});

test('work that fails without a conflict is not run again', async () => {
  let runs = 0;
  const failing = retry(async () => {
    runs++;
    throw new Error('a bug');
  });
  await expect(failing).rejects.toThrow('a bug');
  expect(runs).toBe(1);
});
