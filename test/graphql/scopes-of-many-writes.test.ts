/** Saves and mutations of many records need the same scopes as single writes. */
import { expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask } from './ask.js';
import { createRepair, createRepairs, itemsOf, repairInput } from './asset-repairs.js';

const save = `mutation ($id: ID!, $input: SaveAssetRepairInput!) {
  done: saveAssetRepair(id: $id, input: $input) { changes { fields } }
}`;
const updateMany = `mutation ($updates: [UpdateManyAssetRepairsItem!]!) {
  done: updateManyAssetRepairs(updates: $updates) { records { id version } }
}`;
const createMany = `mutation ($inputs: [CreateAssetRepairInput!]!) { done: createManyAssetRepairs(inputs: $inputs) { records { id asset } } }`;
const deleteMany = 'mutation ($ids: [ID!]!) { done: deleteManyAssetRepairs(ids: $ids) { deletedIds } }';

onDatabaseInTurn(import.meta.filename, (gateway) => {
  test('a save that deletes lines needs the scope to delete, and one that does not does not', async () => {
    const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
    const [first, second] = items.map((item) => ({ id: item }));
    const caller = await callerWith(gateway(), 'assets:read', 'assets:write');
    expect(await lacking(caller, save, { id, input: { consumedItems: [first] } })).toEqual(['assets:delete']);
    expect(await itemsOf(gateway(), id)).toEqual(['item 1', 'item 2']);
    expect(await lacking(caller, save, { id, input: { consumedItems: [second, first] } })).toBeUndefined();
    expect(await itemsOf(gateway(), id)).toEqual(['item 2', 'item 1']);
  });

  test('a save and an update of many that submit need the scope to submit', async () => {
    const [one, two] = await createRepairs(gateway(), 2);
    const caller = await callerWith(gateway(), 'assets:read', 'assets:write');
    const input = { status: 'SUBMITTED' };
    expect(await lacking(caller, save, { id: one, input })).toEqual(['assets:submit']);
    const updates = [
      { id: one, input: { asset: 'mill' } },
      { id: two, input },
    ];
    expect(await lacking(caller, updateMany, { updates })).toEqual(['assets:submit']);
    const { assetRepair } = await ask(gateway(), 'query ($id: ID!) { assetRepair(id: $id) { version } }', { id: one });
    expect(assetRepair.version).toBe(1);
    expect(await lacking(caller, updateMany, { updates: updates.slice(0, 1) })).toBeUndefined();
  });

  test('each needs the scope of its verb, and to read where it answers more than ids', async () => {
    const [id] = await createRepairs(gateway(), 1);
    const reader = await callerWith(gateway(), 'assets:read');
    const writer = await callerWith(gateway(), 'assets:write');
    expect(await lacking(reader, save, { id, input: {} })).toEqual(['assets:write']);
    expect(await lacking(reader, updateMany, { updates: [] })).toEqual(['assets:write']);
    expect(await lacking(writer, createMany, { inputs: [repairInput()] })).toEqual(['assets:read']);
    expect(await lacking(writer, deleteMany, { ids: [id] })).toEqual(['assets:delete']);
    expect(await lacking(writer, updateMany, { updates: [{ id, input: {} }] })).toBeUndefined();
  });

  test('acting on many needs the scope of the action, of a status that it sets, and to read where it looks for records', async () => {
    const ids = await createRepairs(gateway(), 1);
    const writer = await callerWith(gateway(), 'assets:write');
    const all = await callerWith(gateway(), 'assets:submit', 'assets:delete', 'assets:read');
    const act =
      'mutation ($ids: [ID!], $where: AssetRepairFilter, $action: RecordAction!, $input: UpdateAssetRepairInput) { done: actOnManyAssetRepairs(ids: $ids, where: $where, action: $action, input: $input) { results { done } } }';
    expect(await lacking(writer, act, { ids, action: 'SUBMIT' })).toEqual(['assets:submit']);
    expect(await lacking(writer, act, { ids, action: 'DELETE' })).toEqual(['assets:delete']);
    expect(await lacking(writer, act, { ids, action: 'UPDATE', input: { status: 'SUBMITTED' } })).toEqual([
      'assets:submit',
    ]);
    expect(await lacking(writer, act, { where: {}, action: 'UPDATE', input: {} })).toEqual(['assets:read']);
    expect(await lacking(writer, act, { ids, action: 'UPDATE', input: { asset: 'mill' } })).toBeUndefined();
    expect(await lacking(all, act, { ids, action: 'UPDATE', input: {} })).toEqual(['assets:write']);
    const where = { asset: { eq: 'mill' }, assetName: { isNull: true } };
    expect(await lacking(all, act, { where, action: 'SUBMIT' })).toBeUndefined();
    const linked = {
      where: { consumedItems: { some: { serialNoRecord: { status: { eq: 'x' } } } } },
      action: 'SUBMIT',
    };
    expect(await lacking(all, act, linked)).toEqual(['stock:read']);
  });

  test('aggregates are for those who may read the records', async () => {
    const stranger = await callerWith(gateway(), 'assets:write', 'stock:read');
    for (const name of ['assetRepair', 'assetRepairConsumedItem']) {
      expect(await lacking(stranger, `{ done: ${name}Aggregate { count } }`)).toEqual(['assets:read']);
    }
  });
});

/** The scopes that a refusal names; undefined if nothing is refused. */
async function lacking(
  caller: Awaited<ReturnType<typeof callerWith>>,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<string[] | undefined> {
  const { body, text } = await caller.graphql(query, variables);
  if (!body.errors) expect(body.data.done, text).not.toBeNull();
  return body.errors?.[0].extensions.missingScopes;
}
