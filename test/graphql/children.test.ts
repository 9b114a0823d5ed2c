import { describe, expect, test } from 'vitest';
import { documentedResources } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { oneOf } from '../contract/graphql-names.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, itemsOf, repairInput } from './asset-repairs.js';
import { childLists } from './child-lists.js';
import { createParent, createRecord, documented } from './records.js';

test('every child type but the payments of invoices held elsewhere hangs on its parent', () => {
  const children = documentedResources.filter(({ kind }) => kind === 'child').map(({ title }) => title);
  expect(children.filter((title) => title !== 'Sales Invoice Payment').sort()).toEqual(
    childLists.map(([, , child]) => child).sort(),
  );
});

onBothDatabases((gateway, share) => {
  test.each(share(childLists))('%s.%s: lines in their order, each with its parent', async (parent, field, child) => {
    const parentField = oneOf(documented(parent));
    const parentId = await createParent(gateway(), { ...documented(child), parent });
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      ids.push((await createRecord(gateway(), documented(child), {}, parentId)).id);
    }
    const { node } = await ask(
      gateway(),
      `query ($id: ID!) { node(id: $id) { ... on ${modelName(parent)} {
        lines: ${field} { id idx __typename ${parentField} { id } }
        middle: ${field}(limit: 1, offset: 1) { id }
      } } }`,
      { id: parentId },
    );
    expect(node.lines).toEqual(
      ids.map((id, index) => ({ id, idx: index + 1, __typename: modelName(child), [parentField]: { id: parentId } })),
    );
    expect(node.middle).toEqual([{ id: ids[1] }]);
  });

  test('lines are in the order of idx, not of creation', async () => {
    const { id } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
    const input = { assetRepairId: id, idx: 1, itemCode: 'first', warehouse: 'main' };
    await createItem(input);
    expect(await itemsOf(gateway(), id)).toEqual(['first', 'item 1', 'item 2']);
  });

  test.each([
    ['all of them', '', [1, 2, 3, 4, 5]],
    ['the first', '(limit: 2)', [1, 2]],
    ['as many as there are', '(limit: 1000)', [1, 2, 3, 4, 5]],
    ['behind an offset', '(offset: 3)', [4, 5]],
    ['a slice', '(limit: 2, offset: 2)', [3, 4]],
    ['with an offset of 0', '(limit: 1, offset: 0)', [1]],
    ['with nulls', '(limit: null, offset: null)', [1, 2, 3, 4, 5]],
    ['none behind the end', '(limit: 5, offset: 5)', []],
    ['none behind the largest offset', '(limit: 1000, offset: 2147483647)', []],
  ])('a slice of the lines: %s', async (_, args, expected) => {
    const { id } = await createRepair(gateway(), repairInput({ consumedItems: 5 }));
    const query = `query ($id: ID!) { assetRepair(id: $id) { consumedItems${args} { idx } } }`;
    const { assetRepair } = await ask(gateway(), query, { id });
    expect(assetRepair.consumedItems.map(({ idx }: { idx: number }) => idx)).toEqual(expected);
  });

  test.each([
    ['limit: 0', 'limit'],
    ['limit: 1001', 'limit'],
    ['offset: -1', 'offset'],
  ])('a slice of the lines with %s is refused', async (args, param) => {
    const { id } = await createRepair(gateway());
    const query = `query ($id: ID!) { assetRepair(id: $id) { consumedItems(${args}) { idx } } }`;
    expect((await refusal(gateway(), query, { id })).extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ param, code: 'parameter_invalid' }],
    });
  });

  test('each parent shows its own lines', async () => {
    const [one, other] = [
      await createRepair(gateway(), repairInput({ consumedItems: 1 })),
      await createRepair(gateway(), repairInput({ consumedItems: 3 })),
    ];
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on AssetRepair { consumedItems { id } } } }';
    const { nodes } = await ask(gateway(), query, { ids: [one.id, other.id] });
    expect(nodes).toEqual([one, other].map(({ items }) => ({ consumedItems: items.map((id) => ({ id })) })));
  });

  test('a deleted parent takes its lines along', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 3 }));
    await ask(gateway(), 'mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id });
    const { nodes } = await ask(gateway(), 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: [id, ...items] });
    expect(nodes).toEqual([null, null, null, null]);
  });

  test('a line needs a parent that exists', async () => {
    const query =
      'mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }';
    const input = { assetRepairId: 'asset-repair_unknown', itemCode: 'bolt', warehouse: 'main' };
    expect((await refusal(gateway(), query, { input })).extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'resource_missing',
      errors: [{ param: 'input.assetRepairId', code: 'resource_missing' }],
    });
  });

  describe('Job Card Time Log, a line by parentId and parentType', () => {
    test('of a job card shows under it and goes with it', async () => {
      const card = await createRecord(gateway(), documented('Job Card'));
      const log = await createLog(card.id);
      expect(log.jobCard).toEqual({ id: card.id });
      const query = 'query ($id: ID!) { jobCard(id: $id) { timeLogs { id parentId parentType jobCard { id } } } }';
      expect((await ask(gateway(), query, { id: card.id })).jobCard.timeLogs).toEqual([
        { id: log.id, parentId: card.id, parentType: 'Job Card', jobCard: { id: card.id } },
      ]);

      await ask(gateway(), 'mutation ($id: ID!) { deleteJobCard(id: $id) { deletedId } }', { id: card.id });
      expect(
        (await ask(gateway(), 'query ($id: ID!) { jobCardTimeLog(id: $id) { id } }', { id: log.id })).jobCardTimeLog,
      ).toBeNull();
    });

    test.each(['a work order held elsewhere', 'job-card_unknown', ' '])(
      'of the parent "%s" belongs to no job card',
      async (parentId) => {
        const logs = [await createLog(parentId), await createLog(parentId)];
        expect(logs).toMatchObject([
          { parentId, idx: 1, jobCard: null },
          { parentId, idx: 2, jobCard: null },
        ]);
        const query = 'query ($parentId: ID!) { jobCardTimeLogs(parentId: $parentId) { nodes { id jobCard { id } } } }';
        expect((await ask(gateway(), query, { parentId })).jobCardTimeLogs.nodes).toEqual(
          logs.map(({ id }) => ({ id, jobCard: null })),
        );
      },
    );

    test('of another of our records is no time log of a job card, and stays when that record goes', async () => {
      const repair = await createRepair(gateway());
      const log = await createLog(repair.id);
      expect(log.jobCard).toBeNull();
      await ask(gateway(), 'mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id: repair.id });
      const query = 'query ($id: ID!) { jobCardTimeLog(id: $id) { id } }';
      expect((await ask(gateway(), query, { id: log.id })).jobCardTimeLog).toEqual({ id: log.id });
    });

    const createLog = (parentId: string) =>
      createRecord(gateway(), documented('Job Card Time Log'), { parentType: 'Job Card' }, parentId);
  });

  async function createItem(input: object): Promise<void> {
    const query =
      'mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }';
    await ask(gateway(), query, { input });
  }
});
