/** Long work in this process lets others have a turn of the event loop. */
import { expect, onTestFinished, test } from 'vitest';
import { itemsInTurns } from '../../src/database/turns.js';

/** Numbers each of which takes a while. */
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
