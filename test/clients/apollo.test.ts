import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, gql, HttpLink } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { possibleTypes } from './possible-types.js';
import { cacheOf } from './recipes/apollo-cache.js';
import { hundredRepairs, namedSerialNo } from './records.js';

const list = gql`
  query Repairs($after: String) {
    assetRepairs(first: 30, after: $after) {
      edges { node { id asset downtime } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

interface Page {
  nodes?: { asset: string }[];
  edges?: { node: { asset: string } }[];
  pageInfo: { endCursor: string };
}

interface Repairs {
  assetRepairs: {
    edges: { node: { id: string; asset: string; downtime: string | null } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
}

describe('Apollo Client', () => {
  let gateway: TestGateway;
  let requests: { method?: string | undefined; body?: unknown }[] = [];
  beforeAll(async () => {
    gateway = await startGateway({ env: { SEARCH: 'true' } });
    await hundredRepairs(gateway);
  });
  afterAll(() => gateway.close());

  function client(link?: ApolloLink): ApolloClient {
    requests = [];
    const http = new HttpLink({
      uri: `${gateway.url}/graphql`,
      headers: { authorization: `Bearer ${gateway.key}` },
      fetch: (url, options) => {
        requests.push({ method: options?.method, body: options?.body });
        return fetch(url, options);
      },
    });
    return new ApolloClient({
      link: link ? ApolloLink.from([link, http]) : http,
      cache: cacheOf(possibleTypes),
    });
  }

  test.each([
    ['edges', 'nodes'],
    ['nodes', 'edges'],
  ])('shows a list that it got as %s also as %s, as long as it is, and grows by either', async (...forms) => {
    const apollo = client();
    const page = { nodes: 'nodes { id asset }', edges: 'edges { node { id asset } }' };
    const ask = async (form: string, args = '') => {
      const selected = form === 'nodes' ? page.nodes : page.edges;
      const query = gql`query ${form} { assetRepairs(first: 30 ${args}) { ${selected} pageInfo { hasNextPage endCursor } } }`;
      // What `fetchMore` does: the cache has an answer already.
      const fetchPolicy = args ? 'network-only' : 'cache-first';
      const { data } = await apollo.query<{ assetRepairs: Page }>({ query, fetchPolicy });
      const { nodes, edges, pageInfo } = data?.assetRepairs ?? { pageInfo: { endCursor: '' } };
      return { assets: (nodes ?? edges?.map(({ node }) => node))?.map(({ asset }) => asset) ?? [], ...pageInfo };
    };
    const [one, other] = forms;
    const first = await ask(one);
    expect(first.assets).toHaveLength(30);
    expect((await ask(other)).assets).toEqual(first.assets);
    await ask(other, `after: "${first.endCursor}"`);
    const both = [await ask(one), await ask(other)].map(({ assets }) => assets);
    expect([both[0]?.length, both[0]?.slice(0, 30), both[1]]).toEqual([60, first.assets, both[0]]);
  });

  test('holds what a search has found apart from the list, and one search from another', async () => {
    const apollo = client();
    const query = gql`query ($search: String) { assetRepairs(first: 30, search: $search) { nodes { id asset } } }`;
    const found = async (search?: string) =>
      (await apollo.query<{ assetRepairs: Page }>({ query, variables: { search } })).data?.assetRepairs.nodes?.map(
        ({ asset }) => asset,
      );
    expect(await found()).toHaveLength(30);
    expect(await found('asset 007')).toEqual(['ASSET-007']);
    expect(await found('asset 008')).toEqual(['ASSET-008']);
    expect(await found()).toHaveLength(30);
  });

  test('pages through a hundred records by its list that grows', async () => {
    const apollo = client();
    const query = apollo.watchQuery<Repairs>({ query: list });
    const held = query.subscribe(() => {});
    let { data } = await apollo.query<Repairs>({ query: list });
    while (data?.assetRepairs.pageInfo.hasNextPage) {
      ({ data } = await query.fetchMore({ variables: { after: data.assetRepairs.pageInfo.endCursor } }));
    }
    held.unsubscribe();
    const cached = apollo.readQuery<Repairs>({ query: list });
    const assets = cached?.assetRepairs.edges.map(({ node }) => node.asset) ?? [];
    expect(assets).toHaveLength(100);
    expect(new Set(assets).size).toBe(100);
    expect([assets[0], assets[99]]).toEqual(['ASSET-099', 'ASSET-000']);
    expect(requests).toHaveLength(4);
  });

  test('shows the effect of a mutation in a list it holds, without asking again', async () => {
    const apollo = client();
    const { data } = await apollo.query<Repairs>({ query: list });
    const first = data?.assetRepairs.edges[0]?.node;
    await apollo.mutate({
      mutation: gql`
        mutation ($id: ID!) {
          updateAssetRepair(id: $id, input: { downtime: "2 Hours" }) { record { id downtime } }
        }
      `,
      variables: { id: first?.id },
    });
    const cached = apollo.readQuery<Repairs>({ query: list });
    expect(cached?.assetRepairs.edges[0]?.node.downtime).toBe('2 Hours');
    expect(requests).toHaveLength(2);
  });

  test('learns from a payload what was wrong, which is no error, and keeps its records', async () => {
    const apollo = client();
    const { data } = await apollo.query<Repairs>({ query: list });
    const first = data?.assetRepairs.edges[0]?.node;
    const answer = await apollo.mutate({
      mutation: gql`
        mutation ($id: ID!) {
          updateAssetRepair(id: $id, input: { downtime: "9 Hours" }, expectedVersion: 0) {
            record { id downtime }
            userErrors { code path currentVersion }
          }
        }
      `,
      variables: { id: first?.id },
    });
    expect(answer.error).toBeUndefined();
    expect(answer.data).toMatchObject({
      updateAssetRepair: { record: null, userErrors: [{ code: 'VERSION_CONFLICT', path: ['expectedVersion'] }] },
    });
    expect(apollo.readQuery<Repairs>({ query: list })?.assetRepairs.edges[0]?.node).toEqual(first);
  });

  test('takes a deleted record out of a list it holds', async () => {
    const apollo = client();
    const { data: before } = await apollo.query<Repairs>({ query: list });
    const [first, second] = before?.assetRepairs.edges ?? [];
    await apollo.mutate<{ deleteAssetRepair: { deletedId: string } }>({
      mutation: gql`mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }`,
      variables: { id: first?.node.id },
      update(cache, { data }) {
        cache.evict({ id: `AssetRepair:${data?.deleteAssetRepair.deletedId}` });
      },
    });
    const held = apollo.readQuery<Repairs>({ query: list });
    expect(held?.assetRepairs.edges[0]?.node).toEqual(second?.node);
    expect(requests).toHaveLength(2);
  });

  test('reads records of several types by one fragment on what they share', async () => {
    const apollo = client();
    const { data: held } = await apollo.query<Repairs>({ query: list });
    const { id, asset: displayTitle } = held?.assetRepairs.edges[0]?.node ?? {};
    const query = gql`
      fragment Title on BusinessRecord { version displayTitle }
      query Shared($id: ID!) {
        node(id: $id) { id ...Title ... on BusinessDocument { allowedActions actions { action allowed } } }
      }
    `;
    const { data } = await apollo.query<{ node: object }>({ query, variables: { id } });
    expect(data?.node).toMatchObject({ id, version: expect.any(Number), displayTitle, allowedActions: ['SUBMIT'] });
    expect(apollo.readQuery({ query, variables: { id } })).toEqual(data);
  });

  test('reads what interfaces share of lines, records and documents, and what a search has found, from its cache too', async () => {
    const apollo = client();
    const { jobCard, serialNo } = await namedSerialNo(gateway, 'GEAR-7');
    const query = gql`
      fragment Heading on BusinessRecord { version ... on MainRecord { createdAt } ... on BusinessDocument { status allowedActions } }
      query Mixed($ids: [ID!]!, $words: String!) {
        nodes(ids: $ids) { id ...Heading }
        search(query: $words, types: [JOB_CARD, SERIAL_NO]) {
          totalCount
          edges { cursor node { id ...Heading ... on SerialNo { itemCode } } }
        }
      }
    `;
    const variables = { ids: [jobCard, serialNo], words: 'gear 7' };
    const { data } = await apollo.query<{ nodes: object[]; search: { edges: object[] } }>({ query, variables });
    const card = { __typename: 'JobCard', id: jobCard, version: 1, status: 'DRAFT', allowedActions: ['SUBMIT'] };
    const number = { __typename: 'SerialNo', id: serialNo, version: 1, createdAt: expect.any(String) };
    expect(data?.nodes).toMatchObject([card, number]);
    expect(data?.search.edges).toMatchObject([{ node: card }, { node: { ...number, itemCode: 'GEAR' } }]);
    expect(apollo.readQuery({ query, variables })).toEqual(data);
  });

  test('follows a link and its way back, filtered by an enum, and holds each record once', async () => {
    const apollo = client();
    const { jobCard, serialNo } = await namedSerialNo(gateway, 'GEAR-8');
    const query = gql`
      query Cards($status: DocumentStatus!) {
        jobCards(first: 1, where: { status: { eq: $status }, serialNoRecord: { company: { eq: "ACME" } } }) {
          nodes { id status serialNoRecord { id jobCardsBySerialNo(first: 1) { nodes { id operation } } } }
        }
      }
    `;
    const variables = { status: 'DRAFT' };
    const { data } = await apollo.query({ query, variables });
    expect(data).toMatchObject({
      jobCards: {
        nodes: [
          {
            id: jobCard,
            status: 'DRAFT',
            serialNoRecord: { id: serialNo, jobCardsBySerialNo: { nodes: [{ id: jobCard }] } },
          },
        ],
      },
    });
    const submit = gql`mutation ($id: ID!) { submitJobCard(id: $id) { record { id status } userErrors { code } } }`;
    await apollo.mutate({ mutation: submit, variables: { id: jobCard } });
    expect(apollo.readQuery({ query, variables })).toMatchObject({ jobCards: { nodes: [{ status: 'SUBMITTED' }] } });
    const { data: again } = await apollo.mutate({ mutation: submit, variables: { id: jobCard } });
    expect(again).toMatchObject({ submitJobCard: { record: null, userErrors: [{ code: 'INVALID_STATE' }] } });
  });

  test('sends an operation by its hash after the first time, by GET where asked to', async () => {
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const apollo = client(new PersistedQueryLink({ sha256, useGETForHashedQueries: true }));
    const options = { query: list, fetchPolicy: 'network-only' } as const;
    const [first, second] = [await apollo.query<Repairs>(options), await apollo.query<Repairs>(options)];
    expect(second.data?.assetRepairs.edges).toHaveLength(30);
    expect(second.data).toEqual(first.data);
    expect(requests.at(-1)).toMatchObject({ method: 'GET', body: undefined });
  });
});
