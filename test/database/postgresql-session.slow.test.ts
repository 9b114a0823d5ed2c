import pg from 'pg';
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

test('a statement that is used keeps its name, and one that is used no more loses it to the next', () => {
  const { nameOf, begin, isOutworn } = statementNames();
  const [connection, later] = [{}, {}];
  begin(connection);
  const names = new Set<string>();
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 400; i++) names.add(nameOf({ sql: `SELECT ${i}` }));
  }
  expect(names.size).toBe(401);
  expect(nameOf({ sql: 'SELECT 7' })).toBe(nameOf({ sql: 'SELECT 7' }));
  const kept = nameOf({ sql: 'SELECT 7' });
  for (let i = 0; i < 4000; i++) {
    if (i === 3000) begin(later);
    for (let times = 0; times < 3; times++) names.add(nameOf({ sql: `SELECT 'other ${i}'` }));
    expect(nameOf({ sql: 'SELECT 7' })).toBe(kept);
  }
  // No name is used twice, because a connection may still have the old statement prepared.
  expect(names.size).toBe(4401);
  expect(nameOf({ sql: 'SELECT 8' })).toBe('');
  expect([isOutworn(connection), isOutworn(later)]).toEqual([true, true]);
  begin(connection);
  expect(isOutworn(connection)).toBe(false);
});

test('many statements that are used a few times take no names from others, and are not kept for ever', async () => {
  const database = await oneSession();
  const { client } = database;
  for (let i = 0; i < 1_300; i++) {
    for (let times = 0; times < 3; times++) await client.$queryRawUnsafe(`SELECT ${i} AS "n"`);
  }
  for (let i = 0; i < 3; i++) await client.apiKey.findFirst({ where: { id: `${i}` } });
  const prepared = await client.$queryRaw<{ statement: string }[]>`SELECT statement FROM pg_prepared_statements`;
  expect(prepared.filter(({ statement }) => statement.includes('"ApiKey"'))).toHaveLength(1);
  expect(prepared.length).toBeLessThan(1_010);
});

test('numbers have all their digits, whatever the settings of the server', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const first = new pg.Client(url);
  await first.connect();
  const name = new URL(url).pathname.slice(1);
  await first.query(`ALTER DATABASE "${name}" SET extra_float_digits = -15`);
  await first.end();
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  const sql = 'SELECT json_build_array(0.30000000000000004::float8, 9007199254740991::float8)::text';
  const [found] = await database.read(sql, []);
  expect(JSON.parse(String(found?.[0]))).toEqual([0.30000000000000004, 9007199254740991]);
  const [row] = await database.client.$queryRawUnsafe<{ n: number }[]>('SELECT 1.7976931348623157e308::float8 AS n');
  expect(row?.n).toBe(Number.MAX_VALUE);
});
