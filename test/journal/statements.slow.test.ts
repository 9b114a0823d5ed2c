/** The SQL statements of the journal: at most one for a change on SQLite, and none of its own on PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

interface Subject {
  id: string;
  lines: string[];
}

type Request = readonly [query: string, variables: Record<string, unknown>];

const repair = { asset: 'LATHE', failureDate: '2026-01-31', consumedItems: [1, 2, 3].map(lineOf) };
const writes: Record<string, (subject: Subject) => Request> = {
  create: () => [
    'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
    { input: { asset: 'LATHE', failureDate: '2026-01-31' } },
  ],
  'create with lines': () => [
    'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
    { input: repair },
  ],
  'create many': () => [
    'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }',
    { inputs: Array.from({ length: 30 }, () => repair) },
  ],
  update: ({ id }) => [
    'mutation ($id: ID!, $input: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { version } } }',
    { id, input: { repairCost: 12 } },
  ],
  'create a line': ({ id }) => [
    'mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }',
    { input: { ...lineOf(4), assetRepairId: id } },
  ],
  'update a line': ({ lines }) => [
    `mutation ($id: ID!, $input: UpdateAssetRepairConsumedItemInput!) {
      updateAssetRepairConsumedItem(id: $id, input: $input) { record { version } } }`,
    { id: lines[0], input: { totalValue: 7 } },
  ],
  'delete a line': ({ lines }) => [
    'mutation ($id: ID!) { deleteAssetRepairConsumedItem(id: $id) { deletedId } }',
    { id: lines[0] },
  ],
  reorder: ({ id, lines }) => [
    `mutation ($parentId: ID!, $ids: [ID!]!) {
      reorderAssetRepairConsumedItems(parentId: $parentId, ids: $ids) { records { id } } }`,
    { parentId: id, ids: lines.toReversed() },
  ],
  save: ({ id, lines }) => [
    'mutation ($id: ID!, $input: SaveAssetRepairInput!) { saveAssetRepair(id: $id, input: $input) { record { id } } }',
    { id, input: { repairCost: 9, consumedItems: [{ id: lines[1], totalValue: 3 }, lineOf(5), { id: lines[0] }] } },
  ],
  submit: ({ id }) => ['mutation ($id: ID!) { submitAssetRepair(id: $id) { record { status } } }', { id }],
  delete: ({ id }) => ['mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id }],
  'delete many': ({ id }) => [
    'mutation ($ids: [ID!]!) { deleteManyAssetRepairs(ids: $ids) { deletedIds } }',
    { ids: [id] },
  ],
};

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
  });
  afterAll(() => gateway.close());

  test.each(Object.entries(writes))('%s', async (_what, requestOf) => {
    const { body } = await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { it: createAssetRepair(input: $input) { record { id consumedItems { id } } } }',
      { input: repair },
    );
    const { id, consumedItems } = body.data.it.record;
    const [query, variables] = requestOf({ id, lines: consumedItems.map((line: { id: string }) => line.id) });
    const [from, entries] = [gateway.statements.length, await entriesIn(gateway)];
    const answer = await gateway.graphql(query, variables);
    expect(answer.body.errors, answer.text).toBeUndefined();
    const taken = gateway.statements.slice(from).filter((sql) => sql.includes('INSERT INTO "JournalEntry"'));
    expect(await entriesIn(gateway)).toBeGreaterThan(entries);
    expect(taken.length).toBeGreaterThan(0);
    if (provider === 'sqlite') expect(taken).toHaveLength(1);
    // Each of them writes records too.
    else for (const sql of taken) expect(sql).toMatch(/(INSERT INTO|UPDATE|DELETE FROM) "AssetRepair/);
  });
});

const entriesIn = ({ database }: TestGateway): Promise<number> => database.client.journalEntry.count();

function lineOf(number: number) {
  return { itemCode: `ITEM-${number}`, warehouse: 'Stores' };
}
