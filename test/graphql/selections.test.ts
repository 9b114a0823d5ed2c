/** In every form of selection, each part is answered as if it stood alone. */
import { beforeAll, expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, createRepairs, repairInput } from './asset-repairs.js';

onDatabaseInTurn(import.meta.filename, (gateway) => {
  let id = '';

  beforeAll(async () => {
    await createRepairs(gateway(), 2, repairInput({ asset: 'mill' }));
    ({ id } = await createRepair(gateway(), repairInput({ consumedItems: 4, purchaseInvoices: 2 })));
  });

  test('aliases of one child list with different limits', async () => {
    const { assetRepairs } = await ask(
      gateway(),
      `{ assetRepairs {
        nodes {
          first: consumedItems(limit: 1) { itemCode }
          rest: consumedItems(offset: 1) { itemCode warehouse }
          all: consumedItems { idx }
        }
      } }`,
    );
    expect(assetRepairs.nodes).toEqual([
      {
        first: [{ itemCode: 'item 1' }],
        rest: ['item 2', 'item 3', 'item 4'].map((itemCode) => ({ itemCode, warehouse: 'main' })),
        all: [{ idx: 1 }, { idx: 2 }, { idx: 3 }, { idx: 4 }],
      },
      { first: [], rest: [], all: [] },
      { first: [], rest: [], all: [] },
    ]);
  });

  test('aliases of one child list in the answer of a mutation', async () => {
    const {
      updated: { record: updated },
    } = await ask(
      gateway(),
      `mutation ($id: ID!) { updated: updateAssetRepair(id: $id, input: { downtime: "1 Hour" }) {
        record {
          downtime
          first: consumedItems(limit: 1) { itemCode }
          last: consumedItems(offset: 3) { itemCode assetRepair { downtime } }
        }
      } }`,
      { id },
    );
    expect(updated).toEqual({
      downtime: '1 Hour',
      first: [{ itemCode: 'item 1' }],
      last: [{ itemCode: 'item 4', assetRepair: { downtime: '1 Hour' } }],
    });
  });

  test('different slices of a child list under edges and under nodes', async () => {
    const { assetRepairs } = await ask(
      gateway(),
      `{ assetRepairs(first: 1) {
        nodes { consumedItems(limit: 1) { idx } }
        edges { node { asset consumedItems(limit: 1, offset: 2) { idx itemCode } } }
      } }`,
    );
    expect(assetRepairs).toEqual({
      nodes: [{ consumedItems: [{ idx: 1 }] }],
      edges: [{ node: { asset: 'lathe', consumedItems: [{ idx: 3, itemCode: 'item 3' }] } }],
    });
  });

  test('aliases of lists, connections, nodes, edges and fields', async () => {
    const data = await ask(
      gateway(),
      `{
        a: assetRepairs(first: 1) { x: nodes { thing: asset } y: nodes { asset status } z: edges { n: node { s: status } } }
        b: assetRepairs(last: 1) { nodes { thing: asset } count: totalCount info: pageInfo { more: hasPreviousPage } }
      }`,
    );
    expect(data).toEqual({
      a: { x: [{ thing: 'lathe' }], y: [{ asset: 'lathe', status: 'DRAFT' }], z: [{ n: { s: 'DRAFT' } }] },
      b: { nodes: [{ thing: 'mill' }], count: 3, info: { more: true } },
    });
  });

  test('one record under two aliases with different fields', async () => {
    const query = `query ($id: ID!) {
      a: assetRepair(id: $id) { asset }
      b: assetRepair(id: $id) { failureDate consumedItems(limit: 1) { idx } }
      c: assetRepair(id: "asset-repair_unknown") { asset }
    }`;
    expect(await ask(gateway(), query, { id })).toEqual({
      a: { asset: 'lathe' },
      b: { failureDate: '2026-01-31', consumedItems: [{ idx: 1 }] },
      c: null,
    });
  });

  test('named and inline fragments at every level', async () => {
    const { assetRepairs } = await ask(
      gateway(),
      `query {
        assetRepairs(first: 1) { ...page ... on AssetRepairConnection { pageInfo { ...info } } }
      }
      fragment page on AssetRepairConnection { edges { ...edge } nodes { ...named } totalCount }
      fragment edge on AssetRepairEdge { node { ... on Node { id } ...named } }
      fragment named on AssetRepair { asset consumedItems(limit: 1) { ...line } }
      fragment line on AssetRepairConsumedItem { itemCode assetRepair { ... { status } } }
      fragment info on PageInfo { hasNextPage }`,
    );
    const named = { asset: 'lathe', consumedItems: [{ itemCode: 'item 1', assetRepair: { status: 'DRAFT' } }] };
    expect(assetRepairs).toEqual({
      edges: [{ node: { id, ...named } }],
      nodes: [named],
      totalCount: 3,
      pageInfo: { hasNextPage: true },
    });
  });

  test('@include and @skip', async () => {
    const query = `query ($id: ID!, $yes: Boolean!, $no: Boolean!) { assetRepair(id: $id) {
      asset @include(if: $no)
      status @skip(if: $no)
      consumedItems(limit: 1) @include(if: $yes) { idx }
      purchaseInvoices @skip(if: $yes) { idx }
    } }`;
    expect((await ask(gateway(), query, { id, yes: true, no: false })).assetRepair).toEqual({
      status: 'DRAFT',
      consumedItems: [{ idx: 1 }],
    });
  });

  test.each([
    ['totalCount', { totalCount: 3 }],
    ['pageInfo { hasNextPage hasPreviousPage }', { pageInfo: { hasNextPage: true, hasPreviousPage: false } }],
    ['__typename', { __typename: 'AssetRepairConnection' }],
    ['nodes { __typename }', { nodes: [{ __typename: 'AssetRepair' }] }],
    ['edges { __typename }', { edges: [{ __typename: 'AssetRepairEdge' }] }],
    ['pageInfo { __typename }', { pageInfo: { __typename: 'PageInfo' } }],
  ])('only { %s }', async (selection, expected) => {
    expect((await ask(gateway(), `{ page: assetRepairs(first: 1) { ${selection} } }`)).page).toEqual(expected);
  });

  test('only __typename of a record, of its lines and of their parent', async () => {
    const query = `query ($id: ID!) { assetRepair(id: $id) {
      __typename consumedItems(limit: 1) { __typename assetRepair { __typename } }
    } }`;
    expect((await ask(gateway(), query, { id })).assetRepair).toEqual({
      __typename: 'AssetRepair',
      consumedItems: [{ __typename: 'AssetRepairConsumedItem', assetRepair: { __typename: 'AssetRepair' } }],
    });
  });

  test('what is wrong in one part leaves the other parts as they are', async () => {
    const query = `query ($id: ID!) {
      good: assetRepair(id: $id) { asset }
      page: assetRepair(id: $id) { consumedItems(limit: 0) { idx } }
    }`;
    const { body } = await gateway().graphql(query, { id });
    expect(body.data).toEqual({ good: { asset: 'lathe' }, page: { consumedItems: null } });
    expect(body.errors).toHaveLength(1);
    expect(body.errors[0]).toMatchObject({ path: ['page', 'consumedItems'], extensions: { code: 'BAD_USER_INPUT' } });
  });

  test('a wrong slice of any alias is refused', async () => {
    const query = `query ($id: ID!) { assetRepair(id: $id) {
      good: consumedItems(limit: 1) { idx } bad: consumedItems(offset: -1) { idx }
    } }`;
    expect((await refusal(gateway(), query, { id })).extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ param: 'offset' }],
    });
  });
});
