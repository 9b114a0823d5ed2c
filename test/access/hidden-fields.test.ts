/** Fields that a role hides, also those of which every record has a value: null on every way, and never written. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { startGateway } from '../support/gateway.js';
import { callerOf, errorsOf } from './keys.js';
import { rolesFile, technician } from './roles.js';

const hide = {
  AssetRepair: ['repairCost', 'capitalizeRepairCost', 'increaseInAssetLife', 'asset', 'repairStatus'],
  AssetRepairConsumedItem: ['itemCode', 'valuationRate'],
};
const reader = { scopes: ['assets:read'], types: { AssetRepair: { read: true } }, hide };

const create = `mutation { createAssetRepair(input: { asset: "LATHE", failureDate: "2026-11-20", company: "ACME",
  repairCost: 120.5, capitalizeRepairCost: true, increaseInAssetLife: 6,
  consumedItems: [{ itemCode: "OIL", warehouse: "W", consumedQuantity: "2", valuationRate: 4 }] }) { record { id version } } }`;
const columns = 'repairCost capitalizeRepairCost increaseInAssetLife asset repairStatus company';
const hiddenValues = {
  repairCost: null,
  capitalizeRepairCost: null,
  increaseInAssetLife: null,
  asset: null,
  repairStatus: null,
  company: 'ACME',
};
const line = { itemCode: null, valuationRate: null, warehouse: 'W' };

describe.each([
  ['sqlite', true],
  ['sqlite', false],
  ['postgresql', true],
  ['postgresql', false],
] as const)('on %s, compiled: %s', (database, compiled) => {
  async function start() {
    const gateway = await startGateway({ database, compiled, env: { ROLES: rolesFile({ technician, reader }) } });
    onTestFinished(gateway.close);
    const { body } = await gateway.graphql(create);
    const { id } = body.data.createAssetRepair.record;
    const callerIn = async (role: string) => {
      const claims = '{"company":"ACME"}';
      return callerOf(gateway, (await createKey(gateway.database, { name: 'x', roles: [role], claims })).secret);
    };
    return { gateway, id, callerIn };
  }

  test('every field is null where it is read', async () => {
    const { id, callerIn } = await start();
    const { graphql, rest } = await callerIn('reader');
    const query = `query ($id: ID!) {
      assetRepair(id: $id) { ${columns} consumedItems { itemCode valuationRate warehouse assetRepair { repairCost } } }
      assetRepairs { nodes { ${columns} } }
      assetRepairConsumedItems(parentId: $id) { nodes { itemCode valuationRate warehouse } }
      node(id: $id) { ... on AssetRepair { ${columns} } } }`;
    expect((await graphql(query, { id })).body).toEqual({
      data: {
        assetRepair: { ...hiddenValues, consumedItems: [{ ...line, assetRepair: { repairCost: null } }] },
        assetRepairs: { nodes: [hiddenValues] },
        assetRepairConsumedItems: { nodes: [line] },
        node: hiddenValues,
      },
    });
    const read = await rest('GET', `/api/assets/asset-repair/${id}`);
    expect(read.body).toMatchObject({ repair_cost: null, capitalize_repair_cost: null, asset: null, company: 'ACME' });
    expect((await rest('GET', '/api/assets/asset-repair')).body.data).toEqual([read.body]);
    const lines = await rest('GET', `/api/assets/asset-repair-consumed-item?parent_id=${id}`);
    expect(lines.body.data).toMatchObject([{ item_code: null, valuation_rate: null, warehouse: 'W' }]);
  });

  test('a record is named by what is shown of it, now and at a time', async () => {
    const { gateway, id, callerIn } = await start();
    const query = `query ($id: ID!, $at: DateTime!) { assetRepair(id: $id) { displayTitle }
      assetRepairs { nodes { displayTitle } } node(id: $id) { ... on BusinessRecord { displayTitle } }
      then: assetRepair(id: $id, asOf: $at) { displayTitle consumedItems { displayTitle } } }`;
    const variables = { id, at: new Date().toISOString() };
    const named = async ({ graphql }: Pick<typeof gateway, 'graphql'>) => {
      const { data } = (await graphql(query, variables)).body;
      const [line] = data.then.consumedItems;
      return [data.assetRepair, data.assetRepairs.nodes[0], data.node, data.then, line].map((it) => it.displayTitle);
    };
    expect(await named(gateway)).toEqual(['LATHE', 'LATHE', 'LATHE', 'LATHE', 'OIL']);
    const names = await named(await callerIn('reader'));
    expect(names.slice(0, 4)).toEqual([id, id, id, id]);
    expect(names[4]).toMatch(/^asset-repair-consumed-item_/);
  });

  test('what was read can be sent back, and no value is written', async () => {
    const { gateway, id, callerIn } = await start();
    const { graphql, rest } = await callerIn('technician');
    const path = `/api/assets/asset-repair/${id}`;
    const { body } = await rest('GET', path);
    expect(body.repair_cost).toBeNull();
    const { status: _, ...sent } = body;
    const saved = await rest('PATCH', path, { ...sent, project: 'P' });
    expect(saved.body).toEqual({ ...body, project: 'P', updated_at: expect.any(String) });
    expect((await rest('PATCH', path, { repair_cost: 0 })).status).toBe(403);
    const update = `mutation ($id: ID!) { updateAssetRepair(id: $id, input: { repairCost: 1 }) { record { id } } }`;
    expect(errorsOf(await graphql(update, { id }))).toEqual(['FORBIDDEN updateAssetRepair']);
    expect(errorsOf(await graphql('{ assetRepairs(where: { repairCost: { gt: 1 } }) { totalCount } }'))).toEqual([
      'FORBIDDEN assetRepairs',
    ]);
    const stored = (await gateway.rest('GET', path)).body;
    expect(stored).toMatchObject({ repair_cost: 120.5, project: 'P' });
  });
});

test('the description of REST says of these fields alone that they may be null, and GraphQL promises none of them', async () => {
  const gateway = await startGateway({ env: { ROLES: rolesFile({ technician, reader }) } });
  const usual = await startGateway();
  onTestFinished(async () => void (await Promise.all([gateway.close(), usual.close()])));
  const schemaOf = async ({ rest }: typeof gateway, name: string) =>
    (await rest('GET', '/openapi.json')).body.components.schemas[name];
  const { properties, ...rest } = await schemaOf(gateway, 'AssetRepair');
  const { properties: before, ...others } = await schemaOf(usual, 'AssetRepair');
  expect(rest).toEqual(others);
  expect(properties).toEqual({
    ...before,
    repair_cost: { ...before.repair_cost, type: ['number', 'null'] },
    capitalize_repair_cost: { ...before.capitalize_repair_cost, type: ['boolean', 'null'] },
    increase_in_asset_life: { ...before.increase_in_asset_life, type: ['integer', 'null'] },
    asset: { ...before.asset, type: ['string', 'null'] },
    repair_status: { ...before.repair_status, type: ['string', 'null'] },
  });
  for (const name of ['CreateAssetRepairInput', 'UpdateAssetRepairInput', 'SerialNo'])
    expect(await schemaOf(gateway, name)).toEqual(await schemaOf(usual, name));
  const texts = [gateway, usual].map(async ({ url }) => (await fetch(`${url}/schema.graphql`)).text());
  const [one, other] = await Promise.all(texts);
  expect(one).toBe(other);
  expect(one).toContain('\n  repairCost: Float\n');
});
