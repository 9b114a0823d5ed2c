/**
 * `createdBy` and `updatedBy` name who has created and last changed a record, or one of its lines, whichever way a mutation is
 * executed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inspect } from '../../src/database/inspection.js';
import { type Caller, callerWith } from '../access/keys.js';
import { records } from '../commands/records.js';
import { inAllWays } from '../contract/on-both-databases.js';
import { repairInput } from '../graphql/asset-repairs.js';
import { freshDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';

const item = { itemCode: 'NUT', warehouse: 'Main' };
const byOf = ({ id }: Pick<Caller, 'id'>) => `key:${id}`;

async function answered({ graphql }: Pick<Caller, 'graphql'>, query: string, variables: Record<string, unknown> = {}) {
  const { body } = await graphql(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** A repair with two lines of one caller, and another caller. */
async function twoCallers(gateway: TestGateway) {
  const [maker, changer] = [await callerWith(gateway, '*'), await callerWith(gateway, '*')];
  const { made } = await answered(
    maker,
    `mutation ($input: CreateAssetRepairInput!) { made: createAssetRepair(input: $input) {
      record { id createdBy updatedBy consumedItems { id } } } }`,
    { input: { ...repairInput(), consumedItems: [item, item] } },
  );
  const { id, consumedItems, ...authors } = made.record;
  expect(authors).toEqual({ createdBy: byOf(maker), updatedBy: byOf(maker) });
  const lines: string[] = consumedItems.map((line: { id: string }) => line.id);
  const authorsNow = async () =>
    (await answered(maker, 'query ($id: ID!) { assetRepair(id: $id) { createdBy updatedBy version } }', { id }))
      .assetRepair;
  return { maker, changer, id, lines, authorsNow };
}

interface Sent {
  id: string;
  lines: readonly string[];
}
type Change = [what: string, mutation: string, input: (sent: Sent) => Record<string, unknown>];

const own = '$id: ID!, $input';
const changes: Change[] = [
  [
    'update',
    `(${own}: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { updatedBy } } }`,
    ({ id }) => ({ id, input: { asset: 'Mill' } }),
  ],
  [
    'update without an answer',
    `(${own}: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { userErrors { code } } }`,
    ({ id }) => ({ id, input: { asset: 'Mill' } }),
  ],
  [
    'many',
    '($updates: [UpdateManyAssetRepairsItem!]!) { updateManyAssetRepairs(updates: $updates) { records { id } } }',
    ({ id }) => ({ updates: [{ id, input: { asset: 'Mill' } }] }),
  ],
  ['submit', '($id: ID!) { submitAssetRepair(id: $id) { record { id updatedBy } } }', ({ id }) => ({ id })],
  [
    'save of fields',
    `(${own}: SaveAssetRepairInput!) { saveAssetRepair(id: $id, input: $input) { record { updatedBy } } }`,
    ({ id }) => ({ id, input: { asset: 'Mill' } }),
  ],
  [
    'save of lines',
    `(${own}: SaveAssetRepairInput!) { saveAssetRepair(id: $id, input: $input) { record { updatedBy } } }`,
    ({ id, lines }) => ({ id, input: { consumedItems: [{ id: lines[1] }, item] } }),
  ],
  [
    'a new line',
    '($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id assetRepair { updatedBy } } } }',
    ({ id }) => ({ input: { assetRepairId: id, ...item } }),
  ],
  [
    'a changed line',
    `(${own}: UpdateAssetRepairConsumedItemInput!) { updateAssetRepairConsumedItem(id: $id, input: $input) { record { itemCode } } }`,
    ({ lines }) => ({ id: lines[0], input: { itemCode: 'BOLT' } }),
  ],
  [
    'a moved line',
    `(${own}: UpdateAssetRepairConsumedItemInput!) { updateAssetRepairConsumedItem(id: $id, input: $input) { record { idx } } }`,
    ({ lines }) => ({ id: lines[0], input: { idx: 2 } }),
  ],
  [
    'a deleted line',
    '($id: ID!) { deleteAssetRepairConsumedItem(id: $id) { deletedId } }',
    ({ lines }) => ({ id: lines[0] }),
  ],
  [
    'reorder',
    '($id: ID!, $ids: [ID!]!) { reorderAssetRepairConsumedItems(parentId: $id, ids: $ids) { records { id } } }',
    ({ id, lines }) => ({ id, ids: lines.toReversed() }),
  ],
];

