/** LIKE on SQLite finds what JavaScript finds, for texts and patterns of any length, in linear time. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { like } from '../../src/database/sqlite/sqlite-like.js';
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

test('wildcards within are wildcards', () => {
  expect(['a_c', 'a%c', '_%_', 'a\\_c', '%b%c%'].map((pattern) => like(pattern, 'abc'))).toEqual([1, 1, 1, 0, 1]);
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

  test('a filter may be as long as the text it is asked of, and repeat itself as often', async () => {
    const half = 'a'.repeat(200_000);
    const [id] = await createRepairs(gateway, 1, repairInput({ asset: `${half}${half}` }));
    const query = 'query ($where: AssetRepairFilter!) { assetRepairs(where: $where) { nodes { id } } }';
    const found = async (where: object) => (await ask(gateway, query, { where: { asset: where } })).assetRepairs.nodes;
    for (const operator of ['contains', 'startsWith']) {
      expect(await found({ [operator]: half })).toEqual([{ id }]);
      expect(await found({ [operator]: `${half.slice(1)}b` })).toEqual([]);
    }
    // V8's own search takes seconds for this one, for each record.
    const start = performance.now();
    expect(await found({ contains: `${half.slice(100_000)}b${half.slice(100_000)}` })).toEqual([]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
