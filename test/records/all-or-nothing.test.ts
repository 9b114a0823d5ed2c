/** A write that fails half-way leaves nothing behind. The database itself refuses the item FAIL. */
import { beforeAll, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { footprint } from '../input/footprint.js';
import type { TestGateway } from '../support/gateway.js';
import { race, restClient } from './record-clients.js';

const create = `mutation ($input: CreateAssetRepairInput!) {
  createAssetRepair(input: $input) { record { id consumedItems { itemCode idx } purchaseInvoices { idx } } }
}`;

onBothDatabases((gateway) => {
  beforeAll(async () => {
    const { client, provider } = gateway().database;
    for (const statement of refusals[provider]) await client.$executeRawUnsafe(statement);
  });

  test('a create whose third line fails stores neither the record nor its other lines', async () => {
    const before = await footprint(gateway().database);
    const { body } = await gateway().graphql(create, { input: repair('BOLT', 'NUT', 'FAIL', 'SCREW') });

    expect(body.errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
    expect(await footprint(gateway().database)).toEqual(before);
  });

  test('a create whose third line is wrong stores nothing either', async () => {
    const before = await footprint(gateway().database);
    const input = repair('BOLT', 'NUT', 'SCREW');
    const { body } = await gateway().graphql(create, {
      input: {
        ...input,
        purchaseInvoices: [{ expenseAccount: 'Repairs', repairCost: 5 }, { expenseAccount: 'Repairs' }],
      },
    });

    expect(body.errors[0].extensions.errors[0].param).toBe('input.purchaseInvoices[1].repairCost');
    expect(await footprint(gateway().database)).toEqual(before);
  });

  test('of creates at once the failing ones leave nothing, the others all their lines', async () => {
    const count = async () => (await gateway().rest('GET', '/api/assets/asset-repair')).body.total;
    const before = await count();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        gateway().graphql(create, { input: repair('BOLT', index % 2 === 0 ? 'NUT' : 'FAIL', 'SCREW') }),
      ),
    );

    const made = answers.flatMap(({ body }) => body.data?.createAssetRepair?.record ?? []);
    expect(made).toHaveLength(10);
    for (const { consumedItems } of made)
      expect(consumedItems.map(({ idx }: { idx: number }) => idx)).toEqual([1, 2, 3]);
    expect(await count()).toBe(before + 10);
  });

  test('a line that fails at the first place moves none of the others', async () => {
    const id = await stored(gateway());
    const line = { asset_repair_id: id, item_code: 'FAIL', warehouse: 'Main', idx: 1 };
    const before = await footprint(gateway().database);
    const { status } = await restClient(gateway()).create('AssetRepairConsumedItem', line);

    expect(status).toBe(500);
    expect(await footprint(gateway().database)).toEqual(before);
    expect(await places(gateway(), id)).toEqual([1, 2, 3]);
  });

  test('lines that fail among others at once leave no gap', async () => {
    const id = await stored(gateway());
    const outcomes = await race(gateway(), 20, (client, index) =>
      client.create('AssetRepairConsumedItem', {
        asset_repair_id: id,
        item_code: index % 4 < 2 ? 'FAIL' : 'NUT',
        warehouse: 'Main',
        idx: 2,
      }),
    );

    expect(outcomes.filter(({ record }) => record)).toHaveLength(10);
    expect(await places(gateway(), id)).toEqual(Array.from({ length: 13 }, (_, index) => index + 1));
  });

  test('an update that fails leaves the line where it was, and its siblings', async () => {
    const id = await stored(gateway());
    const path = `/api/assets/asset-repair-consumed-item?parent_id=${id}`;
    const { data } = (await gateway().rest('GET', path)).body;
    const before = await footprint(gateway().database);
    const outcome = await restClient(gateway()).update('AssetRepairConsumedItem', data[2].id, {
      idx: 1,
      item_code: 'FAIL',
    });

    expect(outcome.status).toBe(500);
    expect(await footprint(gateway().database)).toEqual(before);
    expect((await gateway().rest('GET', path)).body.data).toEqual(data);
  });
});

const refusals = {
  sqlite: ['INSERT', 'UPDATE'].map(
    (event) => `CREATE TRIGGER "refuse_${event}" BEFORE ${event} ON "AssetRepairConsumedItem"
      WHEN NEW."itemCode" = 'FAIL' BEGIN SELECT RAISE(ABORT, 'there is no such item'); END`,
  ),
  postgresql: [`ALTER TABLE "AssetRepairConsumedItem" ADD CONSTRAINT "refuse" CHECK ("itemCode" <> 'FAIL')`],
};

function repair(...itemCodes: string[]) {
  const consumedItems = itemCodes.map((itemCode) => ({ itemCode, warehouse: 'Main' }));
  return { asset: 'PRESS-1', failureDate: '2026-01-31', consumedItems };
}

async function stored(gateway: TestGateway): Promise<string> {
  return (await gateway.graphql(create, { input: repair('BOLT', 'NUT', 'SCREW') })).body.data.createAssetRepair.record
    .id;
}

async function places(gateway: TestGateway, id: string): Promise<number[]> {
  const path = `/api/assets/asset-repair-consumed-item?parent_id=${id}`;
  return (await gateway.rest('GET', path)).body.data.map(({ idx }: { idx: number }) => idx);
}
