/** What a search finds for callers with roles: records that they see, and nothing by the words of hidden fields. */
import { describe, expect, test } from 'vitest';
import { providers } from '../support/database.js';
import { type Caller, errorsOf } from './keys.js';
import { repairOf, startRuled } from './rules.js';

const page = 'totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage }';
const list = async (caller: Pick<Caller, 'graphql'>, search: string) =>
  caller.graphql(`query ($search: String!) { assetRepairs(search: $search, first: 2) { ${page} } }`, { search });
const all = async (caller: Pick<Caller, 'graphql'>, query: string, types?: string[]) =>
  caller.graphql(
    `query ($query: String!, $types: [RecordType!]) { search(query: $query, types: $types, first: 2) { ${page} } }`,
    { query, types },
  );

describe.each(providers)('on %s', (database) => {
  test.each([true, false])('compiled: %s', async (compiled) => {
    const gateway = await startRuled(database, { SEARCH: 'true' }, { compiled });
    const [author, other] = [await gateway.caller('author'), await gateway.caller('author', 'Nobody')];
    const mine = [await repairOf(gateway, 'ACME'), await repairOf(gateway, 'ACME', { description: 'oil lathe' })];
    for (const company of ['Other', 'Other', 'Other', null])
      await repairOf(gateway, company, { description: 'oil lathe' });
    await gateway.rest('POST', '/api/stock/serial-no', { serial_no: 'lathe-1', item_code: 'LATHE', company: 'A' });
    for (const words of ['lathe', 'lathe belt']) {
      const expected = {
        totalCount: 2,
        nodes: expect.arrayContaining(mine.map(({ id }) => ({ id }))),
        pageInfo: { hasNextPage: false, hasPreviousPage: false },
      };
      expect((await list(author, words)).body).toEqual({ data: { assetRepairs: expected } });
      expect((await all(author, words)).body).toEqual({ data: { search: expected } });
      expect((await all(author, words, ['ASSET_REPAIR'])).body).toEqual({ data: { search: expected } });
      const none = { totalCount: 0, nodes: [], pageInfo: { hasNextPage: false, hasPreviousPage: false } };
      expect((await list(other, words)).body).toEqual({ data: { assetRepairs: none } });
      expect((await all(other, words)).body).toEqual({ data: { search: none } });
      expect((await list(gateway, words)).body.data.assetRepairs.totalCount).toBe(6);
    }
    expect((await all(gateway, 'lathe')).body.data.search.totalCount).toBe(7);
  });

  test('a type with a hidden text, of its own or of its lines, is not searched', async () => {
    const gateway = await startRuled(database, { SEARCH: 'true' });
    await repairOf(gateway, 'ACME', { description: 'oil' });
    await gateway.rest('POST', '/api/stock/serial-no', { serial_no: 'oil-1', item_code: 'OIL', company: 'A' });
    for (const [role, field] of [
      ['reader', 'actionsPerformed'],
      ['liner', 'consumedItems.serialNo'],
    ] as const) {
      const caller = await gateway.caller(role);
      for (const answer of [await list(caller, 'oil'), await all(caller, 'oil', ['ASSET_REPAIR'])]) {
        expect(errorsOf(answer)[0]).toMatch(/^FORBIDDEN /);
        expect(answer.body.errors[0].message).toContain(`\`${field}\` of AssetRepair is hidden from you`);
      }
      expect((await list(caller, '')).body.data.assetRepairs.totalCount).toBe(1);
      const { body } = await all(caller, 'oil');
      expect(body.data.search.nodes.map(({ id }: { id: string }) => id.split('_')[0])).toEqual(['serial-no']);
    }
  });
});
