/**
 * The number of SQL statements of queries: the same for few records and many, for one field and all, for one condition
 * and ten. Only nested lists add a statement each, and totals.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { resources } from '../support/resources.js';
import { ask } from './ask.js';
import { createRepair, createRepairs, repairInput, upTo } from './asset-repairs.js';
import { expectAsMany, statementsOf } from './statements.js';

const sizes = [1, 10, 40];
const widths = [1, 4, 8];

const repair = resources.find(({ model }) => model === 'AssetRepair');
const fields = repair?.fields.map(({ name }) => name) ?? [];
const orderNames = fields.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
const numbers = repair?.fields.flatMap(({ name, type }) => (type === 'Float' ? [name] : [])) ?? [];

/** This many different conditions that match every record. */
const conditions = (count: number) =>
  upTo(count).map((place) => ({ or: [true, false].map((isNull) => ({ [fields[place] ?? '']: { isNull } })) }));
const orders = (count: number) => orderNames.slice(0, count).map((field) => ({ field, nulls: 'FIRST' }));
const selection = (count: number) => fields.slice(0, count * 2).join(' ');

onBothDatabases((gateway) => {
  let ids: string[] = [];

  beforeAll(async () => {
    ids = await createRepairs(gateway(), 40, repairInput({ consumedItems: 3, purchaseInvoices: 1 }));
  });

  describe.each([
    ['a filter', 1, (width: number) => ({ where: { and: conditions(width) } }), ''],
    ['a filter by lines', 1, (width: number) => ({ where: byLines(width) }), ''],
    ['an order', 1, (width: number) => ({ orderBy: orders(width) }), ''],
    [
      'a filter and an order',
      2,
      (width: number) => ({ where: { or: conditions(width) }, orderBy: orders(width) }),
      'totalCount',
    ],
    [
      'a filter and an order of lines',
      2,
      (width: number) => ({
        lines: { and: upTo(width).map((idx) => ({ idx: { lt: idx + 3 } })) },
        orderBy: orders(width),
      }),
      'nodes { consumedItems(where: $lines, orderBy: [{ field: ITEM_CODE }, { field: IDX }], limit: 2) { id itemCode } }',
    ],
    [
      'lines of the parents of lines',
      4,
      (width: number) => ({ lines: byParent(width) }),
      'nodes { consumedItems(where: $lines, limit: 5) { assetRepair { consumedItems(orderBy: { field: WAREHOUSE }, limit: 5) { id } } } }',
    ],
    ['what can be done with each', 1, () => ({}), 'nodes { allowedActions actions { action allowed reason } }'],
  ])('%s', (_, most, variables, more) => {
    test('over 1, 10 and 40 records', async () => {
      await expectAsMany(
        gateway(),
        most,
        list(1, more),
        sizes.map((first) => ({ first, ...variables(1) })),
      );
    });

    test('1, 4 or 8 wide', async () => {
      const counts = new Set<number>();
      for (const width of widths) {
        counts.add((await statementsOf(gateway(), list(width, more), { first: 10, ...variables(width) })).length);
      }
      expect(counts.size, [...counts].join()).toBe(1);
    });
  });

  describe('an aggregate', () => {
    const query = (
      width: number,
    ) => `query ($where: AssetRepairFilter, $groupBy: [AssetRepairAggregateSort!], $first: Int!) {
      assetRepairAggregate(where: $where, groupBy: $groupBy, first: $first, orderBy: { field: ID, measure: COUNT, direction: DESC }) {
        groups { count ${numbers
          .slice(0, width)
          .map((name) => `${name} { sum max }`)
          .join(' ')} }
        hasMoreGroups
      }
    }`;

    test('1 for 1, 10 and 100 groups', async () => {
      const groupBy = [{ field: 'CREATED_AT' }, { field: 'UPDATED_AT' }];
      await expectAsMany(
        gateway(),
        1,
        query(1),
        sizes.map((first) => ({ first, groupBy })),
      );
    });

    test('1 for 1, 2 and 4 keys, conditions and measures', async () => {
      for (const width of [1, 2, 4]) {
        const groupBy = orderNames.slice(0, width).map((field) => ({ field }));
        const variables = { first: 10, groupBy, where: { and: conditions(width), ...byLines(width) } };
        expect(await statementsOf(gateway(), query(width), variables)).toHaveLength(1);
      }
    });
  });

  describe('a dry run', () => {
    const preview = `query ($id: ID!, $action: RecordAction!) {
      previewAction(id: $id, action: $action) { allowed reason changes { field from to } deletes { list count } }
    }`;

    test.each([
      [3, 'SUBMIT'],
      [3, 'CANCEL'],
      [3, 'DELETE'], // one for both of its lists
    ])('%i of %s, with 1, 10 and 200 lines', async (count, action) => {
      for (const consumedItems of sizes) {
        const { id } = await createRepair(gateway(), repairInput({ consumedItems, purchaseInvoices: consumedItems }));
        if (action === 'CANCEL')
          await ask(gateway(), 'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id });
        expect(await statementsOf(gateway(), preview, { id, action })).toHaveLength(count);
      }
    });

    test('of a save, with 1, 10 and 200 lines and any number of fields', async () => {
      const query = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
        saveAssetRepair(id: $id, input: $input, validateOnly: true) { changes { fields lines { created deleted } } }
      }`;
      const counts = new Set<number>();
      for (const consumedItems of sizes) {
        const { id } = await createRepair(gateway(), repairInput({ consumedItems }));
        const texts = Object.fromEntries(
          ['asset', 'project', 'company'].slice(0, consumedItems).map((name) => [name, 'x']),
        );
        const { consumedItems: lines } = repairInput({ consumedItems });
        counts.add((await statementsOf(gateway(), query, { id, input: { ...texts, consumedItems: lines } })).length);
      }
      expect([...counts]).toEqual([5]);
    });
  });

  test('a node, one of each type or of one', async () => {
    const query =
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on AssetRepair { actions { action } consumedItems { id } } } }';
    await expectAsMany(
      gateway(),
      2,
      query,
      [1, 10, 100].map((count) => ({ ids: ids.slice(0, count) })),
    );
  });
});

function list(width: number, more: string): string {
  const lines = more.includes('$lines') ? ', $lines: AssetRepairConsumedItemFilter' : '';
  return `query ($first: Int, $where: AssetRepairFilter, $orderBy: [AssetRepairSort!]${lines}) {
    assetRepairs(first: $first, where: $where, orderBy: $orderBy) {
      nodes { id ${selection(width)} }
      pageInfo { hasNextPage endCursor }
      ${more}
    }
  }`;
}

const byLines = (width: number) => ({
  consumedItems: {
    some: { and: conditionsOnLines(width) },
    every: { or: conditionsOnLines(width) },
    none: { itemCode: { startsWith: 'none' } },
  },
});

const byParent = (width: number) => ({ assetRepair: { and: conditions(width) } });

const conditionsOnLines = (count: number) => upTo(count).map((place) => ({ idx: { lt: place + 10 } }));
