/** `nodes` takes one statement for each type among its ids, and answers as the resolvers do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { fillStatement, recordId } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';
import { ofPrisma } from './random-record.js';

const repair = resourceOf('AssetRepair');
const line = resourceOf('AssetRepairConsumedItem');
const repairs = Array.from({ length: 1000 }, (_, index) => recordId(repair, index + 1));

describe.each(providers)('nodes, on %s', (database) => {
  let compiled: TestGateway;
  let resolved: TestGateway;
  beforeAll(async () => {
    compiled = await startGateway({ database });
    for (const each of [repair, line])
      await compiled.database.client.$executeRawUnsafe(fillStatement(database, each, 1000));
    const env = { DATABASE_URL: compiled.config.databaseUrl };
    resolved = await startGateway({ database, env, compiled: false });
  });
  afterAll(() => Promise.all([resolved.close(), compiled.close()]));

  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) {
    id __typename
    ... on AssetRepair { asset repairCost consumedItems(limit: 2) { idx } }
    ... on AssetRepairConsumedItem { itemCode assetRepair { id } }
  } }`;

  test.each([
    ['none', []],
    [
      'two types, doubles, and none of some',
      [repairs[3], recordId(line, 7), 'asset-repair_none', repairs[3], 'what', '', '_'],
    ],
    ['a thousand', repairs],
    ['one that is no list', repairs[1]],
    ['too many', [...repairs, 'one more']],
    ['no texts', [1, 2]],
    ['an odd text', ['asset-repair_\u0000']],
    ['a singleton', ['subscription-settings_default']],
  ])('answers %s as the resolvers do', async (_what, ids) => {
    const [ours, theirs] = await Promise.all([compiled, resolved].map((gateway) => gateway.graphql(query, { ids })));
    const withoutId = (text = '') => text.replace(/"requestId":"\w+"/g, '');
    expect(withoutId(ours?.text)).toBe(withoutId(theirs?.text));
  });

  test('loads an id that is repeated once, also where the resolvers load lines for each record', async () => {
    const lists = `query ($ids: [ID!]!) { nodes(ids: $ids) {
      ... on AssetRepair { a: consumedItems(limit: 1) { idx } b: consumedItems(limit: 2) { idx } }
    } }`;
    const statementsFor = async (ids: string[]) => {
      const { length } = resolved.statements;
      const { body } = await resolved.graphql(lists, { ids });
      expect(body.data.nodes).toEqual(ids.map(() => body.data.nodes[0]));
      return resolved.statements.slice(length).filter((sql) => !sql.includes('ApiKey'));
    };
    const once = await statementsFor([repairs[5] ?? '']);
    const often = await statementsFor(Array(300).fill(repairs[5]));
    expect(new Set(often)).toEqual(new Set(once));
    // The resolvers give others a turn after each 32 records, and then load lines again.
    expect(often.length).toBeLessThanOrEqual(once.length * Math.ceil(300 / 32));
  });

  test('takes a statement for each type, whichever way it is answered', async () => {
    const ids = [...repairs.slice(0, 50), recordId(line, 1), recordId(line, 2)];
    const before = compiled.statements.length;
    await compiled.graphql(query, { ids });
    const ran = compiled.statements.slice(before).filter((sql) => !sql.includes('ApiKey'));
    expect(ran).toHaveLength(2);
    expect(ofPrisma(ran)).toEqual([]);
    const { length } = resolved.statements;
    await resolved.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(resolved.statements.slice(length).filter((sql) => !sql.includes('ApiKey'))).toHaveLength(2);
  });

  test('answers forty-eight times a thousand within its time', async () => {
    const many = Array.from({ length: 48 }, (_, index) => `a${index}: nodes(ids: $ids) { id }`).join(' ');
    const { status, body } = await compiled.graphql(`query ($ids: [ID!]!) { ${many} }`, { ids: repairs });
    expect(status).toBe(200);
    expect(body.data.a47.map(({ id }: { id: string }) => id)).toEqual(repairs);
  });
});
