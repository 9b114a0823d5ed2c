/**
 * Large results that arrive together are passed to Prisma one by one, and other requests get turns of the event loop in
 * between.
 */
import type { SqlDriverAdapter, SqlQueryable, SqlResultSet } from '@prisma/driver-adapter-utils';
import { expect, onTestFinished, test } from 'vitest';
import { withResultTurns } from '../../src/database/prisma-adapter.js';

/** A database that returns results of `count` rows immediately. */
function databaseOf(count: number): SqlDriverAdapter {
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
  return { ...queries, executeScript: nothing, startTransaction, dispose: nothing };
}

/** In which turn of the event loop each result comes: of six reads and of two in a transaction, all asked for together. */
async function turnsOf(count: number): Promise<{ reads: number[]; ofTransaction: number[] }> {
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
  const adapter = withResultTurns(databaseOf(count));
  const transaction = await adapter.startTransaction();
  const asked = async (queryable: SqlQueryable) => {
    await queryable.queryRaw({ sql: 'SELECT 1', args: [], argTypes: [] });
    return turn;
  };
  const reads = Array.from({ length: 6 }, () => asked(adapter));
  const ofTransaction = [asked(transaction), asked(transaction)];
  return { reads: await Promise.all(reads), ofTransaction: await Promise.all(ofTransaction) };
}

const gapsIn = (turns: readonly number[]) => turns.slice(1).map((turn, index) => turn - (turns[index] ?? 0));

test('large ones come with turns between them, in the order in which they were asked for', async () => {
  const { reads, ofTransaction } = await turnsOf(500);
  expect([...gapsIn(reads), ...gapsIn(ofTransaction)].every((gap) => gap >= 2)).toBe(true);
});

test('those of a transaction, which may keep every writer waiting, wait for no other', async () => {
  const { reads, ofTransaction } = await turnsOf(500);
  expect(ofTransaction[1]).toBeLessThanOrEqual(Number(reads[2]));
});

test('others come at once', async () => {
  const { reads, ofTransaction } = await turnsOf(499);
  expect(new Set([...reads, ...ofTransaction]).size).toBe(1);
});
