/** LIKE on SQLite finds what JavaScript finds, for texts and patterns of any length, in linear time. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { like } from '../../src/database/sqlite/sqlite-functions.js';
import { ask } from '../graphql/ask.js';
import { createRepairs, repairInput } from '../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');
const few = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '\\', '\n', '😀'), maxLength: 8 });

describe('a literal is found as JavaScript finds it', () => {
  test('of few characters', () => {
    fc.assert(
      fc.property(few, few, (text, part) => {
        const literal = escaped(part);
        expect(like(`%${literal}%`, text)).toBe(text.includes(part) ? 1 : 0);
        expect(like(`${literal}%`, text)).toBe(text.startsWith(part) ? 1 : 0);
        expect(like(`%${literal}`, text)).toBe(text.endsWith(part) ? 1 : 0);
        expect(like(literal, text)).toBe(text === part ? 1 : 0);
      }),
    );
  });

  test('of many', () => {
    const many = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 201, maxLength: 300 });
    fc.assert(
      fc.property(many, few, few, (part, before, after) => {
        expect(like(`%${part}%`, before + part + after)).toBe(1);
        expect(like(`%${part}%`, before + part.slice(0, -1))).toBe((before + part.slice(0, -1)).includes(part) ? 1 : 0);
      }),
    );
  });
});

test('wildcards within are refused, because no filter has any', () => {
  for (const pattern of ['a_c', 'a%c', '_%_', '%b%c%']) expect(() => like(pattern, 'abc')).toThrow('wildcards');
  expect(like('a\\_c', 'abc')).toBe(0);
  expect(like('%', '')).toBe(1);
  expect(like('%%', 'x')).toBe(1);
  expect(like('', '')).toBe(1);
});

describe('on SQLite', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  test('a long part is found in a longer text that repeats itself', async () => {
    const half = 'a'.repeat(200_000);
    const [id] = await createRepairs(gateway, 1, repairInput({ asset: `${half}${half}` }));
    const query = 'query ($where: AssetRepairFilter!) { assetRepairs(where: $where) { nodes { id } } }';
    const found = async (where: object) => (await ask(gateway, query, { where: { asset: where } })).assetRepairs.nodes;
    const longest = half.slice(0, 500);
    for (const operator of ['contains', 'startsWith']) {
      expect(await found({ [operator]: longest })).toEqual([{ id }]);
      expect(await found({ [operator]: `${longest.slice(1)}b` })).toEqual([]);
    }
  });

  // V8's own search takes seconds for such a part. A filter takes at most 500 characters, and LIKE in SQL any number.
  test('a part that almost fits at each place is looked for in time that grows with the text alone', () => {
    const run = 'a'.repeat(100_000);
    const start = performance.now();
    expect(like(`%${run}b${run}%`, run.repeat(4))).toBe(0);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
