/** What `explainAccess` allows happens, and what it does not is refused, for random roles, records and changes; `actions` say the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { startGateway } from '../../support/gateway.js';
import { serve } from '../../support/schema.js';
import { callerOf } from '../keys.js';
import { rolesFile } from '../roles.js';
import { explainQuery } from './explain-query.js';

const companies = fc.constantFrom('ACME', 'Umbrella');
const assets = fc.constantFrom('LATHE', 'PRESS');
const comparison = fc.oneof(
  fc.constant({ company: { eq: '$claims.company' } }),
  fc.record({ company: fc.record({ ne: companies }) }),
  fc.record({ asset: fc.record({ in: fc.array(assets, { minLength: 1, maxLength: 2 }) }) }),
  fc.record({ project: fc.record({ isNull: fc.boolean() }) }),
  fc.record({ status: fc.record({ ne: fc.constantFrom('DRAFT', 'SUBMITTED') }) }),
  fc.constant({ createdBy: { eq: '$subject' } }),
);
const rule = fc.oneof(
  { weight: 3, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
  comparison,
  fc.record({ or: fc.array(comparison, { minLength: 1, maxLength: 2 }) }),
  fc.record({ not: comparison }),
);
const rules = fc.record({ read: rule, create: rule, update: rule, delete: rule, submit: rule, cancel: rule });
const role = fc.record({
  scopes: fc.constantFrom(['*'], ['*'], ['assets:read', 'assets:write', 'assets:submit']),
  rules,
});
const record = fc.record({
  asset: assets,
  failureDate: fc.constant('2026-11-20'),
  company: fc.option(companies),
  project: fc.option(fc.constant('P')),
});
const changes = fc.record(
  { company: companies, asset: assets, project: fc.constant('P') },
  { requiredKeys: ['company'] },
);
const statuses = fc.constantFrom('DRAFT', 'SUBMITTED', 'CANCELLED');

const writes: Record<string, string> = {
  CREATE: 'mutation ($input: CreateAssetRepairInput!) { done: createAssetRepair(input: $input) { record { id } } }',
  UPDATE:
    'mutation ($id: ID!, $input: UpdateAssetRepairInput!) { done: updateAssetRepair(id: $id, input: $input) { record { id } } }',
  SUBMIT: 'mutation ($id: ID!) { done: submitAssetRepair(id: $id) { record { id } } }',
  CANCEL: 'mutation ($id: ID!) { done: cancelAssetRepair(id: $id) { record { id } } }',
  DELETE: 'mutation ($id: ID!) { done: deleteAssetRepair(id: $id) { deletedId } }',
};
const ofLine =
  'mutation ($id: ID!) { done: updateAssetRepairConsumedItem(id: $id, input: { warehouse: "V" }) { record { id } } }';

test.each(['sqlite', 'postgresql'] as const)(
  'on %s',
  async (database) => {
    const ROLES = rolesFile({});
    const features = await serve({ ROLES });
    const gateway = await startGateway({ database, env: { ROLES, LOCK_SUBMITTED: 'true' }, features });
    const seen = new Map<string, number>();
    try {
      const property = fc.asyncProperty(
        fc.array(role, { minLength: 1, maxLength: 2 }),
        record,
        statuses,
        changes,
        fc.boolean(),
        async (roles, values, status, change, isOwn) => {
          const given = roles.map(({ scopes, rules: types }, index) => [
            `r${index}`,
            { scopes, types: { AssetRepair: scopes.length > 1 ? { ...types, delete: false, cancel: false } : types } },
          ]);
          rolesFile(Object.fromEntries(given), ROLES.replace(/\/[^/]*$/, ''));
          for (const { grants, reloads } of features) if (grants) reloads?.read(gateway.config, [])();
          const names = given.map(([name]) => String(name));
          const { secret, apiKey } = await createKey(gateway.database, {
            name: 'x',
            roles: names,
            claims: '{"company":"ACME"}',
          });
          const caller = callerOf(gateway, secret);
          const explain = async (variables: object, by: Pick<typeof gateway, 'graphql'> = caller) => {
            const { body } = await by.graphql(explainQuery, { type: 'ASSET_REPAIR', ...variables });
            expect(body.errors).toBeUndefined();
            return body.data.explainAccess;
          };
          const isDone = async (mutation: string, variables: object) =>
            (await caller.graphql(mutation, { ...variables })).body.data?.done != null;
          const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

          const created = await explain({ action: 'CREATE', input: JSON.stringify(values) });
          expect(await isDone(writes.CREATE ?? '', { input: values }), JSON.stringify(created)).toBe(created.allowed);
          const input = { ...values, consumedItems: [{ itemCode: 'O', warehouse: 'W', consumedQuantity: '1' }] };
          const fresh = async () => {
            const text =
              'mutation ($input: CreateAssetRepairInput!) { done: createAssetRepair(input: $input) { record { id consumedItems { id } } } }';
            const made = (await gateway.graphql(text, { input })).body.data.done.record;
            if (isOwn)
              await gateway.database.client.$executeRawUnsafe(
                `UPDATE "AssetRepair" SET "createdBy" = 'key:${apiKey.id}' WHERE "id" = '${made.id}'`,
              );
            if (status !== 'DRAFT') await gateway.graphql(writes.SUBMIT ?? '', { id: made.id });
            if (status === 'CANCELLED') await gateway.graphql(writes.CANCEL ?? '', { id: made.id });
            return made;
          };
          const { id, consumedItems } = await fresh();
          const read = await caller.graphql(
            'query ($id: ID!) { assetRepair(id: $id) { actions { action allowed } } }',
            { id },
          );
          const isSeen = read.body.data.assetRepair !== null;
          expect((await explain({ id, action: 'READ' })).allowed).toBe(isSeen);
          const actions: { action: string; allowed: boolean }[] = read.body.data.assetRepair?.actions ?? [];
          for (const { action, allowed } of actions)
            expect((await explain({ id, action })).allowed, action).toBe(allowed);
          const may = (
            await caller.graphql(
              `{ viewer { ${['CREATE', 'UPDATE', 'SUBMIT', 'CANCEL', 'DELETE'].map((action) => `${action}: may(type: ASSET_REPAIR, action: ${action})`).join(' ')} } }`,
            )
          ).body.data.viewer;
          // What it may with no record, it may not with this one.
          for (const { action, allowed } of [...actions, { action: 'CREATE', allowed: created.allowed }])
            if (allowed) expect(may[action], action).toBe(true);
          const as = { roles: names, claims: '{"company":"ACME"}', subject: `key:${apiKey.id}` };
          for (const action of ['UPDATE', 'SUBMIT', 'CANCEL', 'DELETE']) {
            const one = action === 'UPDATE' ? { id, input: change } : { id };
            const asked = { id, action, input: action === 'UPDATE' ? JSON.stringify(change) : undefined };
            const said = await explain(asked);
            note(`${action} ${said.allowed}`);
            expect((await explain({ ...asked, as }, gateway)).allowed).toBe(said.allowed);
            const other = await fresh();
            expect(
              await isDone(writes[action] ?? '', { ...one, id: other.id }),
              `${action} ${JSON.stringify(said)}`,
            ).toBe(said.allowed);
          }
          const line = consumedItems[0].id;
          const said = await explain({ type: 'ASSET_REPAIR_CONSUMED_ITEM', id: line, action: 'UPDATE' });
          note(`line ${said.allowed}`);
          expect(await isDone(ofLine, { id: line }), JSON.stringify(said)).toBe(said.allowed);
        },
      );
      await fc.assert(property, { numRuns: 60 });
      for (const each of ['UPDATE', 'SUBMIT', 'CANCEL', 'DELETE', 'line'])
        for (const outcome of [true, false])
          expect(seen.get(`${each} ${outcome}`), `${each} ${outcome}`).toBeGreaterThan(3);
    } finally {
      await gateway.close();
    }
  },
  180_000,
);