inAllWays(import.meta.filename, (gateway, _share, _database, compiled) => {
  test.each(changes)('%s names who changes it; the same again changes nothing', async (what, mutation, input) => {
    const { maker, changer, authorsNow, ...sent } = await twoCallers(gateway());
    const text = `mutation ${mutation}`;
    await answered(changer, text, input(sent));
    const changed = { createdBy: byOf(maker), updatedBy: byOf(changer), version: 2 };
    expect(await authorsNow()).toEqual(changed);
    if (['a new line', 'a deleted line', 'submit', 'save of lines'].includes(what)) return;
    await answered(maker, text, input(sent));
    expect(await authorsNow()).toEqual(changed);
  });

  test('filters find records by them, also those without an author, and aggregates count these', async () => {
    const { maker, changer, id, lines } = await twoCallers(gateway());
    await answered(changer, 'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }', { id });
    const count = async (where: object) => {
      const found = await answered(
        maker,
        `query ($where: AssetRepairFilter, $line: AssetRepairConsumedItemFilter, $id: ID!) {
              assetRepairs(where: $where, first: 5) { nodes { id } totalCount }
              assetRepairAggregate(where: $where) { count }
              assetRepairConsumedItems(parentId: $id, where: $line) { totalCount } }`,
        { id, where: { and: [where, { id: { eq: id } }] }, line: { assetRepair: where } },
      );
      expect(found.assetRepairs.nodes).toHaveLength(found.assetRepairs.totalCount);
      expect(found.assetRepairConsumedItems.totalCount).toBe(found.assetRepairs.totalCount * lines.length);
      expect(found.assetRepairAggregate.count).toBe(found.assetRepairs.totalCount);
      return found.assetRepairs.totalCount;
    };
    expect(await count({ createdBy: { eq: byOf(maker) } })).toBe(1);
    expect(await count({ updatedBy: { in: [byOf(changer)] }, createdBy: { startsWith: 'key:' } })).toBe(1);
    expect(await count({ updatedBy: { eq: byOf(maker) } })).toBe(0);
    expect(await count({ createdBy: { isNull: true } })).toBe(0);
    await gateway().database.client.assetRepair.update({ where: { id }, data: { createdBy: null } });
    expect(await count({ createdBy: { isNull: true } })).toBe(1);
    expect(await count({ createdBy: { ne: 'somebody' } })).toBe(1);
    expect(await count({ not: { createdBy: { eq: 'somebody' } } })).toBe(1);
  });

  test('one operation asks all main records for them; settings have nobody who created them', async () => {
    const { changer, id } = await twoCallers(gateway());
    const updated = await answered(
      changer,
      `mutation { updateSubscriptionSettings(input: { gracePeriod: ${compiled ? 7 : 8} }) { record { id createdBy updatedBy } } }`,
    );
    const settings = updated.updateSubscriptionSettings.record;
    expect(settings).toMatchObject({ createdBy: null, updatedBy: byOf(changer) });
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on MainRecord { id createdBy updatedBy } } }`;
    const { nodes } = await answered(changer, query, { ids: [settings.id, id] });
    expect(nodes).toEqual([settings, expect.objectContaining({ id, updatedBy: expect.stringMatching(/^key:/) })]);
  });

  test('the journal does not list them, REST does not show them, and asOf knows who changed it last then', async () => {
    const { maker, changer, id } = await twoCallers(gateway());
    const path = `/api/assets/asset-repair/${id}`;
    const { body } = await changer.rest('PATCH', path, { asset: 'Mill' });
    expect(Object.keys(body).filter((name) => /by$/i.test(name))).toEqual([]);
    const { assetRepair } = await answered(
      changer,
      `query ($id: ID!) { assetRepair(id: $id) { history(first: 5) { nodes { version changes { path } } } } }`,
      { id },
    );
    expect(JSON.stringify(assetRepair)).toContain('"asset"');
    expect(JSON.stringify(assetRepair)).not.toMatch(/edBy/);
    const query = 'query ($id: ID!) { node(id: $id) { ... on AssetRepair { version createdBy updatedBy } } }';
    const then = async (version: number) => (await answered(maker, query, { id: `${id}@${version}` })).node;
    const atFirst = { version: 1, createdBy: byOf(maker), updatedBy: byOf(maker) };
    expect(await then(1)).toEqual(atFirst);
    expect(await then(2)).toEqual({ version: 2, createdBy: byOf(maker), updatedBy: byOf(changer) });
    await changer.rest('DELETE', path);
    expect(await then(1)).toEqual({ ...atFirst, createdBy: null });
  });
});

describe.each(providers)('on %s', (database) => {
  test('without a journal too, where texts of statements are kept for all callers', async () => {
    const gateway = await startGateway({ database, env: { JOURNAL: 'false' } });
    onTestFinished(() => gateway.close());
    const { maker, changer, id, lines, authorsNow } = await twoCallers(gateway);
    const line = `/api/assets/asset-repair-consumed-item/${lines[0]}`;
    for (const [place, caller] of [changer, maker, changer].entries()) {
      await caller.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: `Mill ${place}` });
      expect(await authorsNow()).toMatchObject({ createdBy: byOf(maker), updatedBy: byOf(caller) });
    }
    for (const [place, caller] of [maker, changer, maker].entries()) {
      await caller.rest('PATCH', line, { item_code: `BOLT ${place}` });
      expect(await authorsNow()).toMatchObject({ createdBy: byOf(maker), updatedBy: byOf(caller) });
    }
  });

  test('a file keeps them; what it does not say, and what a command changes, has nobody', async () => {
    const url = await freshDatabaseUrl(database);
    const gateway = await startGateway({ database, env: { DATABASE_URL: url } });
    onTestFinished(() => gateway.close());
    const { id, maker, changer } = await twoCallers(gateway);
    await answered(changer, 'mutation { updateSubscriptionSettings(input: { gracePeriod: 7 }) { record { id } } }');
    const command = async (...words: string[]) => {
      const done = await records(words, { DATABASE_URL: url });
      expect(done.code, done.problem).toBe(0);
      return done.text;
    };
    const lines = (await command('export', '-', '-q')).split('\n').filter((line) => line !== '');
    const kept = `"createdBy":"${byOf(maker)}","updatedBy":"${byOf(maker)}"`;
    expect(lines.find((line) => line.includes(id))).toContain(kept);

    const other = await freshDatabaseUrl(database);
    const file = join(freshFolder(), 'records.jsonl');
    const importing = async (text: string, ...words: string[]) => {
      writeFileSync(file, text);
      const done = await records(['import', file, '-q', ...words], { DATABASE_URL: other });
      expect(done.code, done.problem).toBe(0);
    };
    const there = (model: string) =>
      inspect(other, false, ({ rows }) => rows(`SELECT "createdBy", "updatedBy" FROM "${model}" ORDER BY "id"`));
    await importing(`${lines.filter((line) => /AssetRepair"|SubscriptionSettings"/.test(line)).join('\n')}\n`);
    expect(await there('AssetRepair')).toEqual([[byOf(maker), byOf(maker)]]);
    expect(await there('SubscriptionSettings')).toEqual([[null, byOf(changer)]]);
    await importing(`{"__typename":"AssetRepair","id":"${id}","asset":"Mill"}\n`, '--update');
    await importing('{"__typename":"IndustryType","industry":"Paper"}\n');
    expect(await there('AssetRepair')).toEqual([[byOf(maker), null]]);
    expect(await there('IndustryType')).toEqual([[null, null]]);
    const csv = join(freshFolder(), 'repairs.csv');
    await command('export', csv, '-q', '--types', 'AssetRepair');
    const third = await freshDatabaseUrl(database);
    const { code, problem } = await records(['import', csv, '-q', '--csv', 'AssetRepair'], { DATABASE_URL: third });
    expect(code, problem).toBe(0);
    const [row] = await inspect(third, false, ({ rows }) => rows('SELECT "createdBy", "updatedBy" FROM "AssetRepair"'));
    expect(row).toEqual([byOf(maker), byOf(maker)]);
  });
});

test('every main record has them, and no line', () => {
  expect(resources.filter(({ timestamps }) => timestamps).map(({ kind }) => kind)).not.toContain('child');
  expect(resources.filter(({ timestamps }) => timestamps)).toHaveLength(21);
});
