/** Rules as large as they may be together, which databases still take; larger ones are refused in words. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { callerOf, errorsOf } from './keys.js';
import { rolesFile } from './roles.js';

const anyOfMany = (field: string, count: number, prefix = '') => ({
  or: Array.from({ length: count }, (_, n) => ({ [field]: { eq: `${prefix}${n}` } })),
});
/** As deep as a file may be. */
const nested = (levels: number): object =>
  levels === 0 ? { asset: { eq: 'LATHE' } } : { and: [{ asset: { ne: `${levels}` } }, nested(levels - 1)] };

const role = (types: object) => ({ scopes: ['*'], types: { AssetRepair: types } });
const all = (rule: object) => role({ read: rule, create: true, update: rule, submit: rule, delete: rule });
const ofCompanies = all({ company: { in: '$claims.companies' } });
const roles: Record<string, object> = {
  ...{ one: all(anyOfMany('company', 50)), other: all(anyOfMany('company', 49, 'other')) },
  ...{ third: all(anyOfMany('company', 2, 'third')), nested: all(nested(20)) },
  reader: role({ read: anyOfMany('company', 100) }),
  changer: role({ update: anyOfMany('company', 100), submit: anyOfMany('asset', 99, 'LATHE'), delete: true }),
  ...{ companies: ofCompanies, again: ofCompanies },
};
const companies = Array.from({ length: 1000 }, (_, n) => `${n}`);

describe.each(providers.flatMap((database) => [true, false].map((compiled) => ({ database, compiled }))))(
  'on $database, compiled $compiled',
  ({ database, compiled }) => {
    let gateway: TestGateway;
    beforeAll(async () => {
      gateway = await startGateway({ database, compiled, env: { ROLES: rolesFile(roles) } });
    });
    afterAll(() => gateway.close());

    const callerWithRoles = async (...names: string[]) => {
      const claims = JSON.stringify({ companies });
      const { secret } = await createKey(gateway.database, { name: 'a test', roles: names, claims });
      return callerOf(gateway, secret);
    };

    /** A filter that follows lines and their documents, as far as requests may. */
    const followed = (hops: number): object =>
      hops === 0 ? { asset: { ne: 'x' } } : { consumedItems: { none: { assetRepair: followed(hops - 1) } } };

    test.each([
      ['two roles', ['one', 'other']],
      ['a role for each other’s records', ['reader', 'changer']],
      ['one that is nested', ['nested']],
      ['a list of a thousand values', ['companies']],
    ])('%s at their limits are read and written by', async (_, names) => {
      const { graphql, rest } = await callerWithRoles(...names);
      const asset = names.includes('changer') ? 'LATHE7' : 'LATHE';
      const values = { asset, failure_date: '2026-11-20', company: '7' };
      const { id } = (await gateway.rest('POST', '/api/assets/asset-repair', values)).body;
      const wide = { or: [anyOfMany('company', 40), followed(1)] };
      const list = 'query ($where: AssetRepairFilter) { assetRepairs(where: $where) { totalCount nodes { id } } }';
      const { body } = await graphql(list, { where: wide });
      expect(body.errors).toBeUndefined();
      expect(body.data.assetRepairs.nodes).toContainEqual({ id });
      const path = `/api/assets/asset-repair/${id}`;
      expect((await rest('PATCH', path, { company: '8' })).body).toMatchObject({ company: '8' });
      expect((await rest('PATCH', path, { status: 'submitted' })).body).toMatchObject({ status: 'submitted' });
      expect((await gateway.rest('PATCH', path, { status: 'cancelled' })).status).toBe(200);
      expect((await rest('DELETE', path)).status).toBe(200);
    });

    test.each([
      ['a role more', ['one', 'other', 'third'], 'AssetRepair.read are 101 comparisons together, and 100 are possible'],
      [
        'a list more',
        ['companies', 'again'],
        'AssetRepair.read compare with 2000 values together, and 1000 are possible',
      ],
    ])('with %s nothing is allowed, and it is said why', async (_, names, why) => {
      const { graphql, rest } = await callerWithRoles(...names);
      const { status, body } = await rest('GET', '/api/assets/asset-repair');
      expect(status).toBe(403);
      expect(body.error.message).toContain(`Your roles cannot be used: the rules for ${why}`);
      expect(errorsOf(await graphql('{ assetRepairs { totalCount } }'))).toEqual(['FORBIDDEN assetRepairs']);
    });
  },
);
