/** Observers get every change, in every kind of write, in the transaction that makes it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rows } from '../../src/common/work.js';
import type { Change, Observer } from '../../src/model/change.js';
import { ask } from '../graphql/ask.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const databases = databaseInTurn(import.meta.filename);

const lines = 'consumedItems { id idx }';

describe.each(databases.flatMap((database) => [true, false].map((compiled) => [database, compiled] as const)))(
  'on %s, compiled: %s',
  (database, compiled) => {
    let gateway: TestGateway;
    let told: Change[] = [];
    const collect: Observer = function* (changes) {
      told.push(...changes);
      const place = database === 'sqlite' ? '?' : '$1';
      for (const { id, action } of changes) {
        yield* rows(`INSERT INTO "journal" ("entry") VALUES (${place})`, [`${action} ${id}`]);
      }
    };
    beforeAll(async () => {
      gateway = await startGateway({ database, compiled, onChange: [collect] });
      await gateway.database.client.$executeRawUnsafe('CREATE TABLE "journal" ("entry" TEXT)');
    });
    afterAll(() => gateway.close());
    beforeEach(async () => {
      told = [];
      await gateway.database.client.$executeRawUnsafe('DELETE FROM "journal"');
    });

    const journal = async () => {
      const entries = await gateway.database.client.$queryRawUnsafe<{ entry: string }[]>(
        'SELECT "entry" FROM "journal"',
      );
      return entries.map(({ entry }) => entry);
    };
    /** The changes since the last call; the journal has the same. */
    const changes = async () => {
      expect(await journal()).toEqual(told.map(({ action, id }) => `${action} ${id}`));
      await gateway.database.client.$executeRawUnsafe('DELETE FROM "journal"');
      const found = told;
      told = [];
      return found;
    };
    /** Created and no longer reported. */
    const repair = async (consumedItems: number) => {
      const created = await createRepair(gateway, repairInput({ consumedItems }));
      await changes();
      return created;
    };
    const write = async (types: string, call: string, variables: object) =>
      (await ask(gateway, `mutation (${types}) { result: ${call} }`, { ...variables })).result;

    test('a record with lines is created', async () => {
      const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
      const [record, ...others] = await changes();
      expect(record).toMatchObject({ id, action: 'create', before: undefined, version: 1, documentId: id });
      expect(record?.after).toMatchObject({ asset: 'lathe', status: 'draft', repairCost: 0, downtime: null });
      expect(record?.by).toEqual({ keyId: 'environment', keyName: expect.any(String), requestId: expect.any(String) });
      expect(others.map(({ id: line, action, documentId, after }) => [line, action, documentId, after?.idx])).toEqual([
        [items[0], 'create', id, 1],
        [items[1], 'create', id, 2],
      ]);
    });

    test('a record is updated, submitted, cancelled and deleted with its lines', async () => {
      const { id, items } = await repair(2);
      await write(
        '$id: ID!, $input: UpdateAssetRepairInput!',
        'updateAssetRepair(id: $id, input: $input) { record { id } }',
        {
          id,
          input: { asset: 'mill', capitalizeRepairCost: true },
        },
      );
      const [update] = await changes();
      expect(update).toMatchObject({ id, action: 'update', version: 2, documentId: id });
      expect(update?.before).toMatchObject({ asset: 'lathe', capitalizeRepairCost: false, failureDate: '2026-01-31' });
      expect(update?.after).toEqual({ ...update?.before, asset: 'mill', capitalizeRepairCost: true });

      await write('$id: ID!', 'submitAssetRepair(id: $id) { record { id } }', { id });
      await write('$id: ID!', 'updateAssetRepair(id: $id, input: { status: CANCELLED }) { record { id } }', { id });
      expect((await changes()).map(({ action, before, after }) => [action, before?.status, after?.status])).toEqual([
        ['submit', 'draft', 'submitted'],
        ['cancel', 'submitted', 'cancelled'],
      ]);

      await write('$id: ID!', 'deleteAssetRepair(id: $id) { deletedId }', { id });
      const gone = await changes();
      expect(gone.map(({ id: one, action, documentId, after }) => [one, action, documentId, after])).toEqual([
        [items[0], 'delete', id, undefined],
        [items[1], 'delete', id, undefined],
        [id, 'delete', id, undefined],
      ]);
      expect(gone.map(({ before }) => before?.itemCode ?? before?.asset)).toEqual(['item 1', 'item 2', 'mill']);
    });

    test('lines are created, changed, moved and deleted', async () => {
      const { id, items } = await repair(3);
      const { record: created } = await write(
        '$id: ID!',
        'createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: "new", warehouse: "w", idx: 2 }) { record { id } }',
        { id },
      );
      const places = async () =>
        (await changes()).map((change) => [change.action, change.id, change.before?.idx, change.after?.idx]);
      expect((await places()).sort()).toEqual(
        [
          ['create', created.id, undefined, 2],
          ['move', items[1], 2, 3],
          ['move', items[2], 3, 4],
        ].sort(),
      );
      await write(
        '$id: ID!',
        'updateAssetRepairConsumedItem(id: $id, input: { warehouse: "shed" }) { record { id } }',
        {
          id: items[0],
        },
      );
      const [update] = await changes();
      expect(update).toMatchObject({
        action: 'update',
        documentId: id,
        version: 2,
        before: { warehouse: 'main' },
        after: { warehouse: 'shed' },
      });
      await write('$id: ID!', 'updateAssetRepairConsumedItem(id: $id, input: { idx: 1 }) { record { id } }', {
        id: created.id,
      });
      expect((await places()).sort()).toEqual(
        [
          ['move', items[0], 1, 2],
          ['move', created.id, 2, 1],
        ].sort(),
      );
      await write('$id: ID!', 'deleteAssetRepairConsumedItem(id: $id) { deletedId }', { id: created.id });
      expect(await places()).toHaveLength(4);
      await write(
        '$id: ID!, $ids: [ID!]',
        'reorderAssetRepairConsumedItems(parentId: $id, ids: $ids) { records { id } }',
        {
          id,
          ids: [items[2], items[1], items[0]],
        },
      );
      expect((await places()).sort()).toEqual(
        [
          ['move', items[0], 1, 3],
          ['move', items[2], 3, 1],
        ].sort(),
      );
    });

    test('a document is saved whole', async () => {
      const { id, items } = await repair(3);
      const input = {
        asset: 'mill',
        consumedItems: [{ id: items[2] }, { itemCode: 'new', warehouse: 'w' }, { id: items[0], warehouse: 'shed' }],
      };
      await write(
        '$id: ID!, $input: SaveAssetRepairInput!',
        `saveAssetRepair(id: $id, input: $input) { record { ${lines} } }`,
        { id, input },
      );
      expect((await changes()).map(({ action, id: one }) => [action, items.indexOf(one)])).toEqual([
        ['update', -1],
        ['delete', 1],
        ['move', 2],
        ['update', 0],
        ['create', -1],
      ]);
    });

    test('many records are created, updated and deleted', async () => {
      const created = await write(
        '$inputs: [CreateAssetRepairInput!]!',
        'createManyAssetRepairs(inputs: $inputs) { records { id } }',
        {
          inputs: [repairInput({ consumedItems: 1 }), repairInput()],
        },
      );
      const ids: string[] = created.records.map(({ id }: { id: string }) => id);
      expect((await changes()).map(({ action }) => action)).toEqual(['create', 'create', 'create']);
      await write(
        '$updates: [UpdateManyAssetRepairsItem!]!',
        'updateManyAssetRepairs(updates: $updates) { records { id } }',
        {
          updates: ids.map((id, index) => ({ id, input: index ? { status: 'SUBMITTED' } : { asset: 'lathe' } })),
        },
      );
      expect((await changes()).map(({ action, id }) => [action, id])).toEqual([['submit', ids[1]]]);
      await write('$ids: [ID!]!', 'deleteManyAssetRepairs(ids: $ids) { deletedIds }', { ids });
      expect((await changes()).map(({ action, resource }) => `${action} ${resource.model}`)).toEqual([
        'delete AssetRepairConsumedItem',
        'delete AssetRepair',
        'delete AssetRepair',
      ]);
    });

    test('the same over REST and with an Idempotency-Key, once', async () => {
      const send = () =>
        gateway.rest(
          'POST',
          '/api/assets/asset-repair',
          { failure_date: '2026-01-31', asset: 'lathe' },
          {
            'Idempotency-Key': `k ${database} ${compiled}`.replaceAll(' ', '-'),
          },
        );
      const { body } = await send();
      expect((await changes()).map(({ action, id }) => [action, id])).toEqual([['create', body.id]]);
      await send();
      await gateway.rest('PATCH', `/api/assets/asset-repair/${body.id}`, { asset: 'mill' });
      await gateway.rest('POST', `/api/assets/asset-repair/${body.id}/submit`);
      await gateway.rest('DELETE', `/api/assets/asset-repair/${body.id}`);
      expect((await changes()).map(({ action }) => action)).toEqual(['update', 'submit', 'delete']);
    });

    test('observers see nothing that is refused, undone, only tried or without a difference', async () => {
      const { id, items } = await repair(2);
      const calls = [
        'updateAssetRepair(id: $id, input: { asset: "lathe" }) { record { id } }',
        'updateAssetRepair(id: $id, input: { asset: "mill" }, expectedVersion: 9) { record { id } }',
        'cancelAssetRepair(id: $id) { record { id } }',
        'deleteAssetRepair(id: $id, expectedVersion: 9) { deletedId }',
        'saveAssetRepair(id: $id, validateOnly: true, input: { asset: "mill", consumedItems: [] }) { changes { fields } }',
        'saveAssetRepair(id: $id, input: { asset: "mill", consumedItems: [{ id: "unknown" }] }) { changes { fields } }',
        'updateManyAssetRepairs(updates: [{ id: $id, input: { asset: "mill" } }, { id: "none", input: {} }]) { records { id } }',
        'deleteManyAssetRepairs(ids: [$id, "none"]) { deletedIds }',
      ];
      for (const call of calls) await gateway.graphql(`mutation ($id: ID!) { ${call} }`, { id });
      await gateway.graphql(
        `query ($id: ID!) { previewAction(id: $id, action: DELETE) { allowed deletes { count } } }`,
        { id },
      );
      await gateway.graphql(
        'mutation ($id: ID!) { updateAssetRepairConsumedItem(id: $id, input: { warehouse: "main" }) { record { id } } }',
        { id: items[0] },
      );
      expect(await changes()).toEqual([]);
      expect(
        (await ask(gateway, 'query ($id: ID!) { assetRepair(id: $id) { version consumedItems { version } } }', { id }))
          .assetRepair,
      ).toEqual({
        version: 1,
        consumedItems: [{ version: 1 }, { version: 1 }],
      });
    });
  },
);

test.each(databases)('on %s an observer that fails undoes the change', async (database) => {
  const gateway = await startGateway({
    database,
    onChange: [
      // biome-ignore lint/correctness/useYield: it fails before it writes
      function* () {
        throw new Error('The journal is full');
      },
    ],
  });
  const { status } = await gateway.rest('POST', '/api/crm/industry-type', { industry: 'lost' });
  const { body } = await gateway.rest('GET', '/api/crm/industry-type');
  await gateway.close();
  expect([status, body.total]).toEqual([500, 0]);
});
