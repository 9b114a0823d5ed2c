/** Records are counted and summed up, as a whole and in groups, under the filters of the lists. */
import { beforeAll, describe, expect, test } from 'vitest';
import { type DocumentedResource, documentedResources } from '../../contract/document.js';
import { documentedFields } from '../../contract/documented-fields.js';
import { camel, oneOf } from '../../contract/graphql-names.js';
import { onBothDatabases } from '../../contract/on-both-databases.js';
import { ask, refusal } from '../../graphql/ask.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { createQuotations } from '../../graphql/quotations.js';
import { createRecord } from '../../graphql/records.js';
import { statementsOf } from '../../graphql/statements.js';

const sold = [
  { transactionDate: '2025-12-31', grandTotal: 100, territory: 'North', groupSameItems: true },
  { transactionDate: '2026-01-05', grandTotal: 10.5, territory: 'North' },
  { transactionDate: '2026-01-31T23:59', grandTotal: 20.25, territory: 'South' },
  { transactionDate: '2026-02-01', grandTotal: null, territory: 'South' },
  { transactionDate: '2026-02-28', grandTotal: -5, territory: null },
  { transactionDate: 'soon', grandTotal: 1, territory: null, status: 'SUBMITTED' },
];

onBothDatabases((gateway, share) => {
  beforeAll(async () => {
    const ids = await createQuotations(
      gateway(),
      sold.map(({ status: _, ...record }) => record),
    );
    await ask(gateway(), 'mutation ($id: ID!) { submitQuotation(id: $id) { record { id } } }', { id: ids.at(-1) });
  });

  test('quotations by status and month with their grand totals', async () => {
    const answer = await aggregate(`(groupBy: [{ field: STATUS }, { field: TRANSACTION_DATE, by: MONTH }]) {
      groups { status { key } transactionDate { key } count grandTotal { sum avg } }
    }`);
    const group = (status: string, transactionDate: string, count: number, sum: number | null, avg: number | null) => ({
      status: { key: status },
      transactionDate: { key: transactionDate },
      count,
      grandTotal: { sum, avg },
    });
    expect(answer.groups).toEqual([
      group('DRAFT', '2025-12', 1, 100, 100),
      group('DRAFT', '2026-01', 2, 30.75, 15.375),
      group('DRAFT', '2026-02', 2, -5, -5),
      group('SUBMITTED', 'soon', 1, 1, 1),
    ]);
  });

  test('by their ids and versions, which have measures and conditions as other fields have', async () => {
    const ids = await aggregate('(groupBy: { field: ID, direction: DESC }) { groups { recordId { key } count } }');
    const { quotations } = await ask(
      gateway(),
      '{ quotations(orderBy: { field: ID, direction: DESC }) { nodes { id } } }',
    );
    expect(ids.groups).toEqual(quotations.nodes.map(({ id }: { id: string }) => ({ recordId: { key: id }, count: 1 })));
    const versions = await aggregate(`(
      groupBy: { field: VERSION }, orderBy: { field: VERSION, measure: MAX, direction: DESC }
    ) { version { sum } groups { version { key min } count } }`);
    expect(versions).toEqual({
      version: { sum: 7 },
      groups: [
        { version: { key: 2, min: 2 }, count: 1 },
        { version: { key: 1, min: 1 }, count: 5 },
      ],
    });
    const changed =
      '(groupBy: { field: STATUS }, having: { version: { max: { gt: 1 } } }) { groups { status { key } } }';
    expect((await aggregate(changed)).groups).toEqual([{ status: { key: 'SUBMITTED' } }]);
  });

  test('all records as a whole, and what is asked of them under aliases and in fragments', async () => {
    const answer = await aggregate(`{
      count
      grandTotal { sum least: min key }
      roundedTotal { sum }
      ... on QuotationAggregate { grandTotal { ...measures } }
      ... on Aggregate { all: count }
      transactionDate { ...extremes }
      created: createdAt { max }
      territory { key }
      __typename
    }
    } fragment measures on FloatAggregate { avg max __typename }
    fragment extremes on DateAggregate { min max`);
    expect(answer).toEqual({
      count: 6,
      all: 6,
      grandTotal: { sum: 126.75, least: -5, key: null, avg: 25.35, max: 100, __typename: 'FloatAggregate' },
      roundedTotal: { sum: null },
      transactionDate: { min: '2025-12-31', max: 'soon' },
      created: { max: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) },
      territory: { key: null },
      __typename: 'QuotationAggregate',
    });
  });

  test('a whole beside its groups, which `where` bounds and `having` does not', async () => {
    const answer = await aggregate(`(
      where: { grandTotal: { gt: 0 } }, groupBy: [{ field: TERRITORY }], having: { count: { gt: 1 } }
    ) { count groups { territory { key } count } }`);
    expect(answer).toEqual({ count: 4, groups: [{ territory: { key: 'North' }, count: 2 }] });
  });

  test('without records there is an empty whole, and there are no groups', async () => {
    const none = 'where: { company: { eq: "nobody" } }';
    expect(await aggregate(`(${none}) { count grandTotal { sum } createdAt { max } groups { count } }`)).toEqual({
      count: 0,
      grandTotal: { sum: null },
      createdAt: { max: null },
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
      const { createdAt } = await aggregate('{ createdAt { max } }');
      const year = await aggregate('(groupBy: { field: CREATED_AT, by: DAY }) { groups { createdAt { key } count } }');
      expect(year.groups).toEqual([{ createdAt: { key: createdAt.max.slice(0, 10) }, count: 6 }]);
      expect((await keysOf('groupBy: { field: CREATED_AT }', 'createdAt')).at(-1)).toBe(createdAt.max);
    });

    test('by numbers and by truth', async () => {
      const grandTotals = [-5, 1, 10.5, 20.25, 100, null];
      expect(await keysOf('groupBy: { field: GRAND_TOTAL }', 'grandTotal')).toEqual(grandTotals);
      expect(await keysOf('groupBy: { field: GROUP_SAME_ITEMS }', 'groupSameItems')).toEqual([false, true]);
    });

    test('a key that is not grouped by is null', async () => {
      const { groups } = await aggregate('(groupBy: { field: STATUS }) { groups { status { key } company { key } } }');
      expect(groups[0]).toEqual({ status: { key: 'DRAFT' }, company: { key: null } });
    });

    test('stand in the directions of their keys', async () => {
      expect(await keysOf('groupBy: { field: TERRITORY, direction: DESC, nulls: FIRST }', 'territory')).toEqual([
        null,
        'South',
        'North',
      ]);
      const groupBy = 'groupBy: [{ field: GROUP_SAME_ITEMS, direction: DESC }, { field: TERRITORY, direction: DESC }]';
      expect(await keysOf(`${groupBy}, orderBy: { field: GROUP_SAME_ITEMS }`, 'territory')).toEqual([
        'South',
        'North',
        null,
        'North',
      ]);
    });

    test.each([
      ['{ field: TERRITORY, direction: DESC }', ['South', 'North', null]],
      ['{ field: TERRITORY, direction: DESC, nulls: FIRST }', [null, 'South', 'North']],
      ['{ measure: SUM, field: GRAND_TOTAL, direction: DESC }', ['North', 'South', null]],
      ['{ measure: AVG, field: GRAND_TOTAL }', [null, 'South', 'North']],
      ['{ measure: MIN, field: TRANSACTION_DATE, direction: DESC }', [null, 'South', 'North']],
      ['{ measure: MAX, field: ROUNDED_TOTAL, nulls: FIRST }', ['North', 'South', null]],
      ['[{ measure: COUNT, field: ID }, { field: TERRITORY, direction: DESC }]', ['South', 'North', null]],
    ])('ordered by %s', async (orderBy, keys) => {
      expect(await keysOf(`groupBy: { field: TERRITORY }, orderBy: ${orderBy}`, 'territory')).toEqual(keys);
    });

    test.each([
      ['{ count: { lt: 2 } }', ['2025-12', 'soon']],
      ['{ grandTotal: { sum: { gte: 30.75 } } }', ['2025-12', '2026-01']],
      ['{ grandTotal: { avg: { in: [15.375, 1] } } }', ['2026-01', 'soon']],
      ['{ roundedTotal: { min: { isNull: true } } }', ['2025-12', '2026-01', '2026-02', 'soon']],
      ['{ transactionDate: { max: { ne: "soon" } } }', ['2025-12', '2026-01', '2026-02']],
      ['{ transactionDate: { max: { contains: "T23" } }, count: { eq: 2 } }', ['2026-01']],
      ['{ createdAt: { min: { lt: "2020-01-01T00:00:00.000Z" } } }', []],
      ['{ or: [{ grandTotal: { sum: { eq: 100 } } }, { not: { count: { gt: 1 } } }] }', ['2025-12', 'soon']],
      ['{ not: { grandTotal: { min: { gt: 0 } }, count: { eq: 1 } } }', ['2026-01', '2026-02']],
      ['{ and: [{ grandTotal: { sum: { gt: 0 }, max: { lt: 50 } } }, {}] }', ['2026-01', 'soon']],
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
        groups { transactionDate { key } } hasMoreGroups
      }`);
      expect(answer).toEqual({ groups: keys.map((key) => ({ transactionDate: { key } })), hasMoreGroups });
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
        ) { count idx { sum avg } groups { itemCode { key } count idx { max } } } }`,
      );
      expect(answer).toEqual({
        count: 5,
        idx: { sum: 9, avg: 1.8 },
        groups: [
          { itemCode: { key: 'item 1' }, count: 2, idx: { max: 1 } },
          { itemCode: { key: 'item 2' }, count: 2, idx: { max: 2 } },
          { itemCode: { key: 'item 3' }, count: 1, idx: { max: 3 } },
        ],
      });
    });

    test('bound their parents in a condition', async () => {
      const query = `{ answer: assetRepairAggregate(
        where: { consumedItems: { some: { idx: { gte: 4 } } } }, groupBy: { field: ASSET }
      ) { groups { asset { key } } } }`;
      expect((await ask(gateway(), query)).answer.groups).toEqual([{ asset: { key: 'saw' } }]);
    });
  });

  test.each([
    ['groupBy: [{ field: STATUS }, { field: STATUS }]', 'groupBy[1].field', /STATUS again/],
    ['orderBy: [{ measure: MAX, field: ID }]', 'orderBy[0].field', /ID, which holds neither/],
    ['groupBy: [{ field: GRAND_TOTAL, by: YEAR }]', 'groupBy[0].by', /GRAND_TOTAL holds none/],
    ['orderBy: [{ measure: COUNT, field: STATUS }]', 'orderBy[0].field', /counted by ID/],
    ['orderBy: [{ measure: SUM, field: STATUS }]', 'orderBy[0].field', /holds no numbers/],
    ['orderBy: [{ measure: MIN, field: GROUP_SAME_ITEMS }]', 'orderBy[0].field', /neither numbers nor dates/],
    ['orderBy: [{ measure: MAX, field: COMPANY }]', 'orderBy[0].field', /COMPANY, which holds neither/],
    ['groupBy: [{ field: COMPANY }], orderBy: [{ field: STATUS }]', 'orderBy[0].field', /not in `groupBy`/],
    ['groupBy: [{ field: STATUS, measure: MAX }]', 'groupBy[0].field', /neither numbers nor dates/],
    ['orderBy: [{ measure: MAX, field: TRANSACTION_DATE, by: YEAR }]', 'orderBy[0].by', /is measured whole/],
    [
      'groupBy: [{ field: TRANSACTION_DATE, by: MONTH }], orderBy: [{ field: TRANSACTION_DATE, by: YEAR }]',
      'orderBy[0].by',
      /not the part that `groupBy` has/,
    ],
    ['first: 0', 'first', /from 1 to 1000/],
    ['first: 1001', 'first', /from 1 to 1000/],
    ['offset: -1', 'offset', /0 or more/],
    [`groupBy: [${'{ field: STATUS } '.repeat(5)}]`, 'groupBy', /at most 4 items/],
    ['having: { grandTotal: { sum: { gt: 1e999 } } }', 'having.grandTotal.sum.gt', /range of a double/],
  ])('refuses %s', async (args, param, message) => {
    const { extensions } = await refusal(gateway(), `{ quotationAggregate(${args}) { groups { count } } }`);
    expect(extensions.code).toBe('BAD_USER_INPUT');
    expect(extensions.errors[0]).toMatchObject({ param, message: expect.stringMatching(message) });
  });

  test('a key may be sorted by what is measured of it, and its order may repeat its part', async () => {
    const byMonth = 'groupBy: { field: TRANSACTION_DATE, by: MONTH';
    const keysIn = async (args: string) => {
      const query = `{ quotationAggregate(${args}) { groups { transactionDate { key } } } }`;
      const { quotationAggregate } = await ask(gateway(), query);
      return quotationAggregate.groups.map((group: { transactionDate: object }) => group.transactionDate);
    };
    const down = await keysIn(`${byMonth}, direction: DESC }`);
    expect(down.length).toBeGreaterThan(1);
    expect(await keysIn(`${byMonth} }, orderBy: { field: TRANSACTION_DATE, by: MONTH, direction: DESC }`)).toEqual(
      down,
    );
    expect(await keysIn(`${byMonth}, measure: MAX, direction: DESC }`)).toEqual(down);
  });

  // What has no field is refused by validation, which names what is meant.
  test.each([
    ['groupBy: [{ field: STATUS, part: YEAR }]', /"part" is not defined by type "QuotationAggregateSort"/],
    ['having: { grandTotal: { gt: 1 } }', /"gt" is not defined by type "FloatHaving"/],
    ['having: { company: { min: { eq: "x" } } }', /"company" is not defined by type "QuotationHaving"/],
    ['having: { cont: { gt: 1 } }', /did you mean "count"/i],
    ['where: { grandTotal: { sum: { gt: 1 } } }', /"sum" is not defined by type "FloatComparison"/],
  ])('does not offer %s', async (args, message) => {
    const { body } = await gateway().graphql(`{ quotationAggregate(${args}) { groups { count } } }`);
    expect(body.errors[0].message).toMatch(message);
  });

  test('a sum beyond all numbers is refused, and what needs no sum is answered', async () => {
    await createQuotations(gateway(), [
      { grandTotal: 1.5e308, company: 'giant' },
      { grandTotal: 1.5e308, company: 'giant' },
    ]);
    const where = 'where: { company: { eq: "giant" } }';
    for (const selection of ['grandTotal { sum }', 'grandTotal { avg }', 'groups { grandTotal { sum } }']) {
      const { extensions } = await refusal(gateway(), `{ quotationAggregate(${where}) { ${selection} } }`);
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ param: 'where' }] });
    }
    expect(await aggregate(`(${where}) { grandTotal { max } }`)).toEqual({ grandTotal: { max: 1.5e308 } });
    // The error has the path of the sum, whatever else is selected and whichever statement ends first.
    const query = `{ quotationAggregate(${where}) {
      hasMoreGroups count groups { count grandTotal { sum } total { sum } } grandTotal { sum } total { avg }
    } }`;
    const { body } = await gateway().graphql(query);
    expect(body.data.quotationAggregate).toEqual({
      hasMoreGroups: false,
      count: 2,
      groups: [{ count: 2, grandTotal: { sum: null }, total: { sum: null } }],
      grandTotal: { sum: null },
      total: { avg: null },
    });
    const paths: string[] = body.errors.map(({ path }: { path: string[] }) => path.join('.')).sort();
    expect(paths).toEqual(['quotationAggregate.grandTotal.sum', 'quotationAggregate.groups.0.grandTotal.sum']);
    // For many groups there is one error, not one for each.
    const many = Array.from({ length: 24 }, (_, index) => ({
      grandTotal: 1.5e308,
      company: 'giant',
      territory: `part ${index % 12}`,
    }));
    await createQuotations(gateway(), many);
    const groups = '(where: { company: { eq: "giant" } }, groupBy: [{ field: TERRITORY }])';
    for (const measure of ['sum', 'avg']) {
      const values = Array.from({ length: 10 }, (_, index) => `v${index}: ${measure}`).join(' ');
      const refused = await gateway().graphql(
        `{ quotationAggregate${groups} { groups { grandTotal { ${values} } } } }`,
      );
      expect(refused.body.errors).toMatchObject([{ extensions: { reason: 'query_too_complex', measure: 'errors' } }]);
    }
    await ask(gateway(), 'mutation ($ids: [ID!]!) { deleteManyQuotations(ids: $ids) { deletedIds } }', {
      ids: (await ask(gateway(), `{ quotations(${where}, first: 100) { nodes { id } } }`)).quotations.nodes.map(
        ({ id }: { id: string }) => id,
      ),
    });
  });

  test.each([
    [1, '{ quotationAggregate { count } }'],
    [1, '{ quotationAggregate { count grandTotal { sum } transactionDate { min } } }'],
    [1, '{ quotationAggregate(groupBy: { field: STATUS }) { groups { status { key } count } hasMoreGroups } }'],
    [
      1,
      '{ quotationAggregate(groupBy: { field: STATUS }) { groups { status { key } grandTotal { sum } total { sum } } } }',
    ],
    [2, '{ quotationAggregate(groupBy: { field: STATUS }) { total { sum } groups { count } } }'],
    [1, '{ assetRepairAggregate(where: { consumedItems: { some: { idx: { eq: 1 } } } }) { failureDate { max } } }'],
  ])('%i SQL statement for %s', async (count, query) => {
    expect(await statementsOf(gateway(), query)).toHaveLength(count);
  });

  test('only selected measures are computed', async () => {
    const [statement] = await statementsOf(gateway(), '{ quotationAggregate { total { sum } } }');
    expect(statement).toContain('total');
    expect(statement).not.toMatch(/grandTotal|max|min/);
  });

  test.each(share(titled(({ kind }) => kind !== 'singleton')))(
    '%s: every field, measured and grouped by',
    async (_, resource) => {
      await createRecord(gateway(), resource);
      const fields = documentedFields(resource).map(({ name, type }) => ({ name: camel(name), type }));
      const measures = fields.map(({ name, type }) => {
        const isNumber = type === 'number' || type === 'integer';
        return `${name} { key ${isNumber ? 'sum avg min max' : ''} }`;
      });
      const groupings = fields.map(
        ({ name }) => `${name}: ${oneOf(resource)}Aggregate(groupBy: { field: ${upper(name)} }) {
        groups { ${name} { key } count }
      }`,
      );
      const { whole, ...groups } = await ask(
        gateway(),
        `{ whole: ${oneOf(resource)}Aggregate { count ${measures.join(' ')} } ${groupings.join(' ')} }`,
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
    const { groups } = await aggregate(`(${args}) { groups { ${key} { key } } }`);
    return groups.map((group: Record<string, { key: unknown }>) => group[key]?.key);
  }
});

function titled(fits: (resource: DocumentedResource) => boolean): [string, DocumentedResource][] {
  return documentedResources.filter(fits).map((resource) => [resource.title, resource]);
}

const upper = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
