/** `explainAccess` says why, for the example of the docs: the caller itself, others, and what is hidden. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { callerOf, errorsOf } from '../keys.js';
import { rolesFile, technician } from '../roles.js';
import { explainQuery } from './explain-query.js';

const ACME = '{"company":"ACME"}';
const ofCompany = '{"company":{"eq":"$claims.company"}}';
const readRule = `{"AssetRepair":{"read":${ofCompany}}}`;
const updateRule = `{"AssetRepair":{"read":${ofCompany},"update":${ofCompany}}}`;
const viewer = { scopes: ['assets:read'], types: { AssetRepair: { read: { status: { ne: 'DRAFT' } } } } };

const problemsOf = async ({ graphql }: Pick<TestGateway, 'graphql'>, variables: object) =>
  (await graphql(explainQuery, { ...variables })).body.errors[0].extensions.errors.map(
    ({ message }: { message: string }) => message,
  );

describe.each(['sqlite', 'postgresql'] as const)('on %s', (database) => {
  async function start() {
    const gateway = await startGateway({ database, env: { ROLES: rolesFile({ technician, viewer }) } });
    onTestFinished(gateway.close);
    const create = async (company: string) => {
      const input = {
        asset: 'LATHE',
        failureDate: '2026-11-20',
        company,
        consumedItems: [{ itemCode: 'OIL', warehouse: 'W', consumedQuantity: '1' }],
      };
      const mutation =
        'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id consumedItems { id } } } }';
      return (await gateway.graphql(mutation, { input })).body.data.createAssetRepair.record;
    };
    const callerIn = async (roles: string[], claims = ACME) =>
      callerOf(gateway, (await createKey(gateway.database, { name: 'x', roles, claims })).secret);
    const explain = async (caller: Pick<typeof gateway, 'graphql'>, variables: object) => {
      const { body } = await caller.graphql(explainQuery, { type: 'ASSET_REPAIR', ...variables });
      expect(body.errors).toBeUndefined();
      return body.data.explainAccess;
    };
    return { gateway, own: await create('ACME'), other: await create('Umbrella'), callerIn, explain };
  }

  test('to the caller: each role with its rule, before and after, and the comparison that failed', async () => {
    const { own, callerIn, explain } = await start();
    const caller = await callerIn(['technician', 'viewer']);
    const change = (company: string) => ({ id: own.id, action: 'UPDATE', input: JSON.stringify({ company }) });
    const other = { role: 'viewer', rule: '{"AssetRepair":{"read":{"status":{"ne":"DRAFT"}}}}' };
    const ofTechnician = { role: 'technician', rule: updateRule, before: true };
    expect(await explain(caller, change('ACME'))).toEqual({
      allowed: true,
      reason: null,
      missingScopes: [],
      rules: [
        { ...ofTechnician, after: true, failed: [] },
        { ...other, before: false, after: false, failed: ['it does not name update'] },
      ],
    });
    expect(await explain(caller, change('Umbrella'))).toEqual({
      allowed: false,
      reason: 'Your roles do not allow you to update this Asset Repair as it is, or as it would become.',
      missingScopes: [],
      rules: [
        { ...ofTechnician, after: false, failed: ['company eq "ACME": it would be "Umbrella"'] },
        { ...other, before: false, after: false, failed: ['it does not name update'] },
      ],
    });
    expect((await explain(caller, { id: own.id, action: 'READ' })).rules).toEqual([
      { role: 'technician', rule: readRule, before: true, after: null, failed: [] },
      { ...other, before: false, after: null, failed: ['status ne "DRAFT": it is "DRAFT"'] },
    ]);
  });

  test('a hidden record is explained to the caller as one that there is not, and its lines too', async () => {
    const { own, other, callerIn, explain } = await start();
    const caller = await callerIn(['technician']);
    for (const action of ['READ', 'UPDATE', 'SUBMIT', 'CANCEL', 'DELETE']) {
      const gone = `${own.id.slice(0, -3)}zzz`;
      const [hidden, missing] = await Promise.all([other.id, gone].map((id) => explain(caller, { id, action })));
      expect(JSON.parse(JSON.stringify(hidden).replaceAll(other.id, gone))).toEqual(missing);
      expect(hidden).toMatchObject({ allowed: false });
      if (action === 'SUBMIT' || action === 'CANCEL') continue;
      const type = 'ASSET_REPAIR_CONSUMED_ITEM';
      const lines = [other.consumedItems[0].id, `${own.consumedItems[0].id.slice(0, -3)}zzz`];
      const [hiddenLine, missingLine] = await Promise.all(lines.map((id) => explain(caller, { type, id, action })));
      expect(JSON.stringify(hiddenLine).replaceAll(lines[0], lines[1])).toEqual(JSON.stringify(missingLine));
    }
  });

  test('is weighed, because it decides all rules again: there are few in one operation', async () => {
    const { own, gateway } = await start();
    const several = Array.from(
      { length: 21 },
      (_, n) => `a${n}: explainAccess(type: ASSET_REPAIR, id: "${own.id}", action: READ) { allowed }`,
    );
    expect(errorsOf(await gateway.graphql(`{ ${several.slice(1, 19).join(' ')} }`))).toEqual([]);
    expect(errorsOf(await gateway.graphql(`{ ${several.join(' ')} }`))).toEqual(['QUERY_TOO_COMPLEX ']);
  });

  test('lines by their document, scopes, states, hidden fields and claims that are not there', async () => {
    const { gateway, own, callerIn, explain } = await start();
    const caller = await callerIn(['technician']);
    const line = { type: 'ASSET_REPAIR_CONSUMED_ITEM', id: own.consumedItems[0].id };
    expect(await explain(caller, { ...line, action: 'UPDATE' })).toMatchObject({
      allowed: true,
      rules: [{ rule: updateRule, before: true, after: null }],
    });
    expect(await explain(caller, { ...line, action: 'DELETE' })).toMatchObject({
      allowed: false,
      missingScopes: ['assets:delete'],
    });
    const parent = (id: string) => ({
      ...line,
      id: undefined,
      action: 'CREATE',
      input: JSON.stringify({ assetRepairId: id }),
    });
    expect(await explain(caller, parent(own.id))).toMatchObject({ allowed: true });
    expect(await explain(caller, parent('asset-repair_0'))).toMatchObject({ allowed: false });
    expect(await explain(caller, { id: own.id, action: 'CANCEL' })).toMatchObject({ missingScopes: ['assets:cancel'] });
    const hidden = { id: own.id, action: 'UPDATE', input: '{"repairCost": 4}' };
    expect((await explain(caller, hidden)).reason).toContain('`input.repairCost` is hidden from you');
    const nobody = await callerIn(['technician'], '{}');
    expect(await explain(nobody, { action: 'CREATE' })).toMatchObject({
      allowed: false,
      rules: [
        {
          rule: readRule,
          before: null,
          after: false,
          failed: ['it does not name create', '$claims.company is missing, empty or of another type'],
        },
      ],
    });
    expect((await explain(gateway, { id: own.id, action: 'CANCEL' })).reason).toContain('is draft');
    expect(await explain(gateway, { id: own.id, action: 'SUBMIT' })).toEqual({
      allowed: true,
      reason: null,
      missingScopes: [],
      rules: [],
    });
    const none = { type: 'SERIAL_NO', id: 'serial-no_1', action: 'SUBMIT' };
    expect(await problemsOf(gateway, none)).toEqual(['`action` is none of SerialNo.']);
    expect(await problemsOf(gateway, { type: 'ASSET_REPAIR', action: 'READ' })).toEqual([
      '`id` is required to explain this action.',
    ]);
  });

  test('to an administrator for others, who sees no more of the record than otherwise', async () => {
    const { gateway, own, other, callerIn, explain } = await start();
    const as = { roles: ['technician'], claims: '{"company":"ACME"}' };
    expect(await explain(gateway, { id: own.id, action: 'SUBMIT', as })).toMatchObject({ allowed: true });
    expect(await explain(gateway, { id: other.id, action: 'READ', as })).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('No Asset Repair has the id'),
      rules: [{ before: false, failed: ['company eq "ACME": it is "Umbrella"'] }],
    });
    const refused = await (await callerIn(['technician'])).graphql(explainQuery, {
      type: 'ASSET_REPAIR',
      action: 'READ',
      id: own.id,
      as,
    });
    expect(errorsOf(refused)).toEqual(['FORBIDDEN explainAccess']);
    const read = { type: 'ASSET_REPAIR', action: 'READ', id: own.id };
    expect(await problemsOf(gateway, { ...read, as: { roles: ['tecnician'], claims: '{' } })).toEqual([
      '`as.roles[0]` (`tecnician`) is no role; did you mean `technician`?',
      expect.stringContaining('`as.claims` is not valid JSON'),
    ]);
    expect(await problemsOf(gateway, { ...read, as: { roles: [], claims: '[]' } })).toEqual([
      '`as.claims` must be an object in JSON.',
    ]);
    expect(await problemsOf(gateway, { ...read, input: '{"asset": 1, "compny": "A", "status": "NEW"}' })).toEqual([
      '`input.asset` must be of the type String.',
      '`input.compny` is no field of AssetRepair; did you mean `company`?',
      '`input.status` must be of the type DocumentStatus.',
    ]);
  });

  test('what a document becomes by an action has to fulfil the rule too, and its `actions` say so', async () => {
    const gateway = await startGateway({
      database,
      env: {
        ROLES: rolesFile({
          drafter: {
            scopes: ['assets:read', 'assets:submit'],
            types: { AssetRepair: { read: true, submit: { status: { eq: 'DRAFT' } } } },
          },
        }),
      },
    });
    onTestFinished(gateway.close);
    const create = `mutation { createAssetRepair(input: { asset: "A", failureDate: "2026-11-20" }) { record { id } } }`;
    const { id } = (await gateway.graphql(create)).body.data.createAssetRepair.record;
    const { secret } = await createKey(gateway.database, { name: 'x', roles: ['drafter'] });
    const { graphql } = callerOf(gateway, secret);
    const explained = await graphql(explainQuery, { type: 'ASSET_REPAIR', id, action: 'SUBMIT' });
    expect(explained.body.data.explainAccess.allowed).toBe(false);
    const { body } = await graphql('query ($id: ID!) { assetRepair(id: $id) { actions { action allowed } } }', { id });
    expect(body.data.assetRepair.actions).toContainEqual({ action: 'SUBMIT', allowed: false });
    const submit = 'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } } }';
    expect(errorsOf(await graphql(submit, { id }))).toEqual(['FORBIDDEN submitAssetRepair']);
  });

  test('by one bounded statement', async () => {
    const { gateway, own, callerIn, explain } = await start();
    const caller = await callerIn(['technician']);
    await explain(caller, { id: own.id, action: 'UPDATE' });
    const before = gateway.statements.length;
    await explain(caller, { type: 'ASSET_REPAIR_CONSUMED_ITEM', id: own.consumedItems[0].id, action: 'UPDATE' });
    expect(gateway.statements.slice(before).filter((sql) => sql.includes('AssetRepair'))).toHaveLength(1);
  });
});
