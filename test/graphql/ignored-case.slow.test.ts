/** Parts of texts are found whatever their case, as JavaScript's regular expressions find them, on both ways. */
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';

const texts = [
  ['LATHE-7', 'lathe'],
  ['Sägewerk', 'säge'],
  ['SÄGEWERK', 'säge'],
  ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['ΟΔΟΣ', 'οδός'.replace('ό', 'ο')],
  ['\u{10400}\u{10401}', '\u{10428}'],
  ['ЖУК', 'жук'],
  ['\u212a\u017f', 'ks'],
  ['STRASSE', 'straße'],
  ['STRAẞE', 'straße'],
  ['İstanbul', 'istanbul'],
  ['ısı', 'ISI'],
  ['A\u0308pfel', 'ä'],
  ['A\u0308pfel', 'a\u0308P'],
  ['100%_\\ A', '%_\\ a'],
  ['10000 A', '%_\\ a'],
] as const;
/** Letters whose cases are many, of several characters, or behind the first plane, and what patterns are written with. */
const letters = [
  ...'aAbBkK\u212asSſßẞıIİiÄäA\u0308ΣσςǄǅǆΐ\u1fd3ﬅﬆᾳᾼµμΜÿŸꮿꞬ',
  '\u{10400}',
  '\u{10428}',
  '\u{1e921}',
  '\u{1e943}',
  '😀',
  '%',
  '_',
  '\\',
  '-',
  ']',
  "'",
];
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 6 });
const operators = ['contains', 'startsWith', 'endsWith'] as const;
type Operator = (typeof operators)[number];

/** What regular expressions find, which fold case by tables of their own. */
function finds(operator: Operator, value: string | null, part: string): boolean {
  if (value === null) return false;
  const literal = [...part].map((letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`).join('');
  const [start, end] = [operator === 'startsWith' ? '^' : '', operator === 'endsWith' ? '$' : ''];
  return new RegExp(`${start}(?:${literal})${end}`, 'iu').test(value);
}

const list = `query ($where: AssetRepairFilter, $not: AssetRepairFilter, $lines: AssetRepairConsumedItemFilter) {
  taken: assetRepairs(where: $where, first: 1000, orderBy: { field: ID }) {
    totalCount nodes { description consumedItems(where: $lines) { serialNo } }
  }
  left: assetRepairs(where: $not, first: 1000, orderBy: { field: ID }) { nodes { description } }
  counted: assetRepairAggregate(where: $where) { count repairCost { sum } }
}`;

describe.each([true, false])('compiled: %s', (compiled) => {
  onBothDatabases(
    (gateway) => {
      /** All descriptions, oldest first. */
      let stored: (string | null)[];
      beforeAll(async () => {
        const random = fc.sample(text, { numRuns: 60, seed: 7 });
        stored = [null, ...texts.map(([value]) => value), ...random];
        const inputs = stored.map((description) => ({
          asset: 'a',
          failureDate: '2026-01-31',
          description,
          consumedItems: [{ itemCode: 'a', warehouse: 'a', serialNo: description }],
        }));
        const create =
          'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
        await ask(gateway(), create, { inputs });
      });

      async function compare(operator: Operator, part: string): Promise<void> {
        const condition = { [operator]: part, ignoreCase: true };
        const data = await ask(gateway(), list, {
          where: { description: condition, consumedItems: { some: { serialNo: condition } } },
          not: { not: { description: condition } },
          lines: { serialNo: condition },
        });
        const found = stored.filter((value) => finds(operator, value, part));
        expect(data.taken.nodes, `${operator} ${part}`).toEqual(
          found.map((value) => ({ description: value, consumedItems: [{ serialNo: value }] })),
        );
        expect(data.taken.totalCount).toBe(found.length);
        expect(data.counted.count).toBe(found.length);
        const others = stored.filter((value) => !finds(operator, value, part));
        expect(data.left.nodes).toEqual(others.map((description) => ({ description })));
      }

      test.each(texts)('%s, sought by %s', (_, part) => compare('contains', part));

      test('at random', { timeout: 60_000 }, async () => {
        for (const [operator, part] of fc.sample(fc.tuple(fc.constantFrom(...operators), text), 60)) {
          await compare(operator, part);
        }
      });

      test('a lathe and a saw mill are found, and without `ignoreCase` are not', async () => {
        const query = `{
          lathe: assetRepairs(where: { description: { contains: "lathe", ignoreCase: true } }) { nodes { description } }
          mill: assetRepairs(where: { description: { startsWith: "säge", ignoreCase: true } }) { totalCount }
          end: assetRepairs(where: { description: { endsWith: "WERK", ignoreCase: true } }) { totalCount }
          none: assetRepairs(where: { description: { contains: "lathe" } }) { totalCount }
          ends: assetRepairs(where: { description: { endsWith: "werk", ignoreCase: false } }) { totalCount }
        }`;
        expect(await ask(gateway(), query)).toEqual({
          lathe: { nodes: [{ description: 'LATHE-7' }] },
          mill: { totalCount: 2 },
          end: { totalCount: 2 },
          none: { totalCount: 0 },
          ends: { totalCount: 1 },
        });
      });

      test('a document as it was shows the same lines', async () => {
        const query = `query ($id: ID!, $asOf: DateTime, $where: AssetRepairConsumedItemFilter) {
          assetRepair(id: $id, asOf: $asOf) { consumedItems(where: $where) { idx } }
        }`;
        const consumedItems = stored.map((serialNo) => ({ itemCode: 'a', warehouse: 'a', serialNo }));
        const input = { asset: 'a', failureDate: '2026-01-31', consumedItems };
        const { created } = await ask(
          gateway(),
          'mutation ($input: CreateAssetRepairInput!) { created: createAssetRepair(input: $input) { record { id updatedAt } } }',
          { input },
        );
        const { id, updatedAt } = created.record;
        for (const [operator, part] of fc.sample(fc.tuple(fc.constantFrom(...operators), text), 20)) {
          const where = { serialNo: { [operator]: part, ignoreCase: true } };
          const past = await ask(gateway(), query, { id, asOf: updatedAt, where });
          expect(past).toEqual(await ask(gateway(), query, { id, where }));
        }
        await ask(gateway(), 'mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id });
      });

      test('by itself it is refused, because `eq` would be exact all the same', async () => {
        const { extensions } = await refusal(
          gateway(),
          'query ($where: AssetRepairFilter) { assetRepairs(where: $where) { totalCount } }',
          { where: { asset: { eq: 'lathe', ignoreCase: true } } },
        );
        expect(extensions.errors).toEqual([
          {
            param: 'where.asset.ignoreCase',
            code: 'parameter_invalid',
            message: expect.stringContaining('has no effect by itself; give `contains` or `startsWith` or `endsWith`'),
          },
        ]);
        const literal = await refusal(
          gateway(),
          '{ assetRepairs(where: { asset: { eq: "lathe", ignoreCase: true } }) { totalCount } }',
        );
        expect(literal.extensions.errors).toEqual(extensions.errors);
      });
    },
    { compiled },
  );
});
