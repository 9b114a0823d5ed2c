/** Long work in this process gives others turns of the event loop. */
import { expect, onTestFinished, test } from 'vitest';
import { itemsInTurns } from '../../src/database/turns.js';
import { ListItems } from '../../src/graphql/guards/guards.js';

/** Numbers that each take a while. */
function* slowNumbers(count: number): Generator<number> {
  for (let number = 0; number < count; number++) {
    const from = performance.now();
    while (performance.now() < from + 25);
    yield number;
  }
}

test('the items of a list come with turns in between', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  onTestFinished(() => clearInterval(timer));
  const found: number[] = [];
  for await (const number of itemsInTurns(slowNumbers(8))) found.push(number);
  expect(found).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('they end with the request', async () => {
  const controller = new AbortController();
  const found: number[] = [];
  const reading = async () => {
    for await (const number of itemsInTurns(slowNumbers(100), controller.signal)) found.push(number);
  };
  const timer = setTimeout(() => controller.abort(new Error('over')), 60);
  onTestFinished(() => clearTimeout(timer));
  await expect(reading()).rejects.toThrow('over');
  expect(found.length).toBeLessThan(100);
});

test('items that fail before their turn throw when they are asked for, not as unhandled errors', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const items = Array.from({ length: 200 }, async (_, index) => {
    if (index % 2) throw new Error(`item ${index}`);
    return index;
  });
  for (const list of [items, items.slice(0, 10)]) {
    // Those behind the first hundred wait, and fail meanwhile.
    const settled = await Promise.allSettled(await new ListItems().inTurns(list));
    expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual(
      list.map((_, index) => (index % 2 ? `item ${index}` : index)),
    );
  }
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(unhandled).toEqual([]);
});

test('items of a list end with the request', async () => {
  const controller = new AbortController();
  controller.abort(new Error('over'));
  const lists = new ListItems();
  const settled = await Promise.allSettled(await lists.inTurns(Array(200).fill(1), controller.signal));
  expect(settled.every((each) => each.status === 'rejected' && each.reason.message === 'over')).toBe(true);
  // A short one behind it waits as a whole.
  await expect(lists.inTurns(Array(10).fill(1), controller.signal)).rejects.toThrow('over');
});

test('the lists of one field together have a turn of the event loop after each hundred items', async () => {
  const items = new ListItems();
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  onTestFinished(() => clearInterval(timer));
  const seen = Array.from({ length: 60 }, () => items.inTurns(Array(10).fill(1))).map(async (list) => {
    await Promise.all(await list);
    return turns;
  });
  const atTurns = await Promise.all(seen);
  expect(atTurns.slice(0, 10)).toEqual(Array(10).fill(0));
  expect(new Set(atTurns).size).toBeGreaterThanOrEqual(5);
});
