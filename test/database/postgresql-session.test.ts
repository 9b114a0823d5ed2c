import { expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../src/database/open-database.js';
import { statementNames } from '../../src/database/postgresql/statement-names.js';
import { freshDatabaseUrl } from '../support/database.js';

// pg warns once a process, so this has to listen from the beginning.
const warnings: string[] = [];
process.on('warning', ({ message }) => warnings.push(message));

async function oneSession(): Promise<Database> {
  const url = `${await freshDatabaseUrl('postgresql')}?connection_limit=1`;
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  return database;
}

test.each(['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'])(
  'every session has a %s',
  async (name) => {
    const { client } = await oneSession();
    const [row] = await client.$queryRaw<{ limit: string }[]>`SELECT current_setting(${name}) AS "limit"`;
    expect(row?.limit).toMatch(/^\d+s$/);
  },
);

test('a statement that comes often is kept prepared, one that comes once is not', async () => {
  const { client } = await oneSession();
  for (let i = 0; i < 5; i++) await client.apiKey.findFirst({ where: { id: `${i}` } });
  await client.apiKey.findFirst({ where: { name: 'once' } });
  const prepared = await client.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
  expect(prepared).toHaveLength(1);
  expect(prepared[0]?.statement).toContain('"id" = $1');
});

test('a transaction sends one statement after another, also the many lists of a nested read', async () => {
  const { client, transaction } = await oneSession();
  await client.subcontractingInwardOrder.create({
    data: { id: 'order', createdAt: new Date(), updatedAt: new Date() },
  });
  const lists = { items: true, receivedItems: true, secondaryItems: true, serviceItems: true };
  const read = await transaction((tx) =>
    tx.subcontractingInwardOrder.findUnique({ where: { id: 'order' }, include: lists }),
  );
  expect(read).toMatchObject({ items: [], receivedItems: [], secondaryItems: [], serviceItems: [] });
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test('a statement keeps its name, and the number of names is bounded', () => {
  const nameOf = statementNames();
  const names = new Set<string>();
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 400; i++) names.add(nameOf({ sql: `SELECT ${i}` }));
  }
  expect(names.size).toBe(401);
  expect(nameOf({ sql: 'SELECT 7' })).toBe(nameOf({ sql: 'SELECT 7' }));
  for (let i = 0; i < 4000; i++)
    for (let times = 0; times < 3; times++) names.add(nameOf({ sql: `SELECT 'other ${i}'` }));
  expect(names.size).toBe(501);
});
