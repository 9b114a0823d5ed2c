/** A line shows its place, so every move changes its ETag and its version; other changes of its siblings do not. */
import { describe, expect, test } from 'vitest';
import type { RecordModel } from '../../src/model/catalogue.js';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask } from '../graphql/ask.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { resourceOf } from '../support/resources.js';
import { graphqlClient, type RecordClient, restClient } from './record-clients.js';

interface Family {
  model: RecordModel;
  line: (parentId: string) => Record<string, unknown>;
}

/** Lines of a record that is stored here, and of one that is stored elsewhere. */
const families: Family[] = [
  {
    model: 'AssetRepairConsumedItem',
    line: (parentId) => ({ asset_repair_id: parentId, item_code: 'BELT', warehouse: 'Stores' }),
  },
  {
    model: 'SalesInvoicePayment',
    line: (parentId) => ({ parent_id: parentId, parent_type: 'Sales Invoice', mode_of_payment: 'Cash', amount: 5 }),
  },
];

/** The operations on four lines, and the places of the lines that are expected to change. */
const moves: [
  string,
  (client: RecordClient, family: Family, parentId: string, ids: string[]) => Promise<unknown>,
  number[],
][] = [
  [
    'a line in front',
    (client, { model, line }, parent) => client.create(model, { ...line(parent), idx: 1 }),
    [1, 2, 3, 4],
  ],
  [
    'a line in the middle',
    (client, { model, line }, parent) => client.create(model, { ...line(parent), idx: 3 }),
    [3, 4],
  ],
  ['a line behind', (client, { model, line }, parent) => client.create(model, line(parent)), []],
  ['a delete of the second', (client, { model }, _, [, id = '']) => client.remove(model, id), [2, 3, 4]],
  ['a delete of the last', (client, { model }, _, ids) => client.remove(model, ids[3] ?? ''), [4]],
  ['a move to the front', (client, { model }, _, ids) => client.update(model, ids[2] ?? '', { idx: 1 }), [1, 2, 3]],
  ['a move to the back', (client, { model }, _, ids) => client.update(model, ids[1] ?? '', { idx: 4 }), [2, 3, 4]],
  [
    'a reorder of two',
    (client, { model }, parent, [a = '', b = '', c = '', d = '']) => client.reorder(model, parent, [a, c, b, d]),
    [2, 3],
  ],
  ['a reorder that keeps the order', (client, { model }, parent, ids) => client.reorder(model, parent, ids), []],
];

onDatabaseInTurn(import.meta.filename, (gateway) => {
  let parents = 0;

  async function four({ model, line }: Family): Promise<{ parentId: string; ids: string[] }> {
    if (model === 'AssetRepairConsumedItem') {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 4 }));
      return { parentId: id, ids: items };
    }
    const parentId = `invoice-${++parents}`;
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const { record } = await restClient(gateway()).create(model, line(parentId));
      ids.push(record?.id ?? 'not created');
    }
    return { parentId, ids };
  }

  /** The ETag of each line. */
  function etagsOf({ base }: { base: string }, ids: string[]): Promise<string[]> {
    const ask = (id: string) => gateway().rest('GET', `${base}/${id}`);
    return Promise.all(ids.map(async (id) => (await ask(id)).headers.get('etag') ?? ''));
  }

  /** The status of each line for a client with the ETags `known`: 304 if the line must be unchanged. */
  function statusesOf({ base }: { base: string }, ids: string[], known: string[]): Promise<number[]> {
    const ask = (id: string, index: number) =>
      gateway().rest('GET', `${base}/${id}`, undefined, { 'if-none-match': known[index] ?? '' });
    return Promise.all(ids.map(async (id, index) => (await ask(id, index)).status));
  }

  describe.each(families)('$model', (family) => {
    const resource = resourceOf(family.model);

    describe.each([
      ['REST', restClient],
      ['GraphQL', graphqlClient],
    ] as const)('over %s', (_, clientOf) => {
      test.each(moves)('%s', async (_, move, changed) => {
        const { parentId, ids } = await four(family);
        const known = await etagsOf(resource, ids);
        await move(clientOf(gateway()), family, parentId, ids);
        const isOther = (await etagsOf(resource, ids)).map((etag, index) => etag !== known[index]);
        expect(isOther).toEqual([1, 2, 3, 4].map((place) => changed.includes(place)));
        const notKept = (await statusesOf(resource, ids, known)).map((status) => status !== 304);
        expect(notKept).toEqual(isOther);
      });
    });
  });

  test('a save that puts a line in front and lets another go raises the version of those it moves', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 4 }));
    const [one, two, three, four] = items;
    const consumedItems = [{ itemCode: 'x', warehouse: 'y' }, { id: one }, { id: three }, { id: four }];
    const save = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
      saveAssetRepair(id: $id, input: $input) { record { consumedItems { id idx version } } }
    }`;
    const { saveAssetRepair: saved } = await ask(gateway(), save, { id, input: { consumedItems } });
    expect(saved.record.consumedItems).toEqual([
      { id: expect.any(String), idx: 1, version: 1 },
      { id: one, idx: 2, version: 2 },
      { id: three, idx: 3, version: 1 },
      { id: four, idx: 4, version: 1 },
    ]);
    expect(two).toBeDefined();
  });

  test('an edit of a line that somebody else has moved is a conflict', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
    const path = `/api/assets/asset-repair-consumed-item/${items[1]}`;
    const { headers } = await gateway().rest('GET', path);
    const inFront = { asset_repair_id: id, item_code: 'x', warehouse: 'y', idx: 1 };
    await gateway().rest('POST', '/api/assets/asset-repair-consumed-item', inFront);
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const refused = await gateway().rest('PATCH', path, { warehouse: 'z' }, ifMatch);
    expect([refused.status, refused.body.error.current_version]).toEqual([412, 2]);
  });
});
