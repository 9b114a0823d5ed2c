/** Any record by its id alone: Relay's Global Object Identification. */
import { beforeAll, expect, test } from 'vitest';
import { documentedResources } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { oneOf } from '../contract/graphql-names.js';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, repairInput, upTo } from './asset-repairs.js';
import { createRecord, wholeSelection } from './records.js';

onDatabaseInTurn(import.meta.filename, (gateway) => {
  let repair: { id: string; items: string[] };

  beforeAll(async () => {
    repair = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
  });

  test('node answers a record of every type, as the type itself does', async () => {
    for (const resource of documentedResources) {
      const isSingleton = resource.kind === 'singleton';
      const id = isSingleton ? `${resource.slug}_default` : (await createRecord(gateway(), resource)).id;
      const whole = wholeSelection(resource);
      const query = `query ($id: ID!) {
        record: ${oneOf(resource)}${isSingleton ? '' : '(id: $id)'} { ${whole} }
        node(id: $id) { id __typename ... on ${modelName(resource.title)} { ${whole} } }
      }`;
      const { record, node } = await ask(gateway(), query, { id });
      expect(record.id).toBe(id);
      expect(node, resource.title).toEqual(record);
    }
  });

  test.each([
    'asset-repair_unknown',
    'asset-repair_',
    'no-such-type_01k00000000000000000000000',
    'no id',
    '',
    '_',
    '__proto__',
    'api-key_x',
  ])('node answers null for "%s"', async (id) => {
    expect((await ask(gateway(), 'query ($id: ID!) { node(id: $id) { id } }', { id })).node).toBeNull();
  });

  test('a type does not find the records of another type', async () => {
    const query = 'query ($id: ID!) { assetRepair(id: $id) { id } assetRepairConsumedItem(id: $id) { id } }';
    expect(await ask(gateway(), query, { id: repair.items[0] })).toEqual({
      assetRepair: null,
      assetRepairConsumedItem: { id: repair.items[0] },
    });
  });

  test('nodes answers in the order asked for, with null where there is none, and as often as asked', async () => {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) {
      __typename
      id
      ... on AssetRepair { asset lines: consumedItems { id } }
      ... on AssetRepairConsumedItem { itemCode assetRepair { asset } }
    } }`;
    const [one, two] = repair.items;
    const ids = [two, repair.id, 'asset-repair_unknown', one, repair.id, 'nonsense'];
    const shownRepair = { __typename: 'AssetRepair', id: repair.id, asset: 'lathe', lines: [{ id: one }, { id: two }] };
    const shownItem = (id: string | undefined, itemCode: string) => ({
      __typename: 'AssetRepairConsumedItem',
      id,
      itemCode,
      assetRepair: { asset: 'lathe' },
    });
    expect((await ask(gateway(), query, { ids })).nodes).toEqual([
      shownItem(two, 'item 2'),
      shownRepair,
      null,
      shownItem(one, 'item 1'),
      shownRepair,
      null,
    ]);
  });

  test('only fields that every record has need no fragment', async () => {
    const query = 'query ($id: ID!) { node(id: $id) { __typename } nodes(ids: [$id]) { id } }';
    expect(await ask(gateway(), query, { id: repair.id })).toEqual({
      node: { __typename: 'AssetRepair' },
      nodes: [{ id: repair.id }],
    });
  });

  test('a fragment on the interface reaches every type', async () => {
    const query = `query ($id: ID!) { node(id: $id) { ...any } }
      fragment any on Node { id ... on AssetRepair { status } ... on Timesheet { status } }`;
    expect((await ask(gateway(), query, { id: repair.id })).node).toEqual({ id: repair.id, status: 'DRAFT' });
  });

  test.each([
    ['compiled', ''],
    ['by the resolvers', 'displayTitle'],
  ])(
    'fragments on BusinessRecord, MainRecord and BusinessDocument reach the types that are one, %s',
    async (_, resolved) => {
      const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ...Parts } }
      fragment Parts on BusinessRecord { id version ${resolved}
        ... on MainRecord { updatedAt } ... on BusinessDocument { status allowedActions } }`;
      const [line = ''] = repair.items;
      const shown = (displayTitle: string) => (resolved ? { displayTitle } : {});
      expect((await ask(gateway(), query, { ids: [repair.id, line] })).nodes).toEqual([
        {
          __typename: 'AssetRepair',
          id: repair.id,
          version: 1,
          ...shown('lathe'),
          updatedAt: expect.any(String),
          status: 'DRAFT',
          allowedActions: ['SUBMIT'],
        },
        { __typename: 'AssetRepairConsumedItem', id: line, version: 1, ...shown('item 1') },
      ]);
    },
  );

  test('nodes takes no ids, and a thousand, and not one more', async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    expect((await ask(gateway(), query, { ids: [] })).nodes).toEqual([]);
    expect((await ask(gateway(), query, { ids: upTo(1000).map(String) })).nodes).toHaveLength(1000);
    expect((await refusal(gateway(), query, { ids: upTo(1001).map(String) })).extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ param: 'ids', code: 'parameter_invalid' }],
    });
  });
});
