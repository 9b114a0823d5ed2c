/** Many records of one type are created, changed or deleted in one mutation: all of them or none. */
import { describe, expect, test } from 'vitest';
import { type DocumentedResource, documentedResources } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { pluralOf } from '../contract/graphql-names.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepairs, repairInput, upTo } from './asset-repairs.js';
import { requiredInput, wholeSelection } from './records.js';

const createMany = `mutation ($inputs: [CreateAssetRepairInput!]!) { created: createManyAssetRepairs(inputs: $inputs) { records {
  id version asset company repairStatus createdAt consumedItems { idx itemCode }
} } }`;
const updateMany = `mutation ($updates: [UpdateManyAssetRepairsItem!]!) { updated: updateManyAssetRepairs(updates: $updates) { records {
  id version status asset downtime repairCost increaseInAssetLife capitalizeRepairCost
} } }`;
const deleteMany = 'mutation ($ids: [ID!]!) { deleted: deleteManyAssetRepairs(ids: $ids) { deletedIds } }';

const resources = documentedResources
  .filter(({ kind }) => kind === 'resource')
  .map((resource): [string, DocumentedResource] => [resource.title, resource]);

onBothDatabases((gateway, share) => {
  test.each(share(resources))('%s: create, update and delete many', async (_, resource) => {
    const many = pluralOf(resource);
    const inputs = await Promise.all(upTo(3).map(() => requiredInput(gateway(), resource)));
    const { records: created } = (
      await ask(
        gateway(),
        `mutation ($inputs: [Create${modelName(resource.title)}Input!]!) {
        created: createMany${many}(inputs: $inputs) { records { ${wholeSelection(resource)} } }
      }`,
        { inputs },
      )
    ).created;
    const ids: string[] = created.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort());
    const { records: updated } = (
      await ask(
        gateway(),
        `mutation ($updates: [UpdateMany${many}Item!]!) {
        updated: updateMany${many}(updates: $updates) { records { ${wholeSelection(resource)} } }
      }`,
        { updates: [...created].reverse().map(({ id }: { id: string }) => ({ id, input: {} })) },
      )
    ).updated;
    // Nothing differs, so nothing changes: no version and no time.
    expect(updated).toEqual([...created].reverse());
    const { deletedIds } = (
      await ask(gateway(), `mutation ($ids: [ID!]!) { deleted: deleteMany${many}(ids: $ids) { deletedIds } }`, { ids })
    ).deleted;
    expect(deletedIds).toEqual(ids);
    const { nodes } = await ask(gateway(), 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(nodes).toEqual([null, null, null]);
  });

  test('created records have their own lines and defaults, in the order of the inputs', async () => {
    const inputs = upTo(3).map((consumedItems) => repairInput({ consumedItems, asset: `asset ${consumedItems}` }));
    const { records: created } = (
      await ask(gateway(), createMany, { inputs: [...inputs, { ...inputs[2], company: 'ACME' }] })
    ).created;
    const record = (lines: number, company: string | null) => ({
      id: expect.stringMatching(/^asset-repair_/),
      version: 1,
      asset: `asset ${lines}`,
      company,
      repairStatus: 'Pending',
      createdAt: expect.any(String),
      consumedItems: upTo(lines).map((idx) => ({ idx, itemCode: `item ${idx}` })),
    });
    // Only the last has a company: the columns of the INSERT are those of all records.
    expect(created).toEqual([record(1, null), record(2, null), record(3, null), record(3, 'ACME')]);
  });

  test('each update changes its own fields and leaves the others as they are', async () => {
    const [one, two, three] = await createRepairs(gateway(), 3);
    const updates = [
      { id: three, input: { asset: 'c', repairCost: 1.0987392948039692e278, increaseInAssetLife: -3 } },
      { id: one, input: { status: 'SUBMITTED', capitalizeRepairCost: true }, expectedVersion: 1 },
      { id: two, input: { downtime: '1 Hour', repairCost: null } },
    ];
    const plain = { status: 'DRAFT', asset: 'lathe', downtime: null, repairCost: 0, increaseInAssetLife: null };
    expect((await ask(gateway(), updateMany, { updates })).updated.records).toEqual([
      {
        ...plain,
        id: three,
        version: 2,
        capitalizeRepairCost: false,
        asset: 'c',
        repairCost: 1.0987392948039692e278,
        increaseInAssetLife: -3,
      },
      { ...plain, id: one, version: 2, capitalizeRepairCost: true, status: 'SUBMITTED' },
      { ...plain, id: two, version: 2, capitalizeRepairCost: false, downtime: '1 Hour' },
    ]);
  });

  test('a hundred are taken, and more are refused before anything happens', async () => {
    const ids = await createRepairs(gateway(), 101);
    const { records: updated } = (
      await ask(gateway(), updateMany, {
        updates: ids.slice(1).map((id, index) => ({ id, input: { asset: `${index}` } })),
      })
    ).updated;
    expect(updated.map(({ asset }: { asset: string }) => asset)).toEqual(upTo(100).map((number) => `${number - 1}`));
    for (const [query, variables, param] of [
      [updateMany, { updates: ids.map((id) => ({ id, input: {} })) }, 'updates'],
      [deleteMany, { ids }, 'ids'],
      [createMany, { inputs: ids.map(() => repairInput()) }, 'inputs'],
    ] as const) {
      const { extensions } = await refusal(gateway(), query, variables);
      expect(extensions.errors).toEqual([
        { param, code: 'parameter_invalid', message: `\`${param}\` must hold at most 100 items, not 101.` },
      ]);
    }
    expect((await ask(gateway(), deleteMany, { ids: ids.slice(1) })).deleted.deletedIds).toHaveLength(100);
  });

  test('empty lists do nothing', async () => {
    expect(await ask(gateway(), createMany, { inputs: [] })).toEqual({ created: { records: [] } });
    expect(await ask(gateway(), updateMany, { updates: [] })).toEqual({ updated: { records: [] } });
    expect(await ask(gateway(), deleteMany, { ids: [] })).toEqual({ deleted: { deletedIds: [] } });
  });

  describe('if one cannot be written, none is, and the errors name each', () => {
    test('of those to create', async () => {
      const before = await total();
      const wrong = { ...repairInput({ consumedItems: 2 }), repairCost: '5' };
      const lacking = { ...repairInput(), consumedItems: [{ warehouse: 'main' }], asset: undefined };
      const { extensions } = await refusal(gateway(), createMany, { inputs: [repairInput(), wrong, lacking] });
      expect(extensions.errors).toMatchObject([
        { param: 'inputs[1].repairCost', code: 'parameter_invalid' },
        { param: 'inputs[2].asset', code: 'parameter_missing' },
        { param: 'inputs[2].consumedItems[0].itemCode', code: 'parameter_missing' },
      ]);
      expect(await total()).toBe(before);
    });

    test('of those to update', async () => {
      const [one, two, three] = await createRepairs(gateway(), 3);
      const updates = [
        { id: one, input: { asset: 'changed' } },
        { id: two, input: { asset: 'changed' }, expectedVersion: 7 },
        { id: three, input: { status: 'CANCELLED' } },
        { id: 'asset-repair_unknown', input: {} },
      ];
      const { message, extensions } = await refusal(gateway(), updateMany, { updates });
      expect(message).toMatch(/^`updates\[1\]\.expectedVersion` is not the version/);
      expect(extensions).toMatchObject({ code: 'VERSION_CONFLICT', reason: 'version_conflict' });
      expect(extensions.errors).toMatchObject([
        { param: 'updates[1].expectedVersion', code: 'version_conflict', currentVersion: 1 },
        { param: 'updates[2].input.status', code: 'invalid_state', currentState: 'DRAFT', allowedActions: ['SUBMIT'] },
        { param: 'updates[3].id', code: 'resource_missing' },
      ]);
      const { node } = await ask(gateway(), 'query ($id: ID!) { node: assetRepair(id: $id) { asset version } }', {
        id: one,
      });
      expect(node).toEqual({ asset: 'lathe', version: 1 });
    });

    test('of those to delete', async () => {
      const [one, two] = await createRepairs(gateway(), 2);
      const ids = [one, 'asset-repair_unknown', two, 'industry-type_unknown'];
      const { extensions } = await refusal(gateway(), deleteMany, { ids });
      expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'resource_missing' });
      expect(extensions.errors).toMatchObject([{ param: 'ids[1]' }, { param: 'ids[3]' }]);
      const { nodes } = await ask(gateway(), 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: [one, two] });
      expect(nodes).toEqual([{ id: one }, { id: two }]);
    });

    test('because it is named twice', async () => {
      const [one, two] = await createRepairs(gateway(), 2);
      const updates = [one, two, one].map((id) => ({ id, input: {} }));
      const twice = {
        code: 'parameter_invalid',
        message: expect.stringMatching(/the same record as number 1 of the list/),
      };
      expect((await refusal(gateway(), updateMany, { updates })).extensions.errors).toEqual([
        { param: 'updates[2].id', ...twice },
      ]);
      expect((await refusal(gateway(), deleteMany, { ids: [one, two, one] })).extensions.errors).toEqual([
        { param: 'ids[2]', ...twice },
      ]);
    });

    test('because it is named twice, beside all that is wrong with others', async () => {
      const [one, two] = await createRepairs(gateway(), 2);
      const gone = 'asset-repair_unknown';
      const changes = [{ id: one }, { id: gone }, { id: one }, { id: two, expectedVersion: 7 }, { id: gone }];
      const updates = changes.map((each) => ({ ...each, input: { asset: 'mill' } }));
      const ofUpdate = (await refusal(gateway(), updateMany, { updates })).extensions;
      expect(ofUpdate.code).toBe('BAD_USER_INPUT');
      const named = (errors: { param: string; code: string }[]) => errors.map(({ param, code }) => `${param} ${code}`);
      expect(named(ofUpdate.errors)).toEqual([
        'updates[2].id parameter_invalid',
        'updates[4].id parameter_invalid',
        'updates[1].id resource_missing',
        'updates[3].expectedVersion version_conflict',
      ]);
      const ids = [one, gone, one, two, 'asset-repair_other'];
      const ofDelete = (await refusal(gateway(), deleteMany, { ids })).extensions;
      expect(named(ofDelete.errors)).toEqual([
        'ids[2] parameter_invalid',
        'ids[1] resource_missing',
        'ids[4] resource_missing',
      ]);
    });
  });

  test('a draft that is already submitted by one of several updates at once is not submitted again', async () => {
    const [id] = await createRepairs(gateway(), 1);
    const updates = [{ id, input: { status: 'SUBMITTED' }, expectedVersion: 1 }];
    const answers = await Promise.all(upTo(5).map(() => gateway().graphql(updateMany, { updates })));
    const refused = answers.filter(({ body }) => body.errors?.[0].extensions.code === 'VERSION_CONFLICT');
    expect(refused).toHaveLength(4);
  });

  async function total(): Promise<number> {
    return (await ask(gateway(), '{ assetRepairs { totalCount } }')).assetRepairs.totalCount;
  }
});
