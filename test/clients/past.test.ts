/** A record and its state of the past in one query stay two objects in the normalised caches of clients. */
import { ApolloClient, gql, HttpLink } from '@apollo/client';
import { Client, fetchExchange } from '@urql/core';
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { possibleTypes } from './possible-types.js';
import { cacheOf as apolloCache } from './recipes/apollo-cache.js';
import { cacheOf as graphcache } from './recipes/graphcache.js';

const both = gql`query ($id: ID!, $at: DateTime!) {
  now: assetRepair(id: $id) { id recordId asset consumedItems { id warehouse } }
  past: assetRepair(id: $id, asOf: $at) { id recordId asset consumedItems { id warehouse } }
}`;
const one = gql`query ($id: ID!) { assetRepair(id: $id) { id asset consumedItems { id warehouse } } }`;

let gateway: TestGateway;
let variables: { id: string; at: string };
beforeAll(async () => {
  gateway = await startGateway();
  const create = `mutation { createAssetRepair(input: { asset: "then", failureDate: "2026-11-20", consumedItems: [{ itemCode: "a", warehouse: "then" }] }) {
    record { id updatedAt consumedItems { id } } } }`;
  const { record } = (await gateway.graphql(create)).body.data.createAssetRepair;
  variables = { id: record.id, at: record.updatedAt };
  await new Promise((resolve) => setTimeout(resolve, 5));
  await gateway.graphql(
    `mutation ($id: ID!, $line: ID!) { updateAssetRepair(id: $id, input: { asset: "now" }) { record { id } }
     updateAssetRepairConsumedItem(id: $line, input: { warehouse: "now" }) { record { id } } }`,
    { id: record.id, line: record.consumedItems[0].id },
  );
});
afterAll(() => gateway.close());

const expected = {
  now: { asset: 'now', consumedItems: [{ warehouse: 'now' }] },
  past: { asset: 'then', consumedItems: [{ warehouse: 'then' }] },
};

test('Apollo Client', async () => {
  const client = new ApolloClient({
    link: new HttpLink({ uri: `${gateway.url}/graphql`, headers: { authorization: `Bearer ${gateway.key}` } }),
    cache: apolloCache(possibleTypes),
  });
  const shown: unknown[] = [];
  const watched = client.watchQuery({ query: one, variables: { id: variables.id } }).subscribe(({ data }) => {
    if (data) shown.push(data);
  });
  await expect.poll(() => shown.length).toBeGreaterThan(0);
  const { data } = await client.query({ query: both, variables });
  expect(data).toMatchObject(expected);
  expect(client.readQuery({ query: both, variables })).toMatchObject(expected);
  watched.unsubscribe();
  for (const each of shown) expect(each).toMatchObject({ assetRepair: expected.now });
});

test('urql with Graphcache', async () => {
  const { body } = await gateway.graphql(getIntrospectionQuery());
  const client = new Client({
    url: `${gateway.url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { authorization: `Bearer ${gateway.key}` } },
    exchanges: [graphcache(body.data), fetchExchange],
  });
  const shown: unknown[] = [];
  const watched = client.query(one, { id: variables.id }).subscribe(({ data }) => {
    if (data) shown.push(data);
  });
  await expect.poll(() => shown.length).toBeGreaterThan(0);
  const { data } = await client.query(both, variables).toPromise();
  expect(data).toMatchObject(expected);
  const cached = await client.query(both, variables, { requestPolicy: 'cache-only' }).toPromise();
  expect(cached.data).toMatchObject(expected);
  watched.unsubscribe();
  for (const each of shown) expect(each).toMatchObject({ assetRepair: expected.now });
});
