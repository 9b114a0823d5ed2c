/** A supergraph of this gateway and another subgraph, queried through Apollo's gateway. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { federated, subgraphSdl } from '../../features/federation/subgraph.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { composed } from './composed.js';
import { type Router, startRouter } from './router.js';
import { startWarranties, type Warranties, warrantiesSdl } from './warranties.js';

const supergraph = composed({ records: subgraphSdl, warranties: warrantiesSdl });

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  let warranties: Warranties;
  let router: Router;
  let repairs: { id: string; items: string[] }[];
  const everything = () => ({ authorization: `Bearer ${gateway.key}` });

  beforeAll(async () => {
    [gateway, warranties] = await Promise.all([startGateway({ database, schema: federated }), startWarranties()]);
    router = await startRouter(supergraph, { records: `${gateway.url}/graphql`, warranties: warranties.url });
    const input = (asset: string) => ({ ...repairInput({ consumedItems: 2 }), asset });
    repairs = [await createRepair(gateway, input('lathe')), await createRepair(gateway, input('saw'))];
    for (const [index, { id, items }] of repairs.entries()) {
      warranties.list.push({ id: `w${index}`, months: 12 + index, repairId: id, itemId: items[1] ?? '' });
    }
  });
  afterAll(async () => {
    await router?.close();
    warranties?.close();
    await gateway?.close();
  });

  test('records that the other subgraph names are read here, lines too, in one request for each level', async () => {
    const before = gateway.statements.length;
    const answer = await router.ask(
      `{ warranties { nodes { months repair { asset status consumedItems { itemCode } } item { itemCode assetRepair { asset } } }
         pageInfo { hasNextPage } } }`,
      everything(),
    );
    const shown = (asset: string, months: number) => ({
      months,
      repair: { asset, status: 'DRAFT', consumedItems: [{ itemCode: 'item 1' }, { itemCode: 'item 2' }] },
      item: { itemCode: 'item 2', assetRepair: { asset } },
    });
    expect(answer).toEqual({
      data: { warranties: { nodes: [shown('lathe', 12), shown('saw', 13)], pageInfo: { hasNextPage: false } } },
      errors: [],
    });
    const ran = gateway.statements.slice(before).filter((sql) => !sql.includes('ApiKey'));
    expect(ran.length).toBe(2);
  });

  test('what the other subgraph adds to a record stands beside its own fields, whichever field has found it', async () => {
    const id = repairs[0]?.id;
    const query = `{
      assetRepairs(orderBy: [{ field: ASSET }]) { totalCount nodes { asset warranty { months } } }
      node(id: "${id}") { __typename ... on AssetRepair { displayTitle warranty { months } } }
    }`;
    expect(await router.ask(query, everything())).toEqual({
      data: {
        assetRepairs: {
          totalCount: 2,
          nodes: [
            { asset: 'lathe', warranty: { months: 12 } },
            { asset: 'saw', warranty: { months: 13 } },
          ],
        },
        node: { __typename: 'AssetRepair', displayTitle: 'lathe', warranty: { months: 12 } },
      },
      errors: [],
    });
  });

  test('a mutation is executed here, and the other subgraph adds its fields of the record', async () => {
    const id = repairs[0]?.id;
    const query = `mutation { updateAssetRepair(id: "${id}", input: { project: "P" }) { record { project warranty { months } } } }`;
    expect(await router.ask(query, everything())).toEqual({
      data: { updateAssetRepair: { record: { project: 'P', warranty: { months: 12 } } } },
      errors: [],
    });
  });

  test('of a deleted record the fields are null, and the others are answered', async () => {
    warranties.list.push({ id: 'w2', months: 1, repairId: 'asset-repair_gone', itemId: 'of another system' });
    const answer = await router.ask('{ warranties { nodes { repair { asset } item { itemCode } } } }', everything());
    warranties.list.pop();
    expect(answer).toEqual({
      data: {
        warranties: {
          nodes: [
            { repair: { asset: 'lathe' }, item: { itemCode: 'item 2' } },
            { repair: { asset: 'saw' }, item: { itemCode: 'item 2' } },
            { repair: { asset: null }, item: { itemCode: null } },
          ],
        },
      },
      errors: [],
    });
  });

  test('the key that the router passes on decides what may be read', async () => {
    const query = '{ warranties { nodes { months repair { asset } } } }';
    const nothing = { warranties: { nodes: [12, 13].map((months) => ({ months, repair: { asset: null } })) } };
    const code = (text: string) => expect.objectContaining({ extensions: expect.objectContaining({ code: text }) });
    const { secret: key } = await createKey(gateway.database, { name: 'other', scopes: ['projects:read'] });
    const forbidden = await router.ask(query, { authorization: `Bearer ${key}` });
    expect(forbidden.data).toEqual(nothing);
    expect(forbidden.errors).toContainEqual(code('FORBIDDEN'));
    const without = await router.ask(query);
    expect(without.data).toEqual(nothing);
    expect(without.errors).toContainEqual(code('UNAUTHENTICATED'));
  });
});
