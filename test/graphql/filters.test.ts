/** The records that a filter matches, in single examples; `questions.slow.test.ts` tests the same with random filters. */
import { getNullableType, isEnumType, isInputObjectType, isLeafType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { authorColumns } from '../../src/model/resource.js';
import { documentedResources } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { schema } from '../support/schema.js';
import { ask } from './ask.js';
import { childLists } from './child-lists.js';
import { createQuotations } from './quotations.js';
import { statementsOf } from './statements.js';

const repairs = [
  { asset: 'Lathe', company: 'ACME', repairCost: 10, consumedItems: [{ itemCode: 'OIL', totalValue: 5 }] },
  { asset: 'lathe', company: null, repairCost: -1, consumedItems: [{ itemCode: 'OIL' }, { itemCode: 'SEAL' }] },
  { asset: 'Säge', company: 'Sägewerk', repairCost: 0, consumedItems: [] },
];
const all = ['Lathe', 'lathe', 'Säge'];

/** A singleton has no list. One with lines has a filter all the same, because its lines are filtered by it. */
const filtered = documentedResources.filter(
  ({ title, kind }) => kind !== 'singleton' || childLists.some(([parent]) => parent === title),
);

/** Made of what is stored: filters name the record itself by `id`. */
const derived = new Set(['displayTitle', 'storedStatus', 'recordId']);

test.each(filtered.map(({ title, kind }) => [title, kind] as const))(
  '%s: every value that is stored can be filtered and sorted by, but nothing is sorted by its authors',
  (title, kind) => {
    const type = schema.getType(modelName(title));
    const stored = Object.values(isObjectType(type) ? type.getFields() : {}).flatMap(({ name, type: output }) =>
      isLeafType(getNullableType(output)) && !derived.has(name) ? [name] : [],
    );
    const filter = schema.getType(`${modelName(title)}Filter`);
    expect(Object.keys(isInputObjectType(filter) ? filter.getFields() : {})).toEqual(expect.arrayContaining(stored));
    if (kind === 'singleton') return;
    const order = schema.getType(`${modelName(title)}SortField`);
    const sorted = isEnumType(order) ? order.getValues().map(({ value }) => value) : [];
    const isAuthor = (name: string) => authorColumns.some((author) => author === name);
    expect(sorted.sort()).toEqual(stored.filter((name) => !isAuthor(name)).sort());
  },
);

onBothDatabases((gateway) => {
  beforeAll(async () => {
    const inputs = repairs.map(({ consumedItems, ...repair }) => ({
      ...repair,
      failureDate: '2026-01-31',
      consumedItems: consumedItems.map((item) => ({ ...item, warehouse: 'Stores' })),
    }));
    const create =
      'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
    await ask(gateway(), create, { inputs });
  });

  describe('null equals nothing, and is neither less nor greater', () => {
    test.each([
      [{ company: { eq: 'ACME' } }, ['Lathe']],
      [{ company: { ne: 'ACME' } }, ['lathe', 'Säge']],
      [{ not: { company: { eq: 'ACME' } } }, ['lathe', 'Säge']],
      [{ company: { notIn: ['ACME'] } }, ['lathe', 'Säge']],
      [{ company: { lt: 'Z' } }, ['Lathe', 'Säge']],
      [{ not: { company: { lt: 'Z' } } }, ['lathe']],
      [{ company: { isNull: true } }, ['lathe']],
      [{ not: { company: { contains: 'ä' } } }, ['Lathe', 'lathe']],
    ])('%o', expectTaken);
  });

  describe('upper and lower case differ, and texts compare by code point', () => {
    test.each([
      [{ asset: { startsWith: 'l' } }, ['lathe']],
      [{ asset: { contains: 'ATH' } }, []],
      [{ asset: { gt: 'Sz' } }, ['lathe', 'Säge']],
      [{ asset: { in: ['LATHE', 'Säge'] } }, ['Säge']],
    ])('%o', expectTaken);
  });

  test('numbers in one list keep their digits, whatever their size', async () => {
    const [exact, large] = [0.30000000000000004, 1.7976931348623157e308];
    await createQuotations(gateway(), [{ grandTotal: exact }, { grandTotal: 0.3 }, { grandTotal: large }]);
    const query = `query ($numbers: [Float!]) {
      taken: quotations(where: { grandTotal: { in: $numbers } }) { totalCount }
      left: quotations(where: { grandTotal: { notIn: $numbers } }) { nodes { grandTotal } }
    }`;
    const { taken, left } = await ask(gateway(), query, { numbers: [exact, large] });
    expect(taken.totalCount).toBe(2);
    expect(left.nodes).toEqual([{ grandTotal: 0.3 }]);
  });

  describe('empty filters, and filters that match all records alike', () => {
    test.each([
      [{}, all],
      [{ not: {} }, []],
      [{ asset: {} }, all],
      [{ and: [] }, all],
      [{ or: [] }, []],
      [{ and: [{ or: [] }, { repairCost: { gte: -1 } }] }, []],
      [{ or: [{ and: [] }, { repairCost: { gt: 5 } }] }, all],
      [{ not: { or: [{ not: {} }, { repairCost: { gt: 5 } }] } }, ['lathe', 'Säge']],
      [{ asset: { in: [] } }, []],
      [{ asset: { notIn: [] } }, all],
      [{ asset: { isNull: true }, repairCost: { gte: -1 } }, []],
      [{ or: [{ asset: { isNull: false } }, { repairCost: { gt: 5 } }] }, all],
      [{ consumedItems: { some: { itemCode: { isNull: true }, totalValue: { isNull: true } } } }, []],
    ])('%o', expectTaken);
  });

  describe('by the lines', () => {
    test.each([
      [{ consumedItems: { some: {} } }, ['Lathe', 'lathe']],
      [{ consumedItems: { none: {} } }, ['Säge']],
      [{ consumedItems: { some: { itemCode: { eq: 'SEAL' } } } }, ['lathe']],
      [{ consumedItems: { every: { itemCode: { eq: 'OIL' } } } }, ['Lathe', 'Säge']],
      [{ not: { consumedItems: { every: { itemCode: { eq: 'OIL' } } } } }, ['lathe']],
      [{ consumedItems: { every: { totalValue: { gt: 1 } } } }, ['Lathe', 'Säge']],
      [{ consumedItems: { every: { totalValue: { ne: 5 } } } }, ['lathe', 'Säge']],
      [{ consumedItems: { some: {}, none: { totalValue: { isNull: true } } } }, ['Lathe']],
      [{ consumedItems: { some: { assetRepair: { repairCost: { lt: 0 } } } } }, ['lathe']],
    ])('%o', expectTaken);
  });

  test('values never reach SQL as text', async () => {
    const [text, number] = ['x\' OR "1"=1 --', 987654.25];
    const texts = {
      eq: text,
      ne: text,
      in: [text],
      notIn: [text],
      lt: text,
      gte: text,
      contains: text,
      startsWith: text,
    };
    const numbers = { eq: number, ne: number, in: [number], notIn: [number], lte: number, gt: number };
    const filter = {
      company: texts,
      repairCost: numbers,
      consumedItems: { none: { serialNo: texts, totalValue: numbers } },
    };
    const query = `query ($where: AssetRepairFilter!, $having: AssetRepairHaving) {
      assetRepairs(where: { or: [$where, { not: $where }] }, orderBy: { field: ASSET }) { nodes { id } totalCount }
      assetRepairAggregate(where: $where, groupBy: { field: ASSET }, having: $having) { groups { repairCost { sum } } }
    }`;
    const having = { repairCost: { sum: numbers }, failureDate: { min: texts } };
    const statements = await statementsOf(gateway(), query, { where: filter, having });
    expect(statements.length).toBeGreaterThan(1);
    expect(statements.join('\n')).not.toMatch(/OR "1"|987654/);
  });

  /** The assets of the records that a filter matches, in the order of their creation. */
  async function expectTaken(where: object, assets: string[]): Promise<void> {
    const query = `query ($where: AssetRepairFilter) {
      page: assetRepairs(where: $where, orderBy: { field: ID }) { nodes { asset } totalCount }
      numbers: assetRepairAggregate(where: $where) { count repairCost { sum } }
    }`;
    const { page, numbers } = await ask(gateway(), query, { where });
    expect(page).toEqual({ nodes: assets.map((asset) => ({ asset })), totalCount: assets.length });
    expect(numbers.count).toBe(assets.length);
  }
});
