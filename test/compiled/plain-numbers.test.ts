import { expect, it } from 'vitest';
import { numberKey } from '../../src/query/sql/record-form.js';
import { withPlainNumbers } from '../../src/query/sql/record-reader.js';
import { Sqlite } from '../support/sqlite-library.js';

const database = new Sqlite(':memory:');
const statement = database.prepare<[string, string, number, number, number | null], string>(
  `SELECT json_object('text', ?, '${numberKey('a')}', ?, 'b', ?, '${numberKey('c')}', ?)`.replace('?', 'concat(?, ?)'),
);

function written(number: number, text = ''): string {
  const whole = statement.pluck().get(text, '', number, 1, number);
  return withPlainNumbers(Buffer.from(whole ?? '').toString('latin1'));
}

const odd = [0, -0, 80, -80, 0.1, 1 / 3, 2 / 3, 0.1 + 0.2, 120.37, 1e15, 123456789012345, 1234567890123456, 1e16, 1e20];
const extreme = [1e21, 1e22, 1.5e300, 1e-6, 1e-7, 5e-324, Number.MAX_VALUE, Number.EPSILON, 2 ** 53, -(2 ** 63)];

/** Doubles with random bits, and doubles in the range of prices. */
function randomNumbers(): number[] {
  const bits = new DataView(new ArrayBuffer(8));
  const anything = Array.from({ length: 20_000 }, () => {
    for (let index = 0; index < 8; index++) bits.setUint8(index, Math.random() * 256);
    return bits.getFloat64(0);
  });
  const prices = Array.from({ length: 20_000 }, () => Math.random() * 10 ** Math.floor(Math.random() * 12 - 4));
  return [...anything.filter(Number.isFinite), ...prices, ...prices.map((price) => Math.round(price * 100) / 100)];
}

it('writes numbers of SQLite as JSON.stringify does', () => {
  const right = (number: number) => `{"text":"","a":${JSON.stringify(number)},"b":1.0,"c":${JSON.stringify(number)}}`;
  const wrong = [...odd, ...extreme, ...randomNumbers()].filter((number) => written(number) !== right(number));
  expect(wrong).toEqual([]);
});

it('leaves texts as they are, whatever they contain', () => {
  for (const text of ['\u0001', '\u0001":80.0', '\\u0001":80.0', '"a\u0001":80.0,', '\\', 'ü\u0001":1.0}']) {
    const bytes = Buffer.from(JSON.stringify(text)).toString('latin1');
    expect(written(80, text)).toBe(`{"text":${bytes},"a":80,"b":1.0,"c":80}`);
  }
});

it('leaves null', () => {
  const whole = statement.pluck().get('', '', 1, 1, null) ?? '';
  expect(withPlainNumbers(whole)).toBe('{"text":"","a":1,"b":1.0,"c":null}');
});
