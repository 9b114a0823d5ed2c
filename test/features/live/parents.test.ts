/** Lines that enter or leave a filter because their parent was changed: the stream tells of the parent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../../graphql/ask.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { type Stream, watch } from './watch.js';

const event = 'position notice action type recordId fields deletedId leftId record { id }';
const query = `subscription ($where: AssetRepairConsumedItemFilter, $after: String) {
  assetRepairConsumedItemChanged(where: $where, after: $after) { ${event} } }`;
const draft = { assetRepair: { status: { eq: 'DRAFT' } } };

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  const streams: Stream[] = [];
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(async () => {
    for (const stream of streams) stream.stop();
    await gateway.close();
  });
  const open = async (where: object, after?: number) => {
    const stream = watch(gateway, query, { where, after });
    streams.push(stream);
    const { position } = await stream.next();
    return { stream, position };
  };
  const submit = (id: string) =>
    ask(gateway, 'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id });
  const patch = (id: string, body: object) => gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, body);
  const parent = (id: string, fields: string[], action = 'UPDATE') => ({
    ...{
      action,
      type: 'ASSET_REPAIR',
      recordId: id,
      fields,
      notice: null,
      deletedId: null,
      leftId: null,
      record: null,
    },
    position: expect.any(Number),
  });

  test('a parent that no longer matches the filter is sent, and its lines are no longer found', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    const { stream, position } = await open(draft);
    // Nothing that the filter looks at.
    await patch(id, { asset: 'other' });
    await submit(id);
    const told = await stream.next();
    expect(told).toEqual(parent(id, ['status'], 'SUBMIT'));
    expect(told.position).toBeGreaterThan(position);
    const { found } = await ask(
      gateway,
      'query ($id: ID!, $where: AssetRepairConsumedItemFilter) { found: assetRepairConsumedItems(parentId: $id, where: $where) { nodes { id } } }',
      { id, where: draft },
    );
    expect(found.nodes).toEqual([]);
    expect(items).toHaveLength(2);
    // The same for whoever comes back, and nothing twice.
    expect(await (await open(draft, position)).stream.next()).toEqual(told);
    const other = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const behind = (await open(draft, told.position)).stream;
    expect(await behind.next()).toMatchObject({ recordId: other.items[0], record: { id: other.items[0] } });
    expect(await stream.next()).toMatchObject({ recordId: other.items[0] });
  });

  test.each([
    ['under not', { not: { assetRepair: { asset: { eq: 'a' } } } }],
    ['among others', { or: [{ itemCode: { eq: 'x' } }, { and: [{ assetRepair: { asset: { contains: 'b' } } }] }] }],
  ])('a parent that enters it is told, %s', async (_, where) => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1, asset: 'a' }));
    const { stream } = await open(where);
    await patch(id, { description: 'not looked at' });
    await patch(id, { asset: 'b' });
    expect(await stream.next()).toEqual(parent(id, ['asset']));
  });

  test('with a filter on a field that every change of the parent raises, each change is sent', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const { stream } = await open({ assetRepair: { version: { eq: 1 } } });
    await patch(id, { description: 'another version' });
    expect(await stream.next()).toEqual(parent(id, ['description']));
  });

  test('a changed line that affects the filter for its siblings is sent, and then the parent', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    const where = { assetRepair: { consumedItems: { some: { warehouse: { eq: 'far away' } } } } };
    const { stream } = await open(where);
    await gateway.rest('PATCH', `/api/assets/asset-repair-consumed-item/${items[0]}`, { warehouse: 'far away' });
    const told = [await stream.next(), await stream.next()].sort((one) => (one.type === 'AssetRepair' ? 1 : -1));
    expect(told[0]).toMatchObject({ type: 'ASSET_REPAIR_CONSUMED_ITEM', recordId: items[0], record: { id: items[0] } });
    expect(told[1]).toEqual(parent(id, ['consumedItems']));
  });

  test('a stream whose filter does not use parents gets no changes of them, and no stream gets their creation and deletion', async () => {
    const [plain, filtered] = [await open({ itemCode: { ne: 'x' } }), await open(draft)];
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const created = [await plain.stream.next(), await filtered.stream.next()];
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    const deleted = [await plain.stream.next(), await filtered.stream.next()];
    expect([...created, ...deleted].map(({ action, recordId }) => [action, recordId])).toEqual(
      ['CREATE', 'CREATE', 'DELETE', 'DELETE'].map((action) => [action, items[0]]),
    );
    const again = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    await submit(again.id);
    const next = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const told = [await plain.stream.next(), await plain.stream.next()];
    expect(told.map(({ recordId }) => recordId)).toEqual([again.items[0], next.items[0]]);
  });
});
