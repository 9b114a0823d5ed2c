/** Connections within a record: its lines page by page, and the records that name it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { ask, refusal } from './ask.js';

const whole = `totalCount
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  edges { cursor node { idx totalValue } }
  nodes { __typename itemCode assetRepair { asset } }`;

/** Arguments, with `$cursor` for the cursor of the third line. */
const variants = [
  '',
  '(first: 2)',
  '(first: 2, offset: 2)',
  '(offset: 50)',
  '(first: 0)',
  '(last: 0)',
  '(last: 2)',
  '(first: 2, after: "$cursor")',
  '(last: 1, before: "$cursor")',
  '(after: "$cursor", offset: 1)',
  '(before: "$cursor")',
  '(first: 4, last: 2)',
  '(first: 1, last: 1, after: "$cursor")',
  '(where: { totalValue: { gte: 20 } }, first: 2)',
  '(where: { not: { totalValue: { gte: 20 } } })',
  '(where: { assetRepair: { asset: { eq: "LATHE-1" } } }, last: 3)',
];

describe.each(providers)('connections within records on %s', (database) => {
  let compiled: TestGateway;
  let resolving: TestGateway;
  const both = () => [compiled, resolving];
  const ids: Record<string, string> = {};
  let cursor = '';

  beforeAll(async () => {
    compiled = await startGateway({ database });
    resolving = await startGateway({ env: { DATABASE_URL: compiled.config.databaseUrl }, compiled: false });
    const serial = { serialNo: 'SN-1', itemCode: 'BELT', company: 'ACME' };
    const created = await ask(
      compiled,
      `mutation ($repair: CreateAssetRepairInput!, $serial: CreateSerialNoInput!, $card: CreateJobCardInput!) {
        older: createSerialNo(input: $serial) { record { id } }
        newer: createSerialNo(input: $serial) { record { id } }
        repair: createAssetRepair(input: $repair) { record { id } }
        empty: createAssetRepair(input: { asset: "LATHE-2", failureDate: "2026-01-31" }) { record { id } }
        card: createJobCard(input: $card) { record { id } }
      }`,
      {
        serial,
        card: { remarks: 'the first' },
        repair: {
          asset: 'LATHE-1',
          failureDate: '2026-01-31',
          consumedItems: Array.from({ length: 6 }, (_, index) => ({
            itemCode: `PART-${index % 2}`,
            warehouse: 'Stores',
            totalValue: index * 10.5,
            serialNo: index < 4 ? 'SN-1' : 'SN-2',
          })),
        },
      },
    );
    for (const [name, { record }] of Object.entries<{ record: { id: string } }>(created)) ids[name] = record.id;
    await ask(
      compiled,
      `mutation ($inputs: [CreateJobCardInput!]!) { createManyJobCards(inputs: $inputs) { records { id } } }`,
      {
        inputs: Array.from({ length: 5 }, (_, index) => ({
          forJobCard: ids.card,
          forQuantity: index,
          serialNo: 'SN-1',
        })),
      },
    );
    const lines = await ask(
      compiled,
      'query ($id: ID!) { list: assetRepairConsumedItems(parentId: $id, first: 3) { pageInfo { endCursor } } }',
      { id: ids.repair },
    );
    cursor = lines.list.pageInfo.endCursor;
  });
  afterAll(() => Promise.all(both().map((gateway) => gateway.close())));

  test.each(variants)('hold of lines what the list of lines holds: %s', async (args) => {
    const given = args.replace('$cursor', cursor);
    const inParentheses = given.replace(/^\(/, ', ').replace(/\)$/, '');
    const query = `query ($id: ID!, $empty: ID!) {
      list: assetRepairConsumedItems(parentId: $id${inParentheses}) { ${whole} }
      none: assetRepairConsumedItems(parentId: $empty${inParentheses}) { ${whole} }
      record: assetRepair(id: $id) { it: consumedItemsConnection${given} { ${whole} } }
      records: assetRepairs(where: { id: { eq: $empty } }) { nodes { it: consumedItemsConnection${given} { ${whole} } } }
    }`;
    const answers = await Promise.all(
      both().map((gateway) => ask(gateway, query, { id: ids.repair, empty: ids.empty })),
    );
    for (const { list, none, record, records } of answers) {
      expect(record.it).toEqual(list);
      expect(records.nodes).toEqual([{ it: none }]);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  test('take an order, with cursors of it', async () => {
    const shown = (more: string) =>
      `consumedItemsConnection(first: 2, orderBy: [{ field: TOTAL_VALUE, direction: DESC }]${more}) { nodes { idx } pageInfo { endCursor hasNextPage } }`;
    for (const gateway of both()) {
      const first = await ask(gateway, `query ($id: ID!) { assetRepair(id: $id) { ${shown('')} } }`, {
        id: ids.repair,
      });
      const { nodes, pageInfo } = first.assetRepair.consumedItemsConnection;
      expect([nodes, pageInfo.hasNextPage]).toEqual([[{ idx: 6 }, { idx: 5 }], true]);
      const next = await ask(
        gateway,
        `query ($id: ID!, $after: String) { assetRepair(id: $id) { ${shown(', after: $after')} } }`,
        {
          id: ids.repair,
          after: pageInfo.endCursor,
        },
      );
      expect(next.assetRepair.consumedItemsConnection.nodes).toEqual([{ idx: 4 }, { idx: 3 }]);
    }
  });

  test('lead back to all records that name this one, and to none from an older record of the same number', async () => {
    const query = `query ($older: ID!, $newer: ID!, $card: ID!) {
      older: serialNo(id: $older) { items: assetRepairConsumedItemsBySerialNo { totalCount nodes { idx } edges { cursor } } }
      newer: serialNo(id: $newer) {
        items: assetRepairConsumedItemsBySerialNo(where: { idx: { gt: 1 } }, first: 2) {
          totalCount pageInfo { hasNextPage hasPreviousPage } nodes { idx serialNoRecord { id } assetRepair { asset } }
        }
        cards: jobCardsBySerialNo(last: 2) { totalCount pageInfo { hasPreviousPage startCursor } nodes { forQuantity } }
      }
      jobCard(id: $card) {
        cards: jobCardsByForJobCard(first: 2, offset: 1) {
          totalCount edges { cursor node { forQuantity forJobCardRecord { remarks jobCardsByForJobCard(first: 1) { nodes { forQuantity } } } } }
        }
      }
    }`;
    const [one, other] = await Promise.all(both().map((gateway) => ask(gateway, query, ids)));
    expect(one).toEqual(other);
    expect(one.older.items).toEqual({ totalCount: 0, nodes: [], edges: [] });
    expect(one.newer.items).toEqual({
      totalCount: 3,
      pageInfo: { hasNextPage: true, hasPreviousPage: false },
      nodes: [4, 3].map((idx) => ({ idx, serialNoRecord: { id: ids.newer }, assetRepair: { asset: 'LATHE-1' } })),
    });
    expect(one.newer.cards).toMatchObject({
      totalCount: 5,
      pageInfo: { hasPreviousPage: true },
      nodes: [{ forQuantity: 1 }, { forQuantity: 0 }],
    });
    const { cards } = one.jobCard;
    expect(cards.totalCount).toBe(5);
    expect(cards.edges.map(({ node }: { node: unknown }) => node)).toEqual(
      [3, 2].map((forQuantity) => ({
        forQuantity,
        forJobCardRecord: { remarks: 'the first', jobCardsByForJobCard: { nodes: [{ forQuantity: 4 }] } },
      })),
    );
  });

  test('are answered by one statement', async () => {
    const query = `{ assetRepairs { nodes { consumedItemsConnection(first: 3) { totalCount ${whole.replace('totalCount', '')} } } }
      serialNos { nodes { jobCardsBySerialNo { totalCount edges { cursor node { id } } } } } }`;
    await ask(compiled, query);
    const before = compiled.statements.length;
    await ask(compiled, query);
    expect(compiled.statements.slice(before).filter((sql) => !sql.includes('ApiKey'))).toHaveLength(2);
  });

  test.each([
    ['(last: 1, offset: 1)', 'cannot be combined'],
    ['(first: 1001)', 'from 0 to 1000'],
    ['(after: "x")', 'must be a cursor'],
    ['(offset: -1)', '0 or more'],
  ])('refuse %s', async (args, message) => {
    for (const gateway of both()) {
      const query = `query ($id: ID!) { assetRepair(id: $id) { consumedItemsConnection${args} { totalCount } } }`;
      const refused = await refusal(gateway, query, { id: ids.repair });
      expect(refused.extensions.code).toBe('BAD_USER_INPUT');
      expect(refused.message).toContain(message);
    }
  });

  test('are FORBIDDEN to who may not read the naming records, even their number', async () => {
    for (const gateway of both()) {
      const caller = await callerWith(gateway, 'stock:read');
      const query = 'query ($id: ID!) { serialNo(id: $id) { id cards: jobCardsBySerialNo { totalCount } } }';
      const { body } = await caller.graphql(query, { id: ids.newer });
      expect(body.data).toEqual({ serialNo: { id: ids.newer, cards: null } });
      expect(body.errors).toMatchObject([
        { path: ['serialNo', 'cards'], extensions: { code: 'FORBIDDEN', missingScopes: ['manufacturing:read'] } },
      ]);
    }
  });
});
