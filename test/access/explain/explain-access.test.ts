/** `explainAccess` says why, for the example of the docs: the caller itself, others, and what is hidden. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createKey, type GivenClaim } from '../../../src/features/keys/api-keys.js';
import { startGateway } from '../../support/gateway.js';
import { callerOf, errorsOf } from '../keys.js';
import { rolesFile, technician } from '../roles.js';
import { explainQuery } from './explain-query.js';

const ofCompany = '{"company":{"eq":"$claims.company"}}';
const ACME = [{ name: 'company', value: 'ACME' }];
const holds = { holds: true, failed: [] };
const fails = (found: string | null) => ({
  holds: false,
  failed: [{ field: 'company', operator: 'eq', asked: '"ACME"', found: JSON.stringify(found) }],
});
const viewer = { scopes: ['assets:read'], types: { AssetRepair: { read: { status: { ne: 'DRAFT' } } } } };

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
    const callerIn = async (roles: string[], claims: GivenClaim[] = ACME) =>
      callerOf(gateway, (await createKey(gateway.database, { name: 'x', roles, claims })).secret);
    const explain = async (caller: Pick<typeof gateway, 'graphql'>, variables: object) => {
      const { body } = await caller.graphql(explainQuery, { type: 'ASSET_REPAIR', ...variables });
      expect(body.errors).toBeUndefined();
      return body.data.explainAccess;
    };
    return { gateway, own: await create('ACME'), other: await create('Umbrella'), callerIn, explain };
  }

  const rule = { role: 'technician', type: 'ASSET_REPAIR', rule: ofCompany, unusable: [] };

  test('to the caller: each role with its rule, before and after, and the comparison that failed', async () => {
    const { own, callerIn, explain } = await start();
    const caller = await callerIn(['technician', 'viewer']);
    const change = (value: string) => ({ id: own.id, action: 'UPDATE', input: [{ name: 'company', value }] });
    const draft = { holds: false, failed: [{ field: 'status', operator: 'ne', asked: '"DRAFT"', found: '"DRAFT"' }] };
    const rulesWith = (after: object) => [
      { ...rule, action: 'READ', before: holds, after },
      { ...rule, role: 'viewer', action: 'READ', rule: '{"status":{"ne":"DRAFT"}}', before: draft, after: draft },
      { ...rule, action: 'UPDATE', before: holds, after },
      {
        ...rule,
        role: 'viewer',
        action: 'UPDATE',
        rule: null,
        before: { holds: false, failed: [] },
        after: { holds: false, failed: [] },
      },
    ];
    expect(await explain(caller, change('ACME'))).toEqual({
      allowed: true,
      reason: null,
      missingScopes: [],
      rules: rulesWith(holds),
    });
    expect(await explain(caller, change('Umbrella'))).toEqual({
      allowed: false,
      reason: 'Your roles do not allow you to update this Asset Repair as it is, or as it would become.',
      missingScopes: [],
      rules: rulesWith(fails('Umbrella')),
    });
  });

  test('a hidden record is explained to the caller as one that there is not, and its lines too', async () => {
    const { own, other, callerIn, explain } = await start();
    const caller = await callerIn(['technician']);
    for (const action of ['READ', 'UPDATE', 'SUBMIT', 'CANCEL', 'DELETE']) {
      const gone = `${own.id.slice(0, -3)}zzz`;
      const [hidden, missing] = await Promise.all([other.id, gone].map((id) => explain(caller, { id, action })));
      expect(JSON.parse(JSON.stringify(hidden).replaceAll(other.id, gone))).toEqual(missing);
      expect(hidden).toMatchObject({ allowed: false });
      const type = 'ASSET_REPAIR_CONSUMED_ITEM';
      const lines = [other.consumedItems[0].id, `${own.consumedItems[0].id.slice(0, -3)}zzz`];
      const [hiddenLine, missingLine] = await Promise.all(lines.map((id) => explain(caller, { type, id, action })));
      expect(JSON.stringify(hiddenLine).replaceAll(lines[0], lines[1])).toEqual(JSON.stringify(missingLine));
    }
  });

  test('lines by their document, scopes, states, hidden fields and claims that are not there', async () => {
    const { gateway, own, callerIn, explain } = await start();
    const caller = await callerIn(['technician']);
    const line = { type: 'ASSET_REPAIR_CONSUMED_ITEM', id: own.consumedItems[0].id };
    expect(await explain(caller, { ...line, action: 'UPDATE' })).toMatchObject({
      allowed: true,
      rules: [
        { type: 'ASSET_REPAIR', action: 'READ' },
        { type: 'ASSET_REPAIR', action: 'UPDATE' },
      ],
    });
    expect(await explain(caller, { ...line, action: 'DELETE' })).toMatchObject({
      allowed: false,
      missingScopes: ['assets:delete'],
    });
    const parent = (id: string) => ({
      ...line,
      id: undefined,
      action: 'CREATE',
      input: [{ name: 'assetRepairId', value: id }],
    });
    expect(await explain(caller, parent(own.id))).toMatchObject({ allowed: true });
    expect(await explain(caller, parent('asset-repair_0'))).toMatchObject({ allowed: false });
    expect(await explain(caller, { id: own.id, action: 'CANCEL' })).toMatchObject({ missingScopes: ['assets:cancel'] });
    const hidden = { id: own.id, action: 'UPDATE', input: [{ name: 'repairCost', value: '4' }] };
    expect((await explain(caller, hidden)).reason).toContain('`input.repairCost` is hidden from you');
    const nobody = await callerIn(['technician'], []);
    expect(await explain(nobody, { action: 'CREATE' })).toMatchObject({
      allowed: false,
      rules: [
        { action: 'READ', unusable: ['claims.company'], before: null, after: { holds: false } },
        { action: 'CREATE', rule: null, unusable: [] },
      ],
    });
    expect((await explain(gateway, { id: own.id, action: 'CANCEL' })).reason).toContain('is draft');
    expect(await explain(gateway, { id: own.id, action: 'SUBMIT' })).toEqual({
      allowed: true,
      reason: null,
      missingScopes: [],
      rules: [],
    });
    expect((await explain(gateway, { type: 'SERIAL_NO', id: 'serial-no_1', action: 'SUBMIT' })).reason).toBe(
      'There is no action submit of a Serial No.',
    );
  });

  test('to an administrator for others, who sees no more of the record than otherwise', async () => {
    const { gateway, own, other, callerIn, explain } = await start();
    const as = { roles: ['technician'], claims: ACME };
    expect(await explain(gateway, { id: own.id, action: 'SUBMIT', as })).toMatchObject({ allowed: true });
    expect(await explain(gateway, { id: other.id, action: 'READ', as })).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('No Asset Repair has the id'),
      rules: [{ before: fails('Umbrella') }],
    });
    const refused = await (await callerIn(['technician'])).graphql(explainQuery, {
      type: 'ASSET_REPAIR',
      action: 'READ',
      id: own.id,
      as,
    });
    expect(errorsOf(refused)).toEqual(['FORBIDDEN explainAccess']);
    const wrong = {
      type: 'ASSET_REPAIR',
      action: 'READ',
      id: own.id,
      as: { roles: ['tecnician'], claims: [{ name: 'a', value: '[' }] },
    };
    expect(
      (await gateway.graphql(explainQuery, wrong)).body.errors[0].extensions.errors.map(
        ({ message }: { message: string }) => message,
      ),
    ).toEqual([
      '`as.roles[0]` names no role of this gateway; did you mean `technician`?',
      expect.stringContaining('is not valid JSON'),
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
