import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { relayStylePagination } from '@apollo/client/utilities';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { hundredRepairs, namedSerialNo } from './records.js';

const list = gql`
  query Repairs($after: String) {
    assetRepairs(first: 30, after: $after) {
      edges { node { id asset downtime } }
      pageInfo { hasNextPage endCursor }
    }
  }
`;

interface Repairs {
  assetRepairs: {
    edges: { node: { id: string; asset: string; downtime: string | null } }[];
    pageInfo: { hasNextPage: boolean; endCursor: string };
  };
}

/** What the cache has to know of interfaces, asked of the gateway as an app's build would. */
const introspection = '{ __schema { types { kind name possibleTypes { name } } } }';

interface IntrospectedType {
  kind: string;
  name: string;
  possibleTypes: { name: string }[] | null;
}

function possibleTypesOf(types: IntrospectedType[]): Record<string, string[]> {
  const interfaces = types.filter(({ kind }) => kind === 'INTERFACE');
  return Object.fromEntries(interfaces.map((type) => [type.name, (type.possibleTypes ?? []).map(({ name }) => name)]));
}

describe('Apollo Client', () => {
  let gateway: TestGateway;
  let schema: { types: IntrospectedType[] };
  let requests: { method?: string | undefined; body?: unknown }[] = [];
  beforeAll(async () => {
    gateway = await startGateway({ env: { SEARCH: 'true' } });
    await hundredRepairs(gateway);
    schema = (await gateway.graphql(introspection)).body.data.__schema;
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
      cache: new InMemoryCache({
        possibleTypes: possibleTypesOf(schema.types),
        typePolicies: { Query: { fields: { assetRepairs: relayStylePagination(['where', 'orderBy']) } } },
      }),
    });
  }

  test('pages through a hundred records with relayStylePagination', async () => {
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
    const id = held?.assetRepairs.edges[0]?.node.id;
    const query = gql`
      fragment Title on BusinessRecord { version displayTitle }
      query Shared($id: ID!) {
        node(id: $id) { id ...Title ... on BusinessDocument { allowedActions actions { action allowed } } }
      }
    `;
    const { data } = await apollo.query<{ node: object }>({ query, variables: { id } });
    expect(data?.node).toMatchObject({ id, version: expect.any(Number), displayTitle: id, allowedActions: ['SUBMIT'] });
    expect(apollo.readQuery({ query, variables: { id } })).toEqual(data);
  });

  test('reads what interfaces share of lines, records and documents, and what a search has found, from its cache too', async () => {
    const apollo = client();
    const { jobCard, serialNo } = await namedSerialNo(gateway, 'GEAR-7');
    const query = gql`
      fragment Heading on BusinessRecord { version ... on MainRecord { createdAt } ... on BusinessDocument { status allowedActions } }
      query Mixed($ids: [ID!]!, $words: String!) {
        nodes(ids: $ids) { id ...Heading }
        search(query: $words, types: [JobCard, SerialNo]) {
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
