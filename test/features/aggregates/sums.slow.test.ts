/**
 * Sums are those of the decimals that the numbers are written as, exact until they become the nearest double: the same on
 * both databases, in any order, in groups, in totals, in `having` and in the order of groups.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fill } from '../../graphql/questions/data.js';
import { openPlain, type Plain } from '../../graphql/questions/plain-database.js';
import { createQuotations } from '../../graphql/quotations.js';
import { providers } from '../../support/database.js';
import type { TestGateway } from '../../support/gateway.js';
import { oddDoubles } from '../../support/odd-doubles.js';
import { seed } from '../../support/seed.js';
import { sharedGateway } from '../../support/shared-gateway.js';
import { runs } from '../../support/thorough.js';

/** The numbers of each group, and what their group is expected to show. */
const groups = groupsOfNumbers();
const expected = groups.map((numbers, index) => ({ asset: assetOf(index), ...measuresOf(numbers) }));

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  let plain: Plain;

  beforeAll(async () => {
    gateway = await sharedGateway(provider, true);
    plain = await openPlain(provider, gateway.config.databaseUrl);
  });
  afterAll(() => plain.close());

  test('twenty times 0.1 are 2 in the whole, in its groups and in their conditions', async () => {
    const records = Array.from({ length: 20 }, () => ({ grandTotal: 0.1, company: 'Tenths' }));
    await createQuotations(gateway, records);
    const { body } = await gateway.graphql(`{
      quotationAggregate(where: { company: { eq: "Tenths" } }, groupBy: [{ field: COMPANY }], having: {
        grandTotal: { sum: { eq: 2 }, avg: { lte: 0.1 } }
      }) { grandTotal { sum avg } groups { count grandTotal { sum avg } } }
    }`);
    const measured = { grandTotal: { sum: 2, avg: 0.1 } };
    expect(body.data.quotationAggregate).toEqual({ ...measured, groups: [{ count: 20, ...measured }] });
  });

  test('of any numbers, to the last bit', { timeout: 300_000 }, async () => {
    await fill(plain, new Map([['AssetRepair', groups.flatMap(repairsOf)]]));
    const shown = expected.filter(({ sum }) => sum === null || Number.isFinite(sum));

    const answers = await askGroups(`having: { failureDate: { max: { gt: "1" } }, count: { gt: 0 } }`, shown);
    expect(answers).toEqual(shown);

    for (const { asset, sum, avg } of shown.slice(0, runs(24, 60))) {
      if (sum === null) continue;
      const found = await groupsWith(asset, `{ totalRepairCost: { sum: { eq: ${sum} }, avg: { eq: ${avg} } } }`);
      expect(found, `${asset} ${sum}`).toEqual([asset]);
      expect(await groupsWith(asset, `{ totalRepairCost: { sum: { gt: ${sum} } } }`)).toEqual([]);
    }
  });

  test('groups stand in the order of their sums', async () => {
    const { body } = await gateway.graphql(`{ assetRepairAggregate(
      where: { asset: { startsWith: "group" } }, first: 1000, groupBy: [{ field: ASSET }]
      orderBy: [{ measure: SUM, field: TOTAL_REPAIR_COST, direction: DESC, nulls: LAST }]
    ) { groups { asset { key } } } }`);
    const height = ({ sum }: { sum: number | null }) => sum ?? Number.NaN;
    const order = expected.toSorted((one, other) => {
      if (one.sum === null || other.sum === null) return Number(one.sum === null) - Number(other.sum === null);
      return height(other) === height(one) ? (one.asset < other.asset ? -1 : 1) : height(other) > height(one) ? 1 : -1;
    });
    expect(body.data.assetRepairAggregate.groups.map(({ asset }: Keyed) => asset.key)).toEqual(
      order.map(({ asset }) => asset),
    );
  });

  /** By a hundred groups: the sums beyond all doubles are refused where they are shown. */
  async function askGroups(having: string, shown: { asset: string }[]) {
    const found: unknown[] = [];
    for (let start = 0; start < shown.length; start += 100) {
      const assets = shown.slice(start, start + 100).map(({ asset }) => asset);
      const { body } = await gateway.graphql(
        `query ($assets: [String!]) { assetRepairAggregate(
          where: { asset: { in: $assets } }, groupBy: [{ field: ASSET }], ${having}, first: 1000
        ) { groups { asset { key } totalRepairCost { sum avg } } } }`,
        { assets },
      );
      expect(body.errors).toBeUndefined();
      for (const { asset, totalRepairCost } of body.data.assetRepairAggregate.groups) {
        found.push({ asset: asset.key, ...totalRepairCost });
      }
    }
    return found;
  }

  async function groupsWith(asset: string, having: string): Promise<string[]> {
    const { body } = await gateway.graphql(`{ assetRepairAggregate(
      where: { asset: { eq: "${asset}" } }, groupBy: [{ field: ASSET }], having: ${having}
    ) { groups { asset { key } } } }`);
    expect(body.errors).toBeUndefined();
    return body.data.assetRepairAggregate.groups.map(({ asset }: Keyed) => asset.key);
  }
});

