import { Client, fetchExchange, gql } from '@urql/core';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { cacheOf } from './recipes/graphcache.js';
import { hundredRepairs, namedSerialNo } from './records.js';

const list = gql`
  query ($after: String) {
    assetRepairs(first: 30, after: $after) {
      edges { cursor node { id asset status allowedActions } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`;

describe('urql with Graphcache', () => {
  let gateway: TestGateway;
  let urql: Client;
  let requests = 0;
  const warnings = vi.spyOn(console, 'warn');

  beforeAll(async () => {
    gateway = await startGateway({ env: { SEARCH: 'true' } });
    await hundredRepairs(gateway);
    const { body } = await gateway.graphql(getIntrospectionQuery());
    urql = new Client({
      url: `${gateway.url}/graphql`,
      preferGetMethod: false,
      fetchOptions: { headers: { authorization: `Bearer ${gateway.key}` } },
      fetch: (url, options) => {
        requests++;
        return fetch(url, options);
      },
      exchanges: [cacheOf(body.data), fetchExchange],
    });
  });
  afterAll(() => gateway.close());

  test('pages through a hundred records with relayPagination, aware of the schema', async () => {
    let after: string | undefined;
    for (let page = 0; page < 4; page++) {
      const { data, error } = await urql.query(list, after ? { after } : {}).toPromise();
      expect(error).toBeUndefined();
      after = data.assetRepairs.pageInfo.endCursor;
    }
    const { data } = await urql.query(list, {}, { requestPolicy: 'cache-only' }).toPromise();
    const assets = data.assetRepairs.edges.map(({ node }: { node: { asset: string } }) => node.asset);
    expect(new Set(assets).size).toBe(100);
    expect(data.assetRepairs.pageInfo.hasNextPage).toBe(false);
    expect(requests).toBe(4);
  });

  test('shows a list that it got as edges also as nodes, and what a search has found apart from it', async () => {
    const query = gql`query ($search: String) { assetRepairs(first: 30, search: $search) { nodes { id asset } } }`;
    const found = async (search?: string) => {
      const { data } = await urql.query(query, search ? { search } : {}).toPromise();
      return data.assetRepairs.nodes.map(({ asset }: { asset: string }) => asset);
    };
    const held = await found();
    expect([held.length, held[0], held[99]]).toEqual([100, 'ASSET-099', 'ASSET-000']);
    expect(await found('asset 007')).toEqual(['ASSET-007']);
    expect(await found()).toEqual(held);
    const edges = gql`{ assetRepairs(first: 30, search: "asset 007") { edges { node { id asset } } } }`;
    const asked = requests;
    const { data } = await urql.query(edges, {}).toPromise();
    expect([data.assetRepairs.edges.length, requests]).toEqual([1, asked]);
  });

  test('shows a submitted document in the list it holds, without asking again', async () => {
    const before = requests;
    const held = await urql.query(list, {}, { requestPolicy: 'cache-only' }).toPromise();
    const { id } = held.data.assetRepairs.edges[5].node;
    const submit = gql`mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id ... on BusinessDocument { status allowedActions } } } }`;
    expect((await urql.mutation(submit, { id }).toPromise()).error).toBeUndefined();
    const { data } = await urql.query(list, {}, { requestPolicy: 'cache-only' }).toPromise();
    expect(data.assetRepairs.edges[5].node).toMatchObject({ id, status: 'SUBMITTED', allowedActions: ['CANCEL'] });
    expect(requests).toBe(before + 1);
  });

  test('keeps a document that is saved whole, what can be done with it, and numbers of many', async () => {
    const { data } = await urql.query(list, {}, { requestPolicy: 'cache-only' }).toPromise();
    const { id } = data.assetRepairs.edges[7].node;
    const save = gql`mutation ($id: ID!, $input: SaveAssetRepairInput!) {
      saveAssetRepair(id: $id, input: $input) {
        record { id asset actions { action allowed reason } consumedItems { id itemCode } }
        changes { fields lines { list created } }
      }
    }`;
    const input = { asset: 'PRESS', consumedItems: [{ itemCode: 'SEAL', warehouse: 'Stores' }] };
    expect((await urql.mutation(save, { id, input }).toPromise()).error).toBeUndefined();
    const numbers = gql`{ assetRepairAggregate(groupBy: { field: STATUS }) { failureDate { max } groups { status { key } count } } }`;
    expect((await urql.query(numbers, {}).toPromise()).data.assetRepairAggregate.failureDate).toMatchObject({
      max: expect.any(String),
    });
    const held = await urql.query(list, {}, { requestPolicy: 'cache-only' }).toPromise();
    expect(held.data.assetRepairs.edges[7].node).toMatchObject({ id, asset: 'PRESS' });
  });

  test('learns from a payload what was wrong, which is no error, and keeps its records', async () => {
    const before = await urql.query(list, {}, { requestPolicy: 'cache-only' }).toPromise();
    const { id } = before.data.assetRepairs.edges[9].node;
    const cancel = gql`mutation ($id: ID!) {
      cancelAssetRepair(id: $id) { record { id status } userErrors { code path currentState allowedActions } }
    }`;
    const { data, error } = await urql.mutation(cancel, { id }).toPromise();
    expect(error).toBeUndefined();
    expect(data.cancelAssetRepair).toMatchObject({
      record: null,
      userErrors: [{ code: 'INVALID_STATE', path: [], currentState: 'DRAFT', allowedActions: ['SUBMIT'] }],
    });
    const held = await urql.query(list, {}, { requestPolicy: 'cache-only' }).toPromise();
    expect(held.data).toEqual(before.data);
  });

  test('reads records of several types by fragments on interfaces, from node, nodes and search', async () => {
    const { jobCard, serialNo } = await namedSerialNo(gateway, 'GEAR-7');
    const query = gql`
      fragment Heading on BusinessRecord { __typename id version ... on MainRecord { updatedAt } ... on BusinessDocument { status allowedActions } }
      query ($id: ID!, $ids: [ID!]!) {
        node(id: $id) { ...Heading }
        nodes(ids: $ids) { ...Heading }
        search(query: "gear 7") { totalCount nodes { ...Heading } }
      }
    `;
    const variables = { id: jobCard, ids: [serialNo, jobCard] };
    const { data, error } = await urql.query(query, variables).toPromise();
    expect(error).toBeUndefined();
    const card = { __typename: 'JobCard', id: jobCard, version: 1, status: 'DRAFT', allowedActions: ['SUBMIT'] };
    const number = { __typename: 'SerialNo', id: serialNo, version: 1, updatedAt: expect.any(String) };
    expect(data.node).toMatchObject(card);
    expect(data.nodes).toMatchObject([number, card]);
    expect(data.search).toMatchObject({ totalCount: 2, nodes: [card, number] });
    const held = await urql.query(query, variables, { requestPolicy: 'cache-only' }).toPromise();
    expect(held.data).toEqual(data);
  });

  test('follows a link and its way back, filtered by an enum, and shows there what a mutation changes', async () => {
    const { jobCard, serialNo } = await namedSerialNo(gateway, 'GEAR-8');
    const query = gql`
      query ($status: DocumentStatus!) {
        jobCards(first: 1, where: { status: { eq: $status }, serialNoRecord: { status: { eq: "Active" } } }) {
          nodes { id serialNoRecord { id jobCardsBySerialNo(first: 1) { nodes { id status } } } }
        }
      }
    `;
    const { data, error } = await urql.query(query, { status: 'DRAFT' }).toPromise();
    expect(error).toBeUndefined();
    const back = { nodes: [{ id: jobCard, status: 'DRAFT' }] };
    expect(data.jobCards.nodes).toMatchObject([
      { id: jobCard, serialNoRecord: { id: serialNo, jobCardsBySerialNo: back } },
    ]);
    const submit = gql`mutation ($id: ID!) { submitJobCard(id: $id) { record { id status } userErrors { code } } }`;
    expect((await urql.mutation(submit, { id: jobCard }).toPromise()).data.submitJobCard.userErrors).toEqual([]);
    const held = await urql.query(query, { status: 'DRAFT' }, { requestPolicy: 'cache-only' }).toPromise();
    const [card] = held.data.jobCards.nodes;
    expect(card.serialNoRecord.jobCardsBySerialNo.nodes).toMatchObject([{ id: jobCard, status: 'SUBMITTED' }]);
  });

  test('finds no reason in the schema for a warning', () => {
    expect(warnings.mock.calls).toEqual([]);
  });
});
