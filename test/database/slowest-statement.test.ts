import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { drive, type Procedure, type Rows, type Statement } from '../../src/common/work.js';
import { type RunProcedure, SlowestStatement } from '../../src/database/direct-access.js';
import { Deadline } from '../../src/gateway/http/deadline.js';

test('none', () => {
  expect(new SlowestStatement().found).toBeUndefined();
});

test('the one that took longest, whichever ended first', async () => {
  const statements = new SlowestStatement();
  const [first, second] = [statements.begin('first'), statements.begin('second')];
  second();
  await sleep(5);
  first();
  statements.begin('third')();
  expect(statements.found).toMatchObject({ sql: 'first' });
  expect(statements.found?.milliseconds).toBeGreaterThan(3);
});

test('a unit of work that fails has no statement that goes on', async () => {
  const deadline = new Deadline(undefined);
  function* work(): Procedure<Rows> {
    return yield { sql: 'failed', values: [] };
  }
  const failing = performed(deadline, work, () => Promise.reject(new Error('conflict')));
  await failing.catch(() => undefined);
  const repeated = async () => {
    await sleep(20);
    return [];
  };
  function* again(): Procedure<Rows> {
    return yield { sql: 'repeated', values: [] };
  }
  await performed(deadline, again, repeated);
  expect(deadline.statements.found?.sql).toBe('repeated');
});

test('a read that fails has ended then', async () => {
  const statements = new SlowestStatement();
  await Promise.resolve(statements.noted('failed', Promise.reject(new Error('cancelled')))).catch(() => undefined);
  await sleep(5);
  const read = statements.noted('read', sleep(10));
  await read;
  expect(statements.found?.sql).toBe('read');
  expect(statements.noted('at once', 1)).toBe(1);
});

test('one that still runs counts until now', async () => {
  const statements = new SlowestStatement();
  statements.begin('running');
  await sleep(5);
  statements.begin('quick')();
  expect(statements.found).toMatchObject({ sql: 'running' });
});

test('those of a unit of work', async () => {
  const deadline = new Deadline(undefined);
  function* work(): Procedure<Rows> {
    yield { sql: 'quick', values: [] };
    return yield { sql: 'slow', values: [] };
  }
  const run = async ({ sql }: Statement) => {
    await sleep(sql === 'slow' ? 20 : 0);
    return [[sql]];
  };
  expect(await performed(deadline, work, run)).toEqual([['slow']]);
  expect(deadline.statements.found?.sql).toBe('slow');
});

/** Performs a unit of work for a request, on a database that answers each statement by `run`. */
function performed(deadline: Deadline, work: () => Procedure<Rows>, run: (statement: Statement) => Promise<Rows>) {
  const perform: RunProcedure = async (begin) => drive(begin(), run);
  return deadline.perform({ perform }, work);
}
