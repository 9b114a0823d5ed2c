/** Apollo Client subscribes by itself: it asks for a stream in parts, which the gateway sends. */
import {
  ApolloClient,
  CombinedGraphQLErrors,
  CombinedProtocolErrors,
  gql,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/features/keys/api-keys.js';
import { createRepair } from '../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

interface Changed {
  assetRepairChanged: { position: string; notice: string | null; version: number | null; record: object | null };
}

const changed = gql`
  subscription Changed($id: ID, $after: String) {
    assetRepairChanged(id: $id, after: $after) { position notice version record { id asset } }
  }
`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ heartbeatEvery: 100 });
});
afterAll(() => gateway.close());

function follow(variables: object, key = gateway.key) {
  const link = new HttpLink({ uri: `${gateway.url}/graphql`, headers: { authorization: `Bearer ${key}` } });
  const apollo = new ApolloClient({ link, cache: new InMemoryCache() });
  const events: Changed['assetRepairChanged'][] = [];
  const errors: unknown[] = [];
  const state = { isComplete: false };
  const subscription = apollo.subscribe<Changed>({ query: changed, variables }).subscribe({
    next: ({ data, error }) => {
      if (error) errors.push(error);
      if (data) events.push(data.assetRepairChanged);
    },
    error: (error: unknown) => void errors.push(error),
    complete: () => {
      state.isComplete = true;
    },
  });
  return { apollo, events, errors, state, stop: () => subscription.unsubscribe() };
}

const change = (id: string, asset: string) => gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset });

test('it gets each change at once, also its cache, and continues where it was', async () => {
  const { id } = await createRepair(gateway);
  const first = follow({ id });
  await expect.poll(() => first.events.length).toBe(1);
  await change(id, 'Säge');
  await expect.poll(() => first.events.length).toBe(2);
  expect(first.events).toMatchObject([
    { notice: 'OPENED' },
    { notice: null, version: 2, record: { id, asset: 'Säge' } },
  ]);
  const held = gql`fragment Held on AssetRepair { asset }`;
  expect(first.apollo.cache.readFragment({ id: `AssetRepair:${id}`, fragment: held })).toMatchObject({ asset: 'Säge' });
  first.stop();
  await change(id, 'two');
  const second = follow({ id, after: first.events.at(-1)?.position });
  await expect.poll(() => second.events.length).toBe(2);
  expect(second.events).toMatchObject([{ notice: 'OPENED' }, { version: 3, record: { id, asset: 'two' } }]);
  second.stop();
  expect([...first.errors, ...second.errors]).toEqual([]);
});

test('it is told when its key is revoked, and what is wrong with a subscription', async () => {
  const { secret, apiKey } = await createKey(gateway.database, { name: 'apollo', scopes: ['assets:read'] });
  const stream = follow({}, secret);
  await expect.poll(() => stream.events.length).toBe(1);
  await revokeKey(gateway.database, apiKey.id);
  await expect.poll(() => stream.errors.length, { timeout: 20_000 }).toBe(1);
  const [error] = stream.errors;
  expect(CombinedProtocolErrors.is(error) && error.errors[0]?.extensions).toMatchObject({ reason: 'api_key_invalid' });

  const refused = follow({}, secret);
  await expect.poll(() => refused.errors.length).toBe(1);
  const [refusal] = refused.errors;
  expect(CombinedGraphQLErrors.is(refusal) && refusal.errors[0]?.extensions?.reason).toBe('api_key_invalid');

  const wrong = follow({ after: -1 });
  await expect.poll(() => wrong.errors.length).toBe(1);
  expect(String(wrong.errors[0])).toContain('after');
});
