/** Large results that arrive together are given to Prisma one by one, and others get turns of the event loop in between. */
import type { SqlDriverAdapterFactory, SqlQueryable, SqlResultSet } from '@prisma/driver-adapter-utils';
import { expect, onTestFinished, test } from 'vitest';
import { withResultTurns } from '../../src/database/result-turns.js';

/** A database whose results of `count` rows are there at once. */
function databaseOf(count: number): SqlDriverAdapterFactory {
  const rows = Array.from({ length: count }, () => [1]);
  const result: SqlResultSet = { columnNames: ['n'], columnTypes: [0], rows };
  const queries: SqlQueryable = {
    provider: 'sqlite',
    adapterName: 'at once',
    queryRaw: async () => result,
    executeRaw: async () => 0,
  };
  const nothing = async () => undefined;
  const startTransaction = async () => ({
    ...queries,
    options: { usePhantomQuery: false },
    commit: nothing,
    rollback: nothing,
  });
  const connect = async () => ({ ...queries, executeScript: nothing, startTransaction, dispose: nothing });
  return { provider: 'sqlite', adapterName: 'at once', connect };
}

/** In which turn of the event loop each of six results comes that are asked for together, half of them in transactions. */
async function turnsOf(count: number): Promise<number[]> {
  let turn = 0;
  let isOver = false;
  const next = () => {
    turn++;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  onTestFinished(() => {
    isOver = true;
  });
  const adapter = await withResultTurns(databaseOf(count)).connect();
  const transactions = await Promise.all([1, 2, 3].map(() => adapter.startTransaction()));
  const asked = [adapter, adapter, adapter, ...transactions].map(async (queryable) => {
    await queryable.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] });
    return turn;
  });
  return Promise.all(asked);
}

test('large ones come with turns between them, in the order in which they were asked for', async () => {
  const turns = await turnsOf(500);
  const gaps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0));
  expect(gaps.every((gap) => gap >= 2)).toBe(true);
});

test('others come at once', async () => {
  expect(new Set(await turnsOf(499)).size).toBe(1);
});