interface Keyed {
  asset: { key: string };
}

function assetOf(index: number): string {
  return `group ${String(index).padStart(4, '0')}`;
}

function repairsOf(numbers: (number | null)[], index: number) {
  return numbers.map((totalRepairCost, place) => ({
    id: `asset-repair_${String(index).padStart(6, '0')}${String(place).padStart(20, '0')}`,
    asset: assetOf(index),
    failureDate: '2026-11-20',
    status: 'draft',
    totalRepairCost,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  }));
}

/** Amounts, doubles of every size, numbers that cancel each other out, and the ends of the range. */
function groupsOfNumbers(): (number | null)[][] {
  const odd = oddDoubles(3000, seed);
  const amounts = fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map((cents) => cents / 100);
  const alike = fc.tuple(fc.integer({ min: 0, max: odd.length - 1 }), fc.nat({ max: 30 }));
  const numbers = fc.oneof(
    fc.array(fc.option(amounts, { freq: 6 }), { maxLength: 30 }),
    fc.array(fc.constantFrom(...odd), { maxLength: 6 }),
    fc.array(fc.constantFrom(0.1, 0.2, 0.3, -0.3, 1e15, -1e15, 1e16, 1e-5, 1 / 3, 2 ** 53, 1), { maxLength: 30 }),
    alike.map(([from, count]) => odd.slice(from, from + count).flatMap((number) => [number, -number, 0.1])),
  );
  const ends = [
    [null, null],
    [-0],
    [-0, -0],
    [5e-324, 5e-324],
    [5e-324, -5e-324],
    [4.94e-322, -4.9e-322],
    [1.5e-323, 0, 0, 0, 0, 0, 0],
    [5e-324, 0],
    [5e-324, 0, 0],
    [1e308, 1e308],
    [-1e308, -1e308],
    [1e308, 1e308, -1e308],
    [Number.MAX_VALUE, 1e291],
    [Number.MAX_VALUE, 9.9e291],
    [Number.MAX_VALUE, 1e292],
    [1e308, 5e-324],
    [2 ** 53, 1],
    [2 ** 53, 1, 1],
    [1e23, -1e22],
    Array.from({ length: 2000 }, () => 999_999_999_999_999),
    Array.from({ length: 2000 }, () => -99_999_999_999.9999),
  ];
  return [...ends, ...fc.sample(numbers, { seed, numRuns: runs(30, 150) })].filter((group) => group.length > 0);
}

/** The sum and the average with big integers, as JavaScript reads the numbers. */
function measuresOf(numbers: (number | null)[]): { sum: number | null; avg: number | null } {
  const added = numbers.filter((number) => number !== null);
  if (added.length === 0) return { sum: null, avg: null };
  const sum = Number(`${added.reduce((total, number) => total + inUnits(number), 0n)}e-400`) + 0;
  return { sum, avg: sum / added.length + 0 };
}

/** The decimal a number is written as, in units of 1e-400. */
function inUnits(number: number): bigint {
  const [digits = '', exponent = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(400 + Number(exponent) - fraction.length);
}
