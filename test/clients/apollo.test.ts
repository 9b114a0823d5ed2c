import { createHash } from 'node:crypto';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { relayStylePagination } from '@apollo/client/utilities';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { hundredRepairs } from './records.js';

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

describe('Apollo Client', () => {
  let gateway: TestGateway;
  let requests: { method?: string | undefined; body?: unknown }[] = [];
  beforeAll(async () => {
    gateway = await startGateway();
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
      cache: new InMemoryCache({
        possibleTypes: { Record: ['AssetRepair', 'Timesheet'], Document: ['AssetRepair', 'Timesheet'] },
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

  test('is told by a payload what was wrong, which is no error, and keeps what it holds', async () => {
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
      fragment Title on Record { version displayTitle }
      query Shared($id: ID!) {
        node(id: $id) { id ...Title ... on Document { allowedActions actions { action allowed } } }
      }
    `;
    const { data } = await apollo.query<{ node: object }>({ query, variables: { id } });
    expect(data?.node).toMatchObject({ id, version: expect.any(Number), displayTitle: id, allowedActions: ['SUBMIT'] });
    expect(apollo.readQuery({ query, variables: { id } })).toEqual(data);
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
