/** Every committed change of a record is in the journal, whichever way it was made. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/change/journal/journal.js';
import { ask } from '../graphql/ask.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { waysToExecute } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

describe.each(waysToExecute(import.meta.filename))('on $database, compiled: $compiled', ({ database, compiled }) => {
  let gateway: TestGateway;
  let after = 0;
  beforeAll(async () => {
    gateway = await startGateway({ database, compiled });
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    after = (await gateway.journal.continuationOf(0)).last;
  });

  /** The entries since the last call. */
  const entries = async (): Promise<readonly JournalEntry[]> => {
    const { entries: found } = await gateway.journal.read(after, 10_000);
    after = found.at(-1)?.position ?? after;
    return found;
  };
  const repair = async (consumedItems: number) => {
    const created = await createRepair(gateway, repairInput({ consumedItems }));
    await entries();
    return created;
  };
  const write = async (types: string, call: string, variables: object) =>
    (await ask(gateway, `mutation Named(${types}) { result: ${call} }`, { ...variables })).result;
  const short = ({ action, id, version, revision, document, changes }: JournalEntry) => ({
    action,
    id,
    version,
    revision,
    document: document.id,
    changes: Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
  });

  test('documents and all their lines are created at the same instant, also where it takes many statements', async () => {
    const inputs = Array.from({ length: 3 }, () => repairInput({ consumedItems: 900 }));
    const types = '$inputs: [CreateAssetRepairInput!]!';
    const created = await write(types, 'createManyAssetRepairs(inputs: $inputs) { records { id createdAt } }', {
      inputs,
    });
    const times = new Map<string, Set<string>>();
    for (const { at, document } of await entries()) {
      times.set(document.id, (times.get(document.id) ?? new Set()).add(at.toISOString()));
    }
    expect(times).toEqual(
      new Map(
        created.records.map(({ id, createdAt }: { id: string; createdAt: string }) => [id, new Set([createdAt])]),
      ),
    );
  });

  test('a record with lines is created', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    const [record, ...lines] = await entries();
    expect(record).toMatchObject({ id, action: 'create', version: 1, revision: 1, document: { id } });
    expect(record?.resource.model).toBe('AssetRepair');
    expect(record?.document.resource?.model).toBe('AssetRepair');
    expect(record && short(record).changes).toMatchObject({
      asset: [null, 'lathe'],
      status: [null, 'draft'],
      capitalizeRepairCost: [null, false],
    });
    expect(record && short(record).changes).not.toHaveProperty('downtime');
    expect(record?.author).toMatchObject({ keyId: 'environment', requestId: expect.any(String) });
    expect(lines.map(short)).toMatchObject([
      { action: 'create', id: items[0], document: id, revision: 1, changes: { idx: [null, 1] } },
      { action: 'create', id: items[1], document: id, revision: 1, changes: { idx: [null, 2] } },
    ]);
  });

  test('a record is updated, submitted, cancelled and deleted with its lines', async () => {
    const { id, items } = await repair(2);
    await write(
      '$id: ID!, $input: UpdateAssetRepairInput!',
      'updateAssetRepair(id: $id, input: $input) { record { id } }',
      {
        id,
        input: { asset: 'mill', capitalizeRepairCost: true, repairCost: 0.1 + 0.2, repairStatus: 'Pending' },
      },
    );
    const [update, ...none] = await entries();
    expect(none).toEqual([]);
    expect(update && short(update)).toEqual({
      action: 'update',
      id,
      version: 2,
      revision: 2,
      document: id,
      changes: {
        asset: ['lathe', 'mill'],
        capitalizeRepairCost: [false, true],
        repairCost: [expect.any(Number), 0.1 + 0.2],
      },
    });
    expect(update?.author.operation).toBe('Named');
    await write('$id: ID!', 'submitAssetRepair(id: $id) { record { id } }', { id });
    await write('$id: ID!', 'cancelAssetRepair(id: $id) { record { id } }', { id });
    expect((await entries()).map(short)).toMatchObject([
      { action: 'submit', version: 3, changes: { status: ['draft', 'submitted'] } },
      { action: 'cancel', version: 4, changes: { status: ['submitted', 'cancelled'] } },
    ]);
    await write('$id: ID!', 'deleteAssetRepair(id: $id) { __typename }', { id });
    const gone = await entries();
    expect(gone.map(({ action, id, version, revision }) => ({ action, id, version, revision }))).toEqual([
      { action: 'delete', id, version: 4, revision: 5 },
      { action: 'delete', id: items[0], version: 1, revision: 5 },
      { action: 'delete', id: items[1], version: 1, revision: 5 },
    ]);
    expect(gone[0] && short(gone[0]).changes).toMatchObject({ asset: ['mill', null], status: ['cancelled', null] });
  });

  test('lines are created, changed, moved and deleted', async () => {
    const { id, items } = await repair(2);
    const input = { itemCode: 'bolt', warehouse: 'main', assetRepairId: id, idx: 1 };
    const { record: made } = await write(
      '$input: CreateAssetRepairConsumedItemInput!',
      'createAssetRepairConsumedItem(input: $input) { record { id } }',
      { input },
    );
    const move = { action: 'move', version: 2, revision: 2, document: id };
    expect((await entries()).map(short)).toMatchObject([
      { action: 'update', id, version: 2, revision: 2, document: id, changes: {} },
      { ...move, id: items[0], changes: { idx: [1, 2] } },
      { ...move, id: items[1], changes: { idx: [2, 3] } },
      {
        action: 'create',
        id: made.id,
        version: 1,
        revision: 2,
        document: id,
        changes: { idx: [null, 1], itemCode: [null, 'bolt'] },
      },
    ]);
    await write(
      '$id: ID!, $input: UpdateAssetRepairConsumedItemInput!',
      'updateAssetRepairConsumedItem(id: $id, input: $input) { record { id } }',
      {
        id: made.id,
        input: { itemCode: 'nut', idx: 3 },
      },
    );
    expect((await entries()).map(short)).toMatchObject([
      { action: 'update', id, version: 3 },
      { action: 'move', id: items[0], changes: { idx: [2, 1] } },
      { action: 'move', id: items[1], changes: { idx: [3, 2] } },
      { action: 'update', id: made.id, version: 2, revision: 3, changes: { itemCode: ['bolt', 'nut'], idx: [1, 3] } },
    ]);
    await write('$id: ID!', 'deleteAssetRepairConsumedItem(id: $id) { __typename }', { id: items[0] });
    expect((await entries()).map(short)).toMatchObject([
      { action: 'update', id, version: 4 },
      { action: 'delete', id: items[0], version: 3, revision: 4, changes: { idx: [1, null] } },
      { action: 'move', id: items[1], changes: { idx: [2, 1] } },
      { action: 'move', id: made.id, changes: { idx: [3, 2] } },
    ]);
    await write(
      '$id: ID!, $ids: [ID!]',
      'reorderAssetRepairConsumedItems(parentId: $id, ids: $ids) { records { id } }',
      {
        id,
        ids: [made.id, items[1]],
      },
    );
    const [raised, ...moved] = await entries();
    expect(raised && short(raised)).toMatchObject({ action: 'update', id, version: 5, changes: {} });
    expect(new Set(moved.map(({ action, id }) => `${action} ${id}`))).toEqual(
      new Set([`move ${made.id}`, `move ${items[1]}`]),
    );
  });

  test('a document is saved', async () => {
    const { id, items } = await repair(3);
    const save = 'saveAssetRepair(id: $id, input: $input) { changes { fields } }';
    const input = {
      asset: 'mill',
      consumedItems: [{ id: items[2], itemCode: 'x' }, { itemCode: 'new', warehouse: 'main' }, { id: items[0] }],
    };
    await write('$id: ID!, $input: SaveAssetRepairInput!', save, { id, input });
    const found = await entries();
    expect(found[0] && short(found[0])).toMatchObject({
      action: 'update',
      id,
      version: 2,
      changes: { asset: ['lathe', 'mill'] },
    });
    expect(
      new Set(
        found
          .slice(1)
          .map(
            (entry) =>
              `${entry.action} ${entry.id === items[0] ? 0 : entry.id === items[1] ? 1 : entry.id === items[2] ? 2 : 'new'} ${entry.revision}`,
          ),
      ),
    ).toEqual(new Set(['delete 1 2', 'update 2 2', 'move 0 2', 'create new 2']));
    await write('$id: ID!, $input: SaveAssetRepairInput!', save, { id, input: { asset: 'mill' } });
    expect(await entries()).toEqual([]);
  });
});
