/** Equal fields of one query are read once; different ones get their own answer. */
import { beforeAll, expect, test } from 'vitest';
import { datamodel } from '../../src/generated/datamodel.js';
import { nodesIn } from '../../src/model/asked-record.js';
import { catalogue } from '../../src/model/catalogue.js';
import { createResources } from '../../src/model/create-resources.js';
import { idsAsked } from '../../src/query/compiled/by-id.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { createRepairs, repairInput } from '../graphql/asset-repairs.js';
import { statementsOf } from '../graphql/statements.js';

onBothDatabases((gateway) => {
  let ids: string[] = [];
  beforeAll(async () => {
    ids = await createRepairs(gateway(), 2, repairInput({ consumedItems: 1 }));
  });

  const fields = (count: number, field: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ');
  const fragment = 'fragment F on AssetRepair { id asset description }';

  test('one statement for a record under 39 aliases', async () => {
    const query = `query ($id: ID!) { ${fields(39, () => 'assetRepair(id: $id) { ...F }')} } ${fragment}`;
    expect(await statementsOf(gateway(), query, { id: ids[0] })).toHaveLength(1);
    const { body } = await gateway().graphql(query, { id: ids[0] });
    expect(Object.values<{ id: string }>(body.data).map(({ id }) => id)).toEqual(Array(39).fill(ids[0]));
  });

  test('one for each record, and for each selection', async () => {
    const query = `query ($ids: [ID!]!) {
      ${fields(6, (index) => `assetRepair(id: "${ids[index % 2]}") { ...F }`)}
      other: assetRepair(id: "${ids[0]}") { status }
      nodes(ids: $ids) { id }
    } ${fragment}`;
    expect(await statementsOf(gateway(), query, { ids })).toHaveLength(4);
    const { body } = await gateway().graphql(query, { ids });
    const { other, nodes, ...records } = body.data;
    expect(Object.values<{ id: string }>(records).map(({ id }) => id)).toEqual([...ids, ...ids, ...ids]);
    expect(other).toEqual({ status: expect.any(String) });
    expect(nodes).toEqual(ids.map((id) => ({ id })));
  });

  test('one for each page', async () => {
    const query = `{ ${fields(3, (index) => `assetRepairs(first: ${(index % 2) + 1}) { nodes { id } }`)} }`;
    expect(await statementsOf(gateway(), query, {})).toHaveLength(2);
    const { body } = await gateway().graphql(query);
    expect([body.data.a0, body.data.a1, body.data.a2].map(({ nodes }) => nodes.length)).toEqual([1, 2, 1]);
  });

  test('none for all, where there is none', async () => {
    const query = `{ ${fields(2, () => 'assetRepair(id: "none") { id }')} }`;
    const { body } = await gateway().graphql(query);
    expect(body).toEqual({ data: { a0: null, a1: null } });
  });
});

test('fields whose ids are those of one variable share what is asked, and its text', () => {
  const resources = createResources(datamodel, catalogue);
  const ids = Array.from({ length: 1_000 }, (_, n) => `asset-repair_01${String(n).padStart(24, '0')}`);
  const [one, other] = [nodesIn(resources)({ ids }), nodesIn(resources)({ ids })];
  expect(one).toHaveLength(1_000);
  expect(other).toBe(one);
  const type = resources.find(({ model }) => model === 'AssetRepair');
  if (!one || !type) throw new Error('There is no such type');
  expect(JSON.parse(idsAsked(one)(type))).toEqual(ids);
  expect(nodesIn(resources)({ ids: ids.slice(1) })).toHaveLength(999);
});
