/** urql, as it subscribes by itself and by the client graphql-sse. */
import { Client, fetchExchange, gql, type SubscriptionForwarder, subscriptionExchange } from '@urql/core';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepair, createRepairs } from '../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const changed = gql`
  subscription ($id: ID, $after: String) {
    assetRepairChanged(id: $id, after: $after) { position notice version record { id asset } }
  }
`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const options = () => ({ url: `${gateway.url}/graphql`, preferGetMethod: false, fetchOptions: { headers: headers() } });
const headers = () => ({ authorization: `Bearer ${gateway.key}` });
const clients: [string, () => Client][] = [
  ['by itself', () => new Client({ ...options(), exchanges: [fetchExchange], fetchSubscriptions: true })],
  [
    'by graphql-sse',
    () => {
      const sse = createClient({ url: `${gateway.url}/graphql`, headers: headers(), retryAttempts: 0 });
      const forwardSubscription: SubscriptionForwarder = ({ query = '', variables }) => ({
        subscribe: (sink) => ({
          unsubscribe: sse.subscribe<Record<string, unknown>>(
            { query, variables: { ...variables } },
            {
              next: ({ data, errors }) => sink.next({ data, ...(errors ? { errors: [...errors] } : {}) }),
              error: sink.error,
              complete: sink.complete,
            },
          ),
        }),
      });
      return new Client({ ...options(), exchanges: [fetchExchange, subscriptionExchange({ forwardSubscription })] });
    },
  ],
];

test.each(clients)('urql %s gets changes, is cut and resumes', async (_, make) => {
  const client = make();
  const { id } = await createRepair(gateway);
  const events: { position: string; notice: string | null; version: number | null; record: unknown }[] = [];
  const errors: unknown[] = [];
  const begin = (after?: string) =>
    client.subscription(changed, { id, after }).subscribe(({ data, error }) => {
      if (error) errors.push(error);
      if (data?.assetRepairChanged) events.push(data.assetRepairChanged);
    });
  const change = (asset: string) => gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset });
  const first = begin();
  await expect.poll(() => events.length).toBe(1);
  await change('one');
  await expect.poll(() => events.length).toBe(2);
  expect(events).toMatchObject([{ notice: 'OPENED' }, { notice: null, version: 2, record: { id, asset: 'one' } }]);
  first.unsubscribe();
  await change('two');
  await createRepairs(gateway, 3);
  await change('three');
  const second = begin(events.at(-1)?.position);
  await expect.poll(() => events.length).toBe(5);
  expect(events.slice(2).map(({ version }) => version)).toEqual([null, 3, 4]);
  expect(
    (await client.query(gql`{ assetRepairs { totalCount } }`, {}).toPromise()).data.assetRepairs.totalCount,
  ).toBeGreaterThan(3);
  second.unsubscribe();
  expect(errors).toEqual([]);
});
