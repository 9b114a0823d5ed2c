/** Records are counted and summed up, as a whole and in groups, under the filters of the lists. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type DocumentedResource, documentedResources } from '../contract/document.js';
import { documentedFields } from '../contract/documented-fields.js';
import { camel, oneOf } from '../contract/graphql-names.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, repairInput } from './asset-repairs.js';
import { createQuotations } from './quotations.js';
import { createRecord } from './records.js';
import { statementsOf } from './statements.js';

const sold = [
  { transactionDate: '2025-12-31', grandTotal: 100, territory: 'North', groupSameItems: true },
  { transactionDate: '2026-01-05', grandTotal: 10.5, territory: 'North' },
  { transactionDate: '2026-01-31T23:59', grandTotal: 20.25, territory: 'South' },
  { transactionDate: '2026-02-01', grandTotal: null, territory: 'South' },
  { transactionDate: '2026-02-28', grandTotal: -5, territory: null },
  { transactionDate: 'soon', grandTotal: 1, territory: null, status: 'submitted' },
];

onBothDatabases((gateway, share) => {
  beforeAll(async () => {
    const ids = await createQuotations(
      gateway(),
      sold.map(({ status: _, ...record }) => record),
    );
    await ask(gateway(), 'mutation ($id: ID!) { submitQuotation(id: $id) { id } }', { id: ids.at(-1) });
  });

  test('quotations by status and month with their grand totals', async () => {
    const answer = await aggregate(`(groupBy: [{ field: STATUS }, { field: TRANSACTION_DATE, by: MONTH }]) {
      groups { keys { status transactionDate } count sum { grandTotal } avg { grandTotal } }
    }`);
    const group = (status: string, transactionDate: string, count: number, sum: number | null, avg: number | null) => ({
      keys: { status, transactionDate },
      count,
      sum: { grandTotal: sum },
      avg: { grandTotal: avg },
    });
    expect(answer.groups).toEqual([
      group('draft', '2025-12', 1, 100, 100),
      group('draft', '2026-01', 2, 30.75, 15.375),
      group('draft', '2026-02', 2, -5, -5),
      group('submitted', 'soon', 1, 1, 1),
    ]);
  });

  test('all records as a whole, and what is asked of them under aliases and in fragments', async () => {
    const answer = await aggregate(`{
      count
      sum { grandTotal rounded: roundedTotal }
      ... on QuotationAggregate { avg { ...sums } }
      least: min { grandTotal transactionDate territory }
      most: max { ...extremes createdAt }
      __typename
    }
    } fragment sums on QuotationSums { grandTotal __typename }
    fragment extremes on QuotationExtremes { grandTotal transactionDate territory`);
    expect(answer).toEqual({
      count: 6,
      sum: { grandTotal: 126.75, rounded: null },
      avg: { grandTotal: 25.35, __typename: 'QuotationSums' },
      least: { grandTotal: -5, transactionDate: '2025-12-31', territory: 'North' },
      most: {
        grandTotal: 100,
        transactionDate: 'soon',
        territory: 'South',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      __typename: 'QuotationAggregate',
    });
  });

  test('a whole beside its groups, which `where` bounds and `having` does not', async () => {
    const answer = await aggregate(`(
      where: { grandTotal: { gt: 0 } }, groupBy: [{ field: TERRITORY }], having: { count: { gt: 1 } }
    ) { count groups { keys { territory } count } }`);
    expect(answer).toEqual({ count: 4, groups: [{ keys: { territory: 'North' }, count: 2 }] });
  });

  test('no records are one group of none, and no groups', async () => {
    const none = 'where: { company: { eq: "nobody" } }';
    expect(await aggregate(`(${none}) { count sum { grandTotal } max { company } groups { count } }`)).toEqual({
      count: 0,
      sum: { grandTotal: null },
      max: { company: null },
      groups: [{ count: 0 }],
    });
    expect(await aggregate(`(${none}, groupBy: { field: STATUS }) { groups { count } hasMoreGroups }`)).toEqual({
      groups: [],
      hasMoreGroups: false,
    });
  });

  describe('groups', () => {
    test('of records without a value have null for a key, and stand last', async () => {
      expect(await keysOf('groupBy: { field: TERRITORY }', 'territory')).toEqual(['North', 'South', null]);
    });

    test.each([
      ['YEAR', ['2025', '2026', 'soon']],
      ['MONTH', ['2025-12', '2026-01', '2026-02', 'soon']],
      ['DAY', ['2025-12-31', '2026-01-05', '2026-01-31', '2026-02-01', '2026-02-28', 'soon']],
    ])('by the %s of a text that holds a date', async (part, keys) => {
      expect(await keysOf(`groupBy: { field: TRANSACTION_DATE, by: ${part} }`, 'transactionDate')).toEqual(keys);
    });

    test('by the part of an instant, and by the instant itself, as text in UTC', async () => {
      const { max } = await aggregate('{ max { createdAt } }');
      const year = await aggregate('(groupBy: { field: CREATED_AT, by: DAY }) { groups { keys { createdAt } count } }');
      expect(year.groups).toEqual([{ keys: { createdAt: max.createdAt.slice(0, 10) }, count: 6 }]);
      expect((await keysOf('groupBy: { field: CREATED_AT }', 'createdAt')).at(-1)).toBe(max.createdAt);
    });

    test('by numbers and by truth', async () => {
      const grandTotals = [-5, 1, 10.5, 20.25, 100, null];
      expect(await keysOf('groupBy: { field: GRAND_TOTAL }', 'grandTotal')).toEqual(grandTotals);
      expect(await keysOf('groupBy: { field: GROUP_SAME_ITEMS }', 'groupSameItems')).toEqual([false, true]);
    });

    test('a key that is not grouped by is null', async () => {
      const { groups } = await aggregate('(groupBy: { field: STATUS }) { groups { keys { status company } } }');
      expect(groups[0].keys).toEqual({ status: 'draft', company: null });
    });

    test.each([
      ['{ field: TERRITORY, direction: DESC }', ['South', 'North', null]],
      ['{ field: TERRITORY, direction: DESC, nulls: FIRST }', [null, 'South', 'North']],
      ['{ measure: SUM, field: GRAND_TOTAL, direction: DESC }', ['North', 'South', null]],
      ['{ measure: AVG, field: GRAND_TOTAL }', [null, 'South', 'North']],
      ['{ measure: MIN, field: TRANSACTION_DATE, direction: DESC }', [null, 'South', 'North']],
      ['{ measure: MAX, field: ROUNDED_TOTAL, nulls: FIRST }', ['North', 'South', null]],
      ['[{ measure: COUNT }, { field: TERRITORY, direction: DESC }]', ['South', 'North', null]],
    ])('ordered by %s', async (orderBy, keys) => {
      expect(await keysOf(`groupBy: { field: TERRITORY }, orderBy: ${orderBy}`, 'territory')).toEqual(keys);
    });

    test.each([
      ['{ count: { lt: 2 } }', ['2025-12', 'soon']],
      ['{ sum: { grandTotal: { gte: 30.75 } } }', ['2025-12', '2026-01']],
      ['{ avg: { grandTotal: { in: [15.375, 1] } } }', ['2026-01', 'soon']],
      ['{ min: { territory: { isNull: true } } }', ['soon']],
      ['{ max: { territory: { ne: "South" } } }', ['2025-12', 'soon']],
      ['{ max: { transactionDate: { contains: "T23" } }, count: { eq: 2 } }', ['2026-01']],
      ['{ min: { createdAt: { lt: "2020-01-01T00:00:00.000Z" } } }', []],
      ['{}', ['2025-12', '2026-01', '2026-02', 'soon']],
    ])('of which %s holds', async (having, keys) => {
      const groupBy = 'groupBy: { field: TRANSACTION_DATE, by: MONTH }';
      expect(await keysOf(`${groupBy}, having: ${having}`, 'transactionDate')).toEqual(keys);
    });

    test.each([
      [2, 0, ['2025-12-31', '2026-01-05'], true],
      [2, 2, ['2026-01-31', '2026-02-01'], true],
      [2, 4, ['2026-02-28', 'soon'], false],
      [1000, 5, ['soon'], false],
      [1, 6, [], false],
    ])('the first %i behind %i', async (first, offset, keys, hasMoreGroups) => {
      const answer =
        await aggregate(`(groupBy: { field: TRANSACTION_DATE, by: DAY }, first: ${first}, offset: ${offset}) {
        groups { keys { transactionDate } } hasMoreGroups
      }`);
      expect(answer).toEqual({ groups: keys.map((transactionDate) => ({ keys: { transactionDate } })), hasMoreGroups });
    });
  });

  describe('lines', () => {
    test('are counted over all parents, under a condition on the parent', async () => {
      await createRepair(gateway(), repairInput({ consumedItems: 3, asset: 'press' }));
      await createRepair(gateway(), repairInput({ consumedItems: 2, asset: 'press' }));
      await createRepair(gateway(), repairInput({ consumedItems: 4, asset: 'saw' }));
      const { answer } = await ask(
        gateway(),
        `{ answer: assetRepairConsumedItemAggregate(
          where: { assetRepair: { asset: { eq: "press" } } }, groupBy: { field: ITEM_CODE }
        ) { count sum { idx } avg { idx } groups { keys { itemCode } count max { idx } } } }`,
      );
      expect(answer).toEqual({
        count: 5,
        sum: { idx: 9 },
        avg: { idx: 1.8 },
        groups: [
          { keys: { itemCode: 'item 1' }, count: 2, max: { idx: 1 } },
          { keys: { itemCode: 'item 2' }, count: 2, max: { idx: 2 } },
          { keys: { itemCode: 'item 3' }, count: 1, max: { idx: 3 } },
        ],
      });
    });

    test('bound their parents in a condition', async () => {
      const query = `{ answer: assetRepairAggregate(
        where: { consumedItems: { some: { idx: { gte: 4 } } } }, groupBy: { field: ASSET }
      ) { groups { keys { asset } } } }`;
      expect((await ask(gateway(), query)).answer.groups).toEqual([{ keys: { asset: 'saw' } }]);
    });
  });

  test.each([
    ['groupBy: [{ field: STATUS }, { field: STATUS }]', 'groupBy[1].field', /STATUS again/],
    ['groupBy: [{ field: ID }]', 'groupBy[0].field', /ID, which says nothing of several/],
    ['orderBy: [{ measure: MAX, field: VERSION }]', 'orderBy[0].field', /VERSION, which says nothing of several/],
    ['groupBy: [{ field: GRAND_TOTAL, by: YEAR }]', 'groupBy[0].by', /GRAND_TOTAL holds none/],
    ['orderBy: [{ measure: COUNT, field: STATUS }]', 'orderBy[0].field', /nothing about COUNT/],
    ['orderBy: [{ measure: SUM }]', 'orderBy[0].field', /is required/],
    ['orderBy: [{ measure: SUM, field: STATUS }]', 'orderBy[0].field', /holds no numbers/],
    ['orderBy: [{ measure: MIN, field: GROUP_SAME_ITEMS }]', 'orderBy[0].field', /less than the other/],
    ['groupBy: [{ field: COMPANY }], orderBy: [{ field: STATUS }]', 'orderBy[0].field', /not grouped/],
    ['first: 0', 'first', /from 1 to 1000/],
    ['first: 1001', 'first', /from 1 to 1000/],
    ['offset: -1', 'offset', /0 or more/],
    [`groupBy: [${'{ field: STATUS } '.repeat(5)}]`, 'groupBy', /at most 4 items/],
    ['having: { sum: { grandTotal: { gt: 1e999 } } }', 'having.sum.grandTotal.gt', /range of a double/],
  ])('refuses %s', async (args, param, message) => {
    const { extensions } = await refusal(gateway(), `{ quotationAggregate(${args}) { groups { count } } }`);
    expect(extensions.code).toBe('BAD_USER_INPUT');
    expect(extensions.errors[0]).toMatchObject({ param, message: expect.stringMatching(message) });
  });

  test('a sum beyond all numbers is refused, and what needs no sum is answered', async () => {
    await createQuotations(gateway(), [
      { grandTotal: 1.5e308, company: 'giant' },
      { grandTotal: 1.5e308, company: 'giant' },
    ]);
    const where = 'where: { company: { eq: "giant" } }';
    for (const selection of ['sum { grandTotal }', 'avg { grandTotal }', 'groups { sum { grandTotal } }']) {
      const { extensions } = await refusal(gateway(), `{ quotationAggregate(${where}) { ${selection} } }`);
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ param: 'where' }] });
    }
    expect(await aggregate(`(${where}) { max { grandTotal } }`)).toEqual({ max: { grandTotal: 1.5e308 } });
    // The error is at the sum itself, whatever else is asked and whichever statement is done first.
    const query = `{ quotationAggregate(${where}) {
      hasMoreGroups count groups { count sum { grandTotal total } } sum { grandTotal } avg { total }
    } }`;
    const { body } = await gateway().graphql(query);
    expect(body.data.quotationAggregate).toEqual({
      hasMoreGroups: false,
      count: 2,
      groups: [{ count: 2, sum: { grandTotal: null, total: null } }],
      sum: { grandTotal: null },
      avg: { total: null },
    });
    const paths: string[] = body.errors.map(({ path }: { path: string[] }) => path.join('.')).sort();
    expect(paths).toEqual(['quotationAggregate.groups.0.sum.grandTotal', 'quotationAggregate.sum.grandTotal']);
    // Of many groups one error is told for all, not one for each.
    const many = Array.from({ length: 24 }, (_, index) => ({
      grandTotal: 1.5e308,
      company: 'giant',
      territory: `part ${index % 12}`,
    }));
    await createQuotations(gateway(), many);
    const groups = '(where: { company: { eq: "giant" } }, groupBy: [{ field: TERRITORY }])';
    for (const measure of ['sum', 'avg']) {
      const values = Array.from({ length: 10 }, (_, index) => `v${index}: grandTotal`).join(' ');
      const refused = await gateway().graphql(
        `{ quotationAggregate${groups} { groups { ${measure} { ${values} } } } }`,
      );
      expect(refused.body.errors).toMatchObject([{ extensions: { reason: 'query_too_complex', measure: 'errors' } }]);
    }
    await ask(gateway(), 'mutation ($ids: [ID!]!) { deleteManyQuotations(ids: $ids) { deletedId } }', {
      ids: (await ask(gateway(), `{ quotations(${where}, first: 100) { nodes { id } } }`)).quotations.nodes.map(
        ({ id }: { id: string }) => id,
      ),
    });
  });

  test.each([
    [1, '{ quotationAggregate { count } }'],
    [1, '{ quotationAggregate { count sum { grandTotal } min { transactionDate } } }'],
    [1, '{ quotationAggregate(groupBy: { field: STATUS }) { groups { keys { status } count } hasMoreGroups } }'],
    [1, '{ quotationAggregate(groupBy: { field: STATUS }) { groups { keys { status } sum { grandTotal total } } } }'],
    [2, '{ quotationAggregate(groupBy: { field: STATUS }) { sum { total } groups { count } } }'],
    [1, '{ assetRepairAggregate(where: { consumedItems: { some: { idx: { eq: 1 } } } }) { max { asset } } }'],
  ])('%i SQL statement for %s', async (count, query) => {
    expect(await statementsOf(gateway(), query)).toHaveLength(count);
  });

  test('only what is asked for is worked out', async () => {
    const [statement] = await statementsOf(gateway(), '{ quotationAggregate { sum { total } } }');
    expect(statement).toContain('total');
    expect(statement).not.toMatch(/grandTotal|max|min/);
  });

  test.each(share(titled(({ kind }) => kind !== 'singleton')))(
    '%s: every field, measured and grouped by',
    async (_, resource) => {
      await createRecord(gateway(), resource);
      const fields = documentedFields(resource).map(({ name, type }) => ({ name: camel(name), type }));
      const numbers = fields.filter(({ type }) => type === 'number' || type === 'integer').map(({ name }) => name);
      const extremes = fields.filter(({ type }) => type !== 'boolean').map(({ name }) => name);
      const measures = [
        ...(numbers.length > 0 ? [`sum { ${numbers.join(' ')} }`, `avg { ${numbers.join(' ')} }`] : []),
        `min { ${extremes.join(' ')} }`,
        `max { ${extremes.join(' ')} }`,
      ].join(' ');
      const groupings = fields.map(
        ({ name }) => `${name}: ${oneOf(resource)}Aggregate(groupBy: { field: ${upper(name)} }) {
        groups { keys { ${name} } count }
      }`,
      );
      const { whole, ...groups } = await ask(
        gateway(),
        `{ whole: ${oneOf(resource)}Aggregate { count ${measures} } ${groupings.join(' ')} }`,
      );
      expect(whole.count).toBeGreaterThan(0);
      for (const { name } of fields) {
        const counts = groups[name].groups.map(({ count }: { count: number }) => count);
        expect(
          counts.reduce((sum: number, count: number) => sum + count, 0),
          name,
        ).toBe(whole.count);
      }
    },
  );

  async function aggregate(rest: string) {
    return (await ask(gateway(), `{ answer: quotationAggregate${rest} }`)).answer;
  }

  async function keysOf(args: string, key: string): Promise<unknown[]> {
    const { groups } = await aggregate(`(${args}) { groups { keys { ${key} } } }`);
    return groups.map(({ keys }: { keys: Record<string, unknown> }) => keys[key]);
  }
});

function titled(fits: (resource: DocumentedResource) => boolean): [string, DocumentedResource][] {
  return documentedResources.filter(fits).map((resource) => [resource.title, resource]);
}

const upper = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
