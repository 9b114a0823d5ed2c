/** The text of an answer is written in pieces, and not at all if it is too large. */
import { expect, test } from 'vitest';
import { jsonText, jsonTextInTurns } from '../../src/graphql/limits/json-text.js';

const long = 'aé€😀"\\\u0001\ud800'.repeat(100);
const values: unknown[] = [
  null,
  0,
  -0,
  1e21,
  Number.NaN,
  true,
  'text',
  long,
  [],
  {},
  [[], {}, [null]],
  { a: undefined, b: 1, [long]: long, 'a"b': { c: [{ d: long }, long, long] } },
  Object.assign(Object.create(null), { of: 'no prototype', long }),
  { at: new Date(0), of: [new Date(1), long] },
  Array.from({ length: 3000 }, (_, index) => ({ id: `id${index}`, line: index % 7 ? null : { text: long, index } })),
];

test.each(values.map((value, index) => ({ index, value })))(
  'value $index is written as by JSON.stringify',
  async ({ value }) => {
    const expected = JSON.stringify(value);
    const bytes = Buffer.byteLength(expected);
    expect(jsonText(value, bytes)).toBe(expected);
    expect(await jsonTextInTurns(value, bytes)).toBe(expected);
    expect(jsonText(value, bytes - 1)).toBeUndefined();
    expect(await jsonTextInTurns(value, bytes - 1)).toBeUndefined();
  },
);

test('a text that occurs very often is not written beyond the limit', () => {
  const text = 'x'.repeat(1_000_000);
  const before = process.memoryUsage().rss;
  expect(jsonText(Array(10_000).fill({ text }), 5_000_000)).toBeUndefined();
  expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000);
});
