import { expect, test } from 'vitest';
import { createSerialQueue } from '../../src/database/queues.js';
import { gate } from '../support/sqlite.js';

/** Work that records its begin, and ends when the test says so. */
function work(name: string, begun: string[]) {
  const { opened, open } = gate();
  const run = async () => {
    begun.push(name);
    await opened;
    return name;
  };
  return { run, end: open };
}

test('work begins at once where nothing is under way, and else when that has ended, in the order it came', async () => {
  const inTurn = createSerialQueue();
  const begun: string[] = [];
  const [first, second, third] = [work('first', begun), work('second', begun), work('third', begun)];
  const answers = [inTurn(first.run), inTurn(second.run), inTurn(third.run)];
  expect(begun).toEqual(['first']);
  third.end();
  first.end();
  await answers[0];
  expect(begun).toEqual(['first', 'second']);
  second.end();
  expect(await Promise.all(answers)).toEqual(['first', 'second', 'third']);
  expect(begun).toEqual(['first', 'second', 'third']);
  void inTurn(work('later', begun).run);
  expect(begun.at(-1)).toBe('later');
});

test('work that waits behind a failure is not begun and fails too, except the final step; later work is done', async () => {
  const inTurn = createSerialQueue();
  const begun: string[] = [];
  const fail = async () => {
    await Promise.resolve();
    throw new Error('on purpose');
  };
  const { run } = work('never', begun);
  const outcomes = await Promise.allSettled([
    inTurn(fail),
    inTurn(run),
    inTurn(async () => 'rolled back', { last: true }),
  ]);
  const reason = new Error('on purpose');
  expect(outcomes).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
    { status: 'fulfilled', value: 'rolled back' },
  ]);
  expect(begun).toEqual([]);
  expect(await inTurn(async () => 'later')).toBe('later');
});
