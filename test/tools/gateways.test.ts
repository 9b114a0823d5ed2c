/** Gateways of others in front of this one: Hive Gateway, and the GraphQL that Mesh makes of the OpenAPI description. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Described, program, startDescribed } from './described.js';
import { type Served, serve } from './served.js';

let described: Described;
beforeAll(async () => {
  described = await startDescribed();
});
afterAll(() => described?.close());

const authorization = () => `Bearer ${described.gateway.key}`;

async function ask({ url }: Served, query: string, variables: Record<string, unknown> = {}) {
  const headers = { authorization: authorization(), 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
  return answer.json();
}

describe('Hive Gateway as a proxy of /graphql', () => {
  let hive: Served;
  beforeAll(async () => {
    hive = await serve('hive-gateway', [described.graphql, `${described.gateway.url}/graphql`]);
  });
  afterAll(() => hive?.close());

  const create = `mutation ($input: CreateAssetRepairInput!) {
    createAssetRepair(input: $input) { record { id asset } userErrors { path code } }
  }`;

  test('a query gets records with their lines', async () => {
    const input = {
      asset: 'LATHE-7',
      failureDate: '2026-11-20',
      consumedItems: [{ itemCode: 'BELT', warehouse: 'Main' }],
    };
    expect((await ask(hive, create, { input })).data.createAssetRepair.userErrors).toEqual([]);
    const query = `{ assetRepairs(where: { asset: { eq: "LATHE-7" } }) {
      totalCount nodes { __typename asset consumedItems { idx itemCode assetRepair { asset } } }
    } }`;
    const consumedItems = [{ idx: 1, itemCode: 'BELT', assetRepair: { asset: 'LATHE-7' } }];
    expect(await ask(hive, query)).toEqual({
      data: {
        assetRepairs: { totalCount: 1, nodes: [{ __typename: 'AssetRepair', asset: 'LATHE-7', consumedItems }] },
      },
    });
  });

  test('a mutation says in userErrors why nothing was done', async () => {
    const input = { asset: 'LATHE-8', failureDate: '2026-11-20', consumedItems: [{ itemCode: 'BELT' }] };
    const userErrors = [{ path: ['input', 'consumedItems', '0', 'warehouse'], code: 'PARAMETER_MISSING' }];
    expect(await ask(hive, create, { input })).toEqual({ data: { createAssetRepair: { record: null, userErrors } } });
  });

  test('a subscription hears of a change', async () => {
    const client = createClient({ url: hive.url, headers: { authorization: authorization() }, retryAttempts: 0 });
    const events = client.iterate({ query: 'subscription { assetRepairChanged { notice action record { asset } } }' });
    expect(await events.next()).toMatchObject({ value: { data: { assetRepairChanged: { notice: 'OPENED' } } } });
    await ask(hive, create, { input: { asset: 'LATHE-9', failureDate: '2026-11-21' } });
    expect(await events.next()).toMatchObject({
      value: { data: { assetRepairChanged: { action: 'CREATE', record: { asset: 'LATHE-9' } } } },
    });
    await events.return?.();
    client.dispose();
  });
});

test('Mesh makes GraphQL of the OpenAPI description, which lists, reads and creates', async () => {
  const supergraph = join(described.folder, 'supergraph.graphql');
  writeFileSync(supergraph, await program('mesh-compose', [described.openapi, described.gateway.url]));
  const mesh = await serve('hive-gateway', [supergraph]);
  try {
    const create = `mutation { created: AssetRepairCreate(input: { asset: "LATHE-7", failure_date: "2026-11-20" }) {
      ... on Asset_Repair { id asset }
    } }`;
    const { data, errors } = await ask(mesh, create);
    expect(errors).toBeUndefined();
    expect(data.created.asset).toBe('LATHE-7');
    const reads = `{
      list: AssetRepairList(limit: 10) { ... on AssetRepairList { total data { id asset } } }
      one: AssetRepairRetrieve(id: "${data.created.id}") { ... on AssetRepairRetrieve_200_response { id asset } }
    }`;
    const { list, one } = (await ask(mesh, reads)).data;
    expect(one).toEqual(data.created);
    expect(list.data).toContainEqual(data.created);
    expect(list.total).toBe(list.data.length);
  } finally {
    mesh.close();
  }
});
