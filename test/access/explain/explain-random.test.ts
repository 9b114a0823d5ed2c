/** What `explainAccess` allows happens, and what it does not is refused, for random roles, records and changes; `actions` say the same. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { startGateway } from '../../support/gateway.js';
import { serve } from '../../support/schema.js';
import { callerOf } from '../keys.js';
import { rolesFile } from '../roles.js';
import { explained } from './explain-query.js';

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

/** What is written by all in one operation, each to a record of its own: a request each would take three times as long. */
const createAsIs =
  'mutation ($input: CreateAssetRepairInput!) { done: createAssetRepair(input: $input) { record { id } } }';
const writeEach = `mutation ($UPDATE: ID!, $input: UpdateAssetRepairInput!, $SUBMIT: ID!, $CANCEL: ID!, $DELETE: ID!, $line: ID!) {
  UPDATE: updateAssetRepair(id: $UPDATE, input: $input) { record { id } }
  SUBMIT: submitAssetRepair(id: $SUBMIT) { record { id } }
  CANCEL: cancelAssetRepair(id: $CANCEL) { record { id } }
  DELETE: deleteAssetRepair(id: $DELETE) { deletedId }
  line: updateAssetRepairConsumedItem(id: $line, input: { warehouse: "V" }) { record { id } }
}`;
const writes = ['UPDATE', 'SUBMIT', 'CANCEL', 'DELETE'] as const;

const createFive = `mutation ($inputs: [CreateAssetRepairInput!]!) {
  made: createManyAssetRepairs(inputs: $inputs) { records { id consumedItems { id } } } }`;
const actOnAll = `mutation ($ids: [ID!]!, $action: RecordAction!) {
  acted: actOnManyAssetRepairs(ids: $ids, action: $action) { results { done } } }`;

const maySome = `viewer { ${['CREATE', ...writes].map((action) => `${action}: may(type: ASSET_REPAIR, action: ${action})`).join(' ')} }`;
const asked = (name: string, args: string, type = 'ASSET_REPAIR') =>
  `${name}: explainAccess(type: ${type}, ${args}) { ...all }`;
const explainCreate = `query ($input: String) { ${asked('created', 'action: CREATE, input: $input')} ${maySome} } ${explained}`;
const explainWrites = (as = '') =>
  writes.map((action) =>
    asked(`with${action}`, `id: $id, action: ${action}${action === 'UPDATE' ? ', input: $input' : ''}${as}`),
  );
const explainRecord = `query ($id: ID!, $line: ID!, $input: String) {
  ${asked('READ', 'id: $id, action: READ')} ${writes.map((action) => asked(action, `id: $id, action: ${action}`)).join(' ')}
  ${explainWrites().join(' ')}
  ${asked('line', 'id: $line, action: UPDATE', 'ASSET_REPAIR_CONSUMED_ITEM')} } ${explained}`;
const explainAs = `query ($id: ID!, $input: String, $as: ExplainedCallerInput) { ${explainWrites(', as: $as').join(' ')} } ${explained}`;

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
        async (roles, values, status, changed, isOwn) => {
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
          const answered = async (by: Pick<typeof gateway, 'graphql'>, query: string, variables: object) => {
            const { body } = await by.graphql(query, { ...variables });
            expect(body.errors).toBeUndefined();
            return body.data;
          };
          const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

          const { created, viewer: may } = await answered(caller, explainCreate, { input: JSON.stringify(values) });
          const isCreated = (await caller.graphql(createAsIs, { input: values })).body.data?.done != null;
          expect(isCreated, JSON.stringify(created)).toBe(created.allowed);

          const input = { ...values, consumedItems: [{ itemCode: 'O', warehouse: 'W', consumedQuantity: '1' }] };
          const { made } = await answered(gateway, createFive, { inputs: Array(5).fill(input) });
          const ids: string[] = made.records.map((each: { id: string }) => each.id);
          if (isOwn)
            await gateway.database.client.assetRepair.updateMany({
              where: { id: { in: ids } },
              data: { createdBy: `key:${apiKey.id}` },
            });
          const toStatus = { DRAFT: [], SUBMITTED: ['SUBMIT'], CANCELLED: ['SUBMIT', 'CANCEL'] }[status];
          for (const action of toStatus) {
            const { acted } = await answered(gateway, actOnAll, { ids, action });
            expect(acted.results).toEqual(ids.map(() => ({ done: true })));
          }
          const [id, ...others] = ids;
          const line = made.records[0].consumedItems[0].id;

          const { assetRepair } = await answered(
            caller,
            'query ($id: ID!) { assetRepair(id: $id) { actions { action allowed } } }',
            { id },
          );
          const change = JSON.stringify(changed);
          const said = await answered(caller, explainRecord, { id, line, input: change });
          expect(said.READ.allowed).toBe(assetRepair !== null);
          const actions: { action: string; allowed: boolean }[] = assetRepair?.actions ?? [];
          for (const { action, allowed } of actions) expect(said[action].allowed, action).toBe(allowed);
          // What it may with no record, it may not with this one.
          for (const { action, allowed } of [...actions, { action: 'CREATE', allowed: created.allowed }])
            if (allowed) expect(may[action], action).toBe(true);

          const as = { roles: names, claims: '{"company":"ACME"}', subject: `key:${apiKey.id}` };
          const saidOfAnother = await answered(gateway, explainAs, { id, input: change, as });
          const variables = Object.fromEntries(writes.map((action, place) => [action, others[place]]));
          const done = (await caller.graphql(writeEach, { ...variables, input: changed, line })).body.data;
          for (const action of writes) {
            const { allowed } = said[`with${action}`];
            note(`${action} ${allowed}`);
            expect(saidOfAnother[`with${action}`].allowed).toBe(allowed);
            expect(done[action] != null, `${action} ${JSON.stringify(said[`with${action}`])}`).toBe(allowed);
          }
          note(`line ${said.line.allowed}`);
          expect(done.line != null, JSON.stringify(said.line)).toBe(said.line.allowed);
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
