/**
 * Fragments on `BusinessRecord`, `MainRecord` and `BusinessDocument` give the same answers in all fields that return records of several
 * types.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { ask } from './ask.js';
import { statementsOf } from './statements.js';

const fragments = (more: string) => `
  fragment Heading on BusinessRecord { __typename id version ${more} ...Times ... on BusinessDocument { ...State } }
  fragment Times on MainRecord { createdAt updatedAt }
  fragment State on BusinessDocument { status allowedActions }`;
/** SQL does not answer this field, so the resolvers answer all of the operation. */
const byResolvers = 'displayTitle actions { action allowed }';

const cases = providers.flatMap((database) => [true, false].map((compiled) => ({ database, compiled })));

describe.each(cases)('on $database, compiled: $compiled', ({ database, compiled }) => {
  let gateway: TestGateway;
  let ids: string[];
  let own: Record<string, object>;

  beforeAll(async () => {
    gateway = await startGateway({ database, compiled, env: { SEARCH: 'true' } });
    const { repair, branch } = await ask(
      gateway,
      `mutation {
        repair: createAssetRepair(input: { asset: "press", failureDate: "x", consumedItems: [{ itemCode: "i", warehouse: "w" }] })
          { record { id consumedItems { id } } }
        branch: createIndustryType(input: { industry: "presses" }) { record { id } }
      }`,
    );
    ids = [repair.record.id, repair.record.consumedItems[0].id, branch.record.id];
  });
  afterAll(() => gateway.close());

  describe.each([
    ['all of which SQL answers', ''],
    ['some of which only the resolvers answer', byResolvers],
  ])('%s', (_, more) => {
    beforeAll(async () => {
      const [repair, line, branch] = ids;
      const shared = `__typename id version ${more}`;
      const query = `query ($repair: ID!, $line: ID!, $branch: ID!) {
        repair: assetRepair(id: $repair) { ${shared} createdAt updatedAt status allowedActions }
        line: assetRepairConsumedItem(id: $line) { ${shared} }
        branch: industryType(id: $branch) { ${shared} createdAt updatedAt }
      }`;
      own = await ask(gateway, query, { repair, line, branch });
      expect(own).toMatchObject({ repair: { status: 'DRAFT', allowedActions: ['SUBMIT'] }, branch: { version: 1 } });
    });

    test.each([
      ['by variables', 'query ($ids: [ID!]!) { nodes(ids: $ids) { ...Heading } }'],
      ['with a directive', 'query ($ids: [ID!]!) { nodes(ids: $ids) @include(if: true) { ...Heading } }'],
      ['spread twice', 'query ($ids: [ID!]!) { nodes(ids: $ids) { ...Heading ... on BusinessRecord { ...Heading } } }'],
    ])('nodes, %s', async (_how, query) => {
      const { nodes } = await ask(gateway, query + fragments(more), { ids });
      expect(nodes).toEqual([own.repair, own.line, own.branch]);
    });

    test('node, for each of them', async () => {
      for (const [index, name] of ['repair', 'line', 'branch'].entries()) {
        const query = `query ($id: ID!) { node(id: $id) { ...Heading } }${fragments(more)}`;
        expect((await ask(gateway, query, { id: ids[index] })).node).toEqual(own[name]);
      }
    });

    test('search, as nodes and as edges', async () => {
      const query = `{ search(query: "press") { nodes { ...Heading } edges { node { ...Heading } } } }${fragments(more)}`;
      const { search } = await ask(gateway, query);
      expect(search.nodes).toEqual([own.repair, own.branch]);
      expect(search.edges.map(({ node }: { node: object }) => node)).toEqual(search.nodes);
    });
  });

  test('nodes takes a statement for each type with them, and search one for each and two to find them', async () => {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ...Heading } }${fragments('')}`;
    expect(await statementsOf(gateway, query, { ids })).toHaveLength(3);
    const search = `{ search(query: "press") { nodes { ...Heading } } }${fragments('displayTitle')}`;
    expect(await statementsOf(gateway, search)).toHaveLength(4);
  });
});
