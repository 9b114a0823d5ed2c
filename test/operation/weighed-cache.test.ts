import { expect, test } from 'vitest';
import { WeighedCache } from '../../src/common/kept.js';

const ofOne = () => 1;

test('a full cache forgets the oldest that was not used', () => {
  const cache = new WeighedCache<number>(2, ofOne);
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect(cache.get('b')).toBeUndefined();
  expect([cache.get('a'), cache.get('c'), cache.size]).toEqual([1, 3, 2]);
});

test('a full cache all of which was used forgets the oldest', () => {
  const cache = new WeighedCache<number>(2, ofOne);
  cache.set('a', 1);
  cache.set('b', 2);
  expect([cache.get('a'), cache.get('b')]).toEqual([1, 2]);
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([undefined, 2, 3, 2]);
});

test('a heavy entry replaces as many others as it weighs, and one that is too heavy replaces none', () => {
  const forgotten: string[] = [];
  const cache = new WeighedCache<number>(
    10,
    (_key, weight) => weight,
    (key) => forgotten.push(key),
  );
  for (const key of ['a', 'b', 'c', 'd', 'e']) cache.set(key, 2);
  cache.set('f', 5);
  expect([forgotten, cache.weight]).toEqual([['a', 'b', 'c'], 9]);
  cache.set('g', 11);
  expect([cache.get('g'), cache.get('f'), cache.weight]).toEqual([undefined, 5, 9]);
  cache.set('f', 1);
  expect([forgotten.at(-1), cache.weight]).toEqual(['f', 5]);
  cache.delete('d');
  expect(cache.weight).toBe(3);
});
