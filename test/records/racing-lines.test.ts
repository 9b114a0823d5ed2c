/** Lines of one parent that are created, deleted and moved at once stay numbered 1…n, each number once. */
import { expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import type { TestGateway } from '../support/gateway.js';
import { type Body, graphqlClient, race, restClient } from './record-clients.js';

const model = 'AssetRepairConsumedItem';

onBothDatabases((gateway) => {
  test('20 simultaneous creates at the end', async () => {
    const parentId = await parent(gateway());
    const outcomes = await race(gateway(), 20, (client, index) => client.create(model, item(parentId, index)));

    expect(outcomes.map(({ record }) => Number(record?.idx)).toSorted(byNumber)).toEqual(oneTo(20));
    expect(await places(gateway(), parentId)).toEqual(oneTo(20));
  });

  test('20 simultaneous creates at the beginning', async () => {
    const parentId = await parent(gateway());
    await race(gateway(), 20, (client, index) => client.create(model, { ...item(parentId, index), idx: 1 }));
    expect(await places(gateway(), parentId)).toEqual(oneTo(20));
  });

  test('creates with and without a place, moves, deletes and reorders, all at once', async () => {
    const parentId = await parent(gateway());
    const ids = await lines(gateway(), parentId, 10);
    const outcomes = await race(gateway(), 60, (client, index) => {
      const [id = '', other = ''] = [ids[index % 5], ids[5 + (index % 5)]];
      switch (Math.floor(index / 2) % 6) {
        case 0:
          return client.create(model, item(parentId, index));
        case 1:
          return client.create(model, { ...item(parentId, index), idx: 1 + (index % 12) });
        case 2:
          return client.update(model, id, { idx: 1 + ((index * 7) % 15) });
        case 3:
          return client.remove(model, other);
        case 4:
          return client.reorder(model, parentId);
        default:
          return client.reorder(model, parentId, ids.toReversed());
      }
    });

    const faults = outcomes.filter(
      ({ refusal = '' }) => !['', 'resource_missing', 'reorder_mismatch'].includes(refusal),
    );
    expect(faults).toEqual([]);
    expect(await places(gateway(), parentId)).toEqual(oneTo(10 + 20 - 5));
  });

  test('20 simultaneous reorders leave the order of one of them', async () => {
    const parentId = await parent(gateway());
    const ids = await lines(gateway(), parentId, 8);
    const orders = oneTo(20).map((by) => [...ids.slice(by % 8), ...ids.slice(0, by % 8)]);
    const outcomes = await race(gateway(), 20, (client, index) => client.reorder(model, parentId, orders[index]));

    expect(outcomes.map(({ lines: ordered }) => ordered?.map(({ id }) => id))).toEqual(orders);
    const stored = await linesOf(gateway(), parentId);
    expect(orders).toContainEqual(stored.map(({ id }) => id));
    expect(stored.map(({ idx }) => idx)).toEqual(oneTo(8));
  });

  test('of a parent that is kept elsewhere, whose first lines they are', async () => {
    const parentId = `SINV-${Math.random()}`;
    const line = { parent_id: parentId, parent_type: 'Sales Invoice', mode_of_payment: 'Cash' };
    const outcomes = await race(gateway(), 20, (client) => client.create('SalesInvoicePayment', line));

    expect(outcomes.flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
    const path = `/api/accounts/sales-invoice-payment?parent_id=${parentId}&limit=100`;
    const { data }: { data: Body[] } = (await gateway().rest('GET', path)).body;
    expect(data.map(({ idx }) => idx)).toEqual(oneTo(20));
  });

  test('of a parent that is deleted meanwhile: none is left', async () => {
    const parentId = await parent(gateway());
    const outcomes = await race(gateway(), 30, (client, index) =>
      index === 14 ? client.remove('AssetRepair', parentId) : client.create(model, item(parentId, index)),
    );

    expect(outcomes[14]?.refusal).toBeUndefined();
    expect(outcomes.filter(({ refusal }) => refusal !== undefined && refusal !== 'resource_missing')).toEqual([]);
    expect(await linesOf(gateway(), parentId)).toEqual([]);
  });

  test('raise the version of their parent, each by one', async () => {
    const parentId = await parent(gateway());
    await race(gateway(), 20, (client, index) => client.create(model, item(parentId, index)));
    const { body } = await gateway().graphql('query ($id: ID!) { assetRepair(id: $id) { version } }', { id: parentId });
    expect(body.data.assetRepair.version).toBe(21);
  });
});

async function parent(gateway: TestGateway): Promise<string> {
  const { record } = await graphqlClient(gateway).create('AssetRepair', {
    asset: 'PRESS-1',
    failure_date: '2026-01-31',
  });
  return record?.id ?? '';
}

async function lines(gateway: TestGateway, parentId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push((await restClient(gateway).create(model, item(parentId, index))).record?.id ?? '');
  }
  return ids;
}

function item(parentId: string, index: number): Body {
  return { asset_repair_id: parentId, item_code: `PART-${index}`, warehouse: 'Main' };
}

async function linesOf(gateway: TestGateway, parentId: string): Promise<Body[]> {
  const path = `/api/assets/asset-repair-consumed-item?parent_id=${parentId}&limit=1000`;
  return (await gateway.rest('GET', path)).body.data;
}

/** The stored numbers in the order of the list, which both surfaces must agree on. */
async function places(gateway: TestGateway, parentId: string): Promise<unknown[]> {
  const query = 'query ($id: ID!) { assetRepair(id: $id) { consumedItems { id idx } } }';
  const nested: Body[] = (await gateway.graphql(query, { id: parentId })).body.data.assetRepair.consumedItems;
  const listed = await linesOf(gateway, parentId);
  expect(nested.map(({ id }) => id)).toEqual(listed.map(({ id }) => id));
  return nested.map(({ idx }) => idx);
}

const byNumber = (left: number, right: number) => left - right;

function oneTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
