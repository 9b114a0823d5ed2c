/** Operations that change a record, in all their forms: compiled and uncompiled ones have the same answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import type { TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';
import { compared, newTwins, startTwins, type Twins, updating } from './twins.js';

describe.each(providers)('on %s', (database) => {
  let twins: Twins;
  beforeAll(async () => {
    twins = await startTwins(database);
  });
  afterEach(() => twins.compareJournals());
  afterAll(() => twins.close());

  const repair = resourceOf('AssetRepair');
  const update = 'updateAssetRepair(id: $id, input: $input, expectedVersion: $expectedVersion)';
  const variables = '$id: ID!, $input: UpdateAssetRepairInput!, $expectedVersion: Int';
  const lines = 'lines: consumedItems { __typename place: idx assetRepair { asset version consumedItems { id } } }';

  test.each([
    [
      'aliases, lines and parents',
      `mutation (${variables}) { record: ${update} { record { was: version called: asset ${lines} } } }`,
    ],
    [
      'fragments',
      `mutation (${variables}) { record: ${update} { record { ...F } } } fragment F on AssetRepair { ... { asset } }`,
    ],
    ['a condition', `mutation (${variables}) { record: ${update} { record { asset @skip(if: true) version } } }`],
    [
      'a slice of the lines',
      `mutation (${variables}) { record: ${update} { record { consumedItems(limit: 1) { itemCode } } } }`,
    ],
    [
      'two fields',
      `mutation (${variables}) { record: ${update} { record { asset } } again: ${update} { record { version } } }`,
    ],
    [
      'a default',
      'mutation ($id: ID!, $version: Int = 7) { record: submitAssetRepair(id: $id, expectedVersion: $version) { record { id } } }',
    ],
    ['a literal', 'mutation ($id: ID!) { record: submitAssetRepair(id: $id, expectedVersion: 7) { record { id } } }'],
    [
      'a part of the input',
      'mutation ($id: ID!, $a: String!) { record: updateAssetRepair(id: $id, input: { asset: $a }) { record { id } } }',
    ],
    [
      'who may do what',
      `mutation (${variables}) { record: ${update} { record { status actions { action allowed } } } }`,
    ],
  ])('an operation with %s', async (_, query) => {
    const ids = await newTwins(twins, repair);
    await compared(twins, repair, query, ids, { input: { asset: 'mill' }, a: 'saw' });
  });

  test('the time of a change is stored as Prisma stores it', async () => {
    const ids = await newTwins(twins, repair);
    await sleep(2);
    await compared(twins, repair, updating(repair), ids, { input: { asset: 'another' } });
    const times = async ({ database: { client, provider } }: TestGateway, id: string) => {
      const columns = 'CAST("createdAt" AS TEXT) AS "born", CAST("updatedAt" AS TEXT) AS "changed"';
      const text = `SELECT ${columns} FROM "AssetRepair" WHERE "id" = ${provider === 'sqlite' ? '?' : '$1'}`;
      const [row] = await client.$queryRawUnsafe<{ born: string; changed: string }[]>(text, id);
      return row ?? { born: '', changed: '' };
    };
    const [ours, theirs] = [await times(twins.ours, ids.ourId), await times(twins.theirs, ids.theirId)];
    expect(ours.changed > ours.born).toBe(true);
    expect(ours.changed.replace(/\d+/g, '0')).toBe(theirs.changed.replace(/\d+/g, '0'));
  });
});
