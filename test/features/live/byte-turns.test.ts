/** Streams that copy many bytes give others turns of the event loop in between. */
import { expect, test } from 'vitest';
import { TurnBudget } from '../../../src/features/live/read-record.js';

const megabyte = 1024 * 1024;

/** In which turns of the event loop so many takers at once may copy so many bytes each. */
async function turnsOf(takers: number, bytes: number): Promise<number[]> {
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns = new TurnBudget(megabyte, 4 * 1024);
  const taken = await Promise.all(
    Array.from({ length: takers }, async () => {
      await turns.take(bytes);
      return turn;
    }),
  );
  isOver = true;
  return taken;
}

const mostInOne = (turns: readonly number[]): number =>
  Math.max(...turns.map((turn) => turns.filter((each) => each === turn).length));

test('large events take a turn each, however many streams have one', async () => {
  expect(mostInOne(await turnsOf(20, megabyte))).toBe(1);
  expect(mostInOne(await turnsOf(20, 4 * megabyte))).toBe(1);
});

test('small events share turns, but not thousands of them one', async () => {
  const turns = await turnsOf(2_000, 100);
  expect(mostInOne(turns)).toBe(256);
  expect(new Set(turns).size).toBe(8);
});
