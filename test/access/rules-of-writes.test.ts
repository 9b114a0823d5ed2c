/** What roles allow to write, and what the refusals say: of hidden records as of none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type Caller, callerOf, errorsOf } from './keys.js';
import { rolesFile } from './roles.js';

const ofCompany = { company: { eq: '$claims.company' } };
const own = { createdBy: { eq: '$subject' } };
const scopes = ['read', 'write', 'submit', 'cancel', 'delete'].map((verb) => `assets:${verb}`);
const roles = {
  mechanic: {
    scopes,
    types: {
      AssetRepair: {
        read: ofCompany,
        create: { and: [ofCompany, { repairStatus: { eq: 'Pending' } }] },
        update: { and: [ofCompany, { repairStatus: { ne: 'Completed' } }] },
        delete: own,
      },
    },
    hide: { AssetRepair: ['actionsPerformed'] },
  },
  cashier: {
    scopes: ['accounts:read', 'accounts:write'],
    types: { SalesInvoicePayment: { read: true, update: { modeOfPayment: { eq: 'Cash' } } } },
  },
  author: { scopes: ['stock:read', 'stock:write'], types: { SerialNo: { read: own, create: own, update: own } } },
};

describe.each([
  ['sqlite', true],
  ['sqlite', false],
  ['postgresql', true],
  ['postgresql', false],
] as const)('on %s, compiled %s', (database, compiled) => {
  let gateway: TestGateway;
  let mechanic: Omit<Caller, 'id'>;
  let cashier: Omit<Caller, 'id'>;
  let author: Caller;
  let other: Omit<Caller, 'id'>;

  beforeAll(async () => {
    gateway = await startGateway({ database, compiled, env: { ROLES: rolesFile(roles) } });
    const keyOf = async (role: string) => {
      const claims = '{"company":"ACME"}';
      const { apiKey, secret } = await createKey(gateway.database, { name: role, roles: [role], claims });
      return { id: apiKey.id, ...callerOf(gateway, secret) };
    };
    mechanic = await keyOf('mechanic');
    cashier = await keyOf('cashier');
    author = await keyOf('author');
    other = await keyOf('author');
  });
  afterAll(() => gateway.close());

  const creating =
    'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id version company actionsPerformed } } }';
  const updating = `mutation ($id: ID!, $input: UpdateAssetRepairInput!, $version: Int) {
    updateAssetRepair(id: $id, input: $input, expectedVersion: $version) { record { version company repairStatus } userErrors { code } } }`;

  async function repair(input: object = {}): Promise<string> {
    const given = { asset: 'LATHE', failureDate: '2026-11-20', company: 'ACME', ...input };
    const { body } = await gateway.graphql(creating, { input: given });
    return body.data.createAssetRepair.record.id;
  }

  test('a new record has to be such as the caller may see and create', async () => {
    const input = { asset: 'LATHE', failureDate: '2026-11-20', company: 'ACME' };
    const made = await mechanic.graphql(creating, { input });
    expect(made.body.data.createAssetRepair.record).toMatchObject({ company: 'ACME', actionsPerformed: null });
    for (const wrong of [{ company: 'Umbrella' }, { company: null }, { repairStatus: 'Completed' }]) {
      const refused = await mechanic.graphql(creating, { input: { ...input, ...wrong } });
      expect(errorsOf(refused)).toEqual(['FORBIDDEN createAssetRepair']);
    }
    const rest = await mechanic.rest('POST', '/api/assets/asset-repair', {
      asset: 'LATHE',
      failure_date: '2026-11-20',
      company: 'Umbrella',
    });
    expect(rest.status).toBe(403);
    expect(rest.body.error.message).toBe('Your roles do not allow you to create such a record of Asset Repair.');
  });

  test('an update has to be allowed of the record as it is and as it becomes', async () => {
    const id = await repair();
    const update = async (input: object, version?: number) => mechanic.graphql(updating, { id, input, version });
    expect((await update({ asset: 'PRESS' })).body.data.updateAssetRepair.record.version).toBe(2);
    expect(errorsOf(await update({ company: 'Umbrella' }))).toEqual(['FORBIDDEN updateAssetRepair']);
    expect((await update({ repairStatus: 'Completed' })).body.errors[0].message).toBe(
      'Your roles do not allow you to update this Asset Repair as it is, or as it would become.',
    );
    expect((await update({ asset: 'LATHE' }, 1)).body.data.updateAssetRepair.userErrors).toEqual([
      { code: 'VERSION_CONFLICT' },
    ]);
    await gateway.graphql(updating, { id, input: { repairStatus: 'Completed' } });
    // Also where nothing would change.
    expect(errorsOf(await update({ repairStatus: 'Completed' }))).toEqual(['FORBIDDEN updateAssetRepair']);
    expect(errorsOf(await update({ repairStatus: 'Pending' }))).toEqual(['FORBIDDEN updateAssetRepair']);
    await gateway.graphql(updating, { id, input: { company: 'Umbrella' } });
    expect((await update({ asset: 'LATHE' }, 1)).body.data.updateAssetRepair.userErrors).toEqual([
      { code: 'RESOURCE_MISSING' },
    ]);
  });

  test('a save that changes nothing has to be allowed, too, and so has a new order of lines', async () => {
    const lines = [1, 2].map(() => ({ itemCode: 'GEAR', warehouse: 'main' }));
    const id = await repair({ repairStatus: 'Completed', consumedItems: lines });
    const save = 'mutation ($id: ID!) { saveAssetRepair(id: $id, input: { asset: "LATHE" }) { record { version } } }';
    expect(errorsOf(await mechanic.graphql(save, { id }))).toEqual(['FORBIDDEN saveAssetRepair']);
    const reorder =
      'mutation ($id: ID!) { reorderAssetRepairConsumedItems(parentId: $id) { records { id } userErrors { code } } }';
    expect(errorsOf(await mechanic.graphql(reorder, { id }))).toEqual(['FORBIDDEN reorderAssetRepairConsumedItems']);
  });

  test('an action that no role names is refused, and a hidden record is missing for it', async () => {
    const submit = 'mutation ($id: ID!) { submitAssetRepair(id: $id) { record { id } userErrors { code } } }';
    expect(errorsOf(await mechanic.graphql(submit, { id: await repair() }))).toEqual(['FORBIDDEN submitAssetRepair']);
    const hidden = await mechanic.graphql(submit, { id: await repair({ company: 'Umbrella' }) });
    expect(hidden.body.data.submitAssetRepair.userErrors).toEqual([{ code: 'RESOURCE_MISSING' }]);
    const id = await repair();
    // To change the state is to submit.
    expect(errorsOf(await mechanic.graphql(updating, { id, input: { status: 'SUBMITTED' } }))).toEqual([
      'FORBIDDEN updateAssetRepair',
    ]);
  });

  test('a hidden field takes null as not sent, and no value', async () => {
    const id = await repair({ actionsPerformed: 'oiled' });
    const sent = await mechanic.rest('PATCH', `/api/assets/asset-repair/${id}`, {
      asset: 'DRILL',
      actions_performed: null,
    });
    expect([sent.status, sent.body.actions_performed, sent.body.asset]).toEqual([200, null, 'DRILL']);
    const value = await mechanic.graphql(updating, { id, input: { actionsPerformed: 'x' } });
    expect(value.body.errors[0].message).toBe(
      '`input.actionsPerformed` is hidden from you, so you cannot write it. Leave it out, or send null as you have read it.',
    );
    expect((await gateway.rest('GET', `/api/assets/asset-repair/${id}`)).body.actions_performed).toBe('oiled');
    const ordered = await mechanic.graphql('{ assetRepairs(orderBy: [{ field: ACTIONS_PERFORMED }]) { totalCount } }');
    expect(ordered.body.errors[0].message).toBe(
      '`actionsPerformed` of AssetRepair is hidden from you, so nothing can be filtered or ordered by it.',
    );
  });

  test('a repetition that cannot be read any more is looked up in the name of the caller', async () => {
    const { status, body } = await mechanic.graphql('mutation { gone }', {}, { 'idempotency-key': 'one' });
    expect([status, body.errors[0].extensions.code]).toEqual([200, 'GRAPHQL_VALIDATION_FAILED']);
    const made = await mechanic.rest(
      'POST',
      '/api/assets/asset-repair',
      { asset: 'LATHE', failure_date: '2026-11-20', company: 'ACME' },
      { 'idempotency-key': 'another' },
    );
    expect(made.status).toBe(201);
  });

  test('of many, a hidden record is missing, one that may not be changed is refused, and a filter finds what is seen', async () => {
    const assetName = `many ${Math.random()}`;
    const ids = [
      await repair({ assetName }),
      await repair({ assetName, company: 'Umbrella' }),
      await repair({ assetName, repairStatus: 'Completed' }),
      await repair({ assetName, actionsPerformed: 'oiled' }),
    ];
    const act = `mutation ($ids: [ID!], $where: AssetRepairFilter, $action: RecordAction!, $input: UpdateAssetRepairInput, $after: ID) {
      actOnManyAssetRepairs(ids: $ids, where: $where, action: $action, input: $input, after: $after) {
        matching moreAfter results { recordId done version userErrors { code message } } } }`;
    const shown = async (variables: object) => {
      const { body, text } = await mechanic.graphql(act, { ...variables });
      if (body.errors) throw new Error(text);
      const { matching, moreAfter, results } = body.data.actOnManyAssetRepairs;
      const of = (result: { recordId: string; version: number | null; userErrors: { code: string }[] }) =>
        `${ids.indexOf(result.recordId)} ${result.userErrors.map(({ code }) => code)} ${result.version}`;
      return { matching, moreAfter, results: results.map(of) };
    };
    const input = { asset: 'PRESS', actionsPerformed: null };
    expect(await shown({ ids, action: 'UPDATE', input })).toEqual({
      ...{ matching: 3, moreAfter: null },
      results: ['0  2', '1 RESOURCE_MISSING null', '2 FORBIDDEN null', '3  2'],
    });
    const where = { assetName: { eq: assetName } };
    expect(await shown({ where, action: 'UPDATE', input: { company: 'Umbrella' } })).toEqual({
      ...{ matching: 3, moreAfter: null },
      results: ['0 FORBIDDEN null', '2 FORBIDDEN null', '3 FORBIDDEN null'],
    });
    expect((await shown({ where, action: 'SUBMIT' })).results).toEqual(
      ['0', '2', '3'].map((n) => `${n} FORBIDDEN null`),
    );
    // Its own are none of these.
    expect((await shown({ where, action: 'DELETE' })).results).toEqual(
      ['0', '2', '3'].map((n) => `${n} FORBIDDEN null`),
    );
    const unknown = 'asset-repair_01hzzzzzzzzzzzzzzzzzzzzzzz';
    const messages = await mechanic.graphql(act, { ids: [ids[1], unknown], action: 'DELETE' });
    const [hidden, none] = messages.body.data.actOnManyAssetRepairs.results
      .toSorted((one: { recordId: string }) => (one.recordId === ids[1] ? -1 : 1))
      .map(({ recordId, ...result }: { recordId: string }) => JSON.stringify(result).replace(recordId, 'it'));
    expect(hidden).toBe(none);
    for (const wrong of [
      { ids, action: 'UPDATE', input: { actionsPerformed: 'x' } },
      { where: { actionsPerformed: { eq: 'oiled' } }, action: 'SUBMIT' },
    ]) {
      expect(errorsOf(await mechanic.graphql(act, wrong))).toEqual(['FORBIDDEN actOnManyAssetRepairs']);
    }
    const { body } = await gateway.graphql(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on AssetRepair { version } } }',
      { ids },
    );
    expect(body.data.nodes.map(({ version }: { version: number }) => version)).toEqual([2, 1, 1, 2]);
  });

  test('lines follow their document', async () => {
    const line = { itemCode: 'GEAR', warehouse: 'main' };
    const [seen, completed, hidden] = [
      await repair({ consumedItems: [line] }),
      await repair({ consumedItems: [line], repairStatus: 'Completed' }),
      await repair({ consumedItems: [line], company: 'Umbrella' }),
    ];
    const create =
      'mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { idx } userErrors { code } } }';
    const into = async (assetRepairId: string) => mechanic.graphql(create, { input: { assetRepairId, ...line } });
    expect((await into(seen)).body.data.createAssetRepairConsumedItem.record).toEqual({ idx: 2 });
    expect(errorsOf(await into(completed))).toEqual(['FORBIDDEN createAssetRepairConsumedItem']);
    const missing = (await into(hidden)).body.data.createAssetRepairConsumedItem.userErrors;
    expect(missing).toEqual(
      (await into('asset-repair_01hzzzzzzzzzzzzzzzzzzzzzzz')).body.data.createAssetRepairConsumedItem.userErrors,
    );
    const lineOf = async (id: string) =>
      (await gateway.graphql('query ($id: ID!) { assetRepair(id: $id) { consumedItems { id } } }', { id })).body.data
        .assetRepair.consumedItems[0].id;
    const update =
      'mutation ($id: ID!, $input: UpdateAssetRepairConsumedItemInput!) { updateAssetRepairConsumedItem(id: $id, input: $input) { record { itemCode } userErrors { code } } }';
    const change = async (of: string, input: object = { itemCode: 'OIL' }) =>
      mechanic.graphql(update, { id: await lineOf(of), input });
    expect((await change(seen)).body.data.updateAssetRepairConsumedItem.record).toEqual({ itemCode: 'OIL' });
    expect(errorsOf(await change(completed))).toEqual(['FORBIDDEN updateAssetRepairConsumedItem']);
    // Also where what is asked can be done with no line.
    for (const input of [undefined, { assetRepairId: seen }]) {
      const { userErrors } = (await change(hidden, input)).body.data.updateAssetRepairConsumedItem;
      expect(userErrors).toEqual([{ code: 'RESOURCE_MISSING' }]);
    }
  });

  test('lines whose document is not held here have rules of their own', async () => {
    const create =
      'mutation ($input: CreateSalesInvoicePaymentInput!) { createSalesInvoicePayment(input: $input) { record { id } userErrors { code } } }';
    const make = async (modeOfPayment: string) => {
      const input = { parentId: 'sinv-7', parentType: 'Sales Invoice', modeOfPayment };
      return (await gateway.graphql(create, { input })).body.data.createSalesInvoicePayment.record.id;
    };
    const [cash, wire] = [await make('Cash'), await make('Wire')];
    const update = `mutation ($id: ID!, $input: UpdateSalesInvoicePaymentInput!) {
      updateSalesInvoicePayment(id: $id, input: $input) { record { amount } userErrors { code } } }`;
    const change = (id: string, input: object) => cashier.graphql(update, { id, input });
    expect((await change(cash, { amount: 7 })).body.data.updateSalesInvoicePayment.record).toEqual({ amount: 7 });
    expect(errorsOf(await change(wire, { amount: 7 }))).toEqual(['FORBIDDEN updateSalesInvoicePayment']);
    // Also where nothing would change, and into what the rule does not allow.
    expect(errorsOf(await change(wire, { amount: 0 }))).toEqual(['FORBIDDEN updateSalesInvoicePayment']);
    expect(errorsOf(await change(cash, { modeOfPayment: 'Wire' }))).toEqual(['FORBIDDEN updateSalesInvoicePayment']);
    expect(
      errorsOf(await cashier.graphql(create, { input: { parentId: 'x', parentType: 'y', modeOfPayment: 'Cash' } })),
    ).toEqual(['FORBIDDEN createSalesInvoicePayment']);
  });

  test('a rule names the caller', async () => {
    const create =
      'mutation ($input: CreateSerialNoInput!) { createSerialNo(input: $input) { record { id createdBy } } }';
    const made = await author.graphql(create, { input: { serialNo: 'X', itemCode: 'GEAR', company: 'ACME' } });
    const { id, createdBy } = made.body.data.createSerialNo.record;
    expect(createdBy).toBe(`key:${author.id}`);
    const read = 'query ($id: ID!) { serialNo(id: $id) { serialNo } }';
    expect((await author.graphql(read, { id })).body.data.serialNo).toEqual({ serialNo: 'X' });
    expect((await other.graphql(read, { id })).body.data.serialNo).toBeNull();
    const update =
      'mutation ($id: ID!) { updateSerialNo(id: $id, input: { status: "Active" }) { record { status } userErrors { code } } }';
    expect((await author.graphql(update, { id })).body.data.updateSerialNo.record).toEqual({ status: 'Active' });
    expect((await other.graphql(update, { id })).body.data.updateSerialNo.userErrors).toEqual([
      { code: 'RESOURCE_MISSING' },
    ]);
  });

  test('what can be done with a record is told by the rules', async () => {
    const id = await repair({ repairStatus: 'Completed' });
    const { body } = await mechanic.graphql(
      'query ($id: ID!) { assetRepair(id: $id) { actions { action allowed reason } } }',
      { id },
    );
    expect(body.data.assetRepair.actions).toEqual([
      { action: 'UPDATE', allowed: false, reason: 'Your roles do not allow it with this record.' },
      { action: 'SUBMIT', allowed: false, reason: 'Your roles do not allow it with this record.' },
      { action: 'CANCEL', allowed: false, reason: 'It is a draft; only what is submitted can be cancelled.' },
      { action: 'DELETE', allowed: false, reason: 'Your roles do not allow it with this record.' },
    ]);
  });
});

describe.each([
  ['sqlite', true],
  ['sqlite', false],
  ['postgresql', true],
  ['postgresql', false],
] as const)('what an attacker found on %s, compiled %s', (database, compiled) => {
  let gateway: TestGateway;
  let caller: Omit<Caller, 'id'>;
  beforeAll(async () => {
    const ruled = { read: ofCompany, create: ofCompany, update: true };
    const clerk = { scopes: ['*'], types: { AssetRepair: ruled }, hide: { AssetRepair: ['repairCost'] } };
    const auditor = { scopes: ['assets:read'], types: { AssetRepair: { read: true } } };
    gateway = await startGateway({ database, compiled, env: { ROLES: rolesFile({ clerk, auditor }) } });
    const claims = '{"company":"ACME"}';
    const { secret } = await createKey(gateway.database, { name: 'both', roles: ['clerk', 'auditor'], claims });
    caller = callerOf(gateway, secret);
  });
  afterAll(() => gateway.close());

  test('a hidden singleton is null, and not found by REST', async () => {
    const { body } = await caller.graphql('{ currencyExchangeSettings { id } subscriptionSettings { id } }');
    expect(body).toEqual({ data: { currencyExchangeSettings: null, subscriptionSettings: null } });
    expect((await caller.rest('GET', '/api/accounts/subscription-settings')).status).toBe(404);
  });

  test('a new record shows no hidden default, which nobody has sent', async () => {
    const [asked, given] = [
      '$input: CreateAssetRepairInput!',
      { asset: 'A', failureDate: '2026-11-20', company: 'ACME' },
    ];
    for (const selected of ['id repairCost', 'id repairCost displayTitle actions { action }']) {
      const query = `mutation (${asked}) { createAssetRepair(input: $input) { record { ${selected} } } }`;
      expect((await caller.graphql(query, { input: given })).body.data.createAssetRepair.record.repairCost).toBeNull();
    }
    const literal =
      'mutation { createAssetRepair(input: { asset: "A", failureDate: "2026-11-20", company: "ACME" }) { record { repairCost } } }';
    expect((await caller.graphql(literal)).body.data.createAssetRepair.record).toEqual({ repairCost: null });
    const input = { asset: 'A', failure_date: '2026-11-20', company: 'ACME' };
    const repeated: Record<string, string>[] = [{}, { 'idempotency-key': 'a' }];
    for (const headers of repeated) {
      const made = await caller.rest('POST', '/api/assets/asset-repair', input, headers);
      expect([made.status, made.body.repair_cost]).toEqual([201, null]);
      const sentBack = { asset: 'B', repair_cost: made.body.repair_cost };
      const changed = await caller.rest('PATCH', `/api/assets/asset-repair/${made.body.id}`, sentBack);
      expect([changed.status, changed.body.asset]).toEqual([200, 'B']);
    }
  });

  test('who may read everything by another role still changes only what the role shows that lets it', async () => {
    const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    const of = async (company: string) => {
      const input = { asset: 'A', failureDate: '2026-11-20', company };
      return (await gateway.graphql(create, { input })).body.data.createAssetRepair.record.id;
    };
    const update =
      'mutation ($id: ID!, $input: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { company asset } } }';
    const [own, other] = [await of('ACME'), await of('Umbrella')];
    expect(
      (await caller.graphql(update, { id: own, input: { asset: 'B' } })).body.data.updateAssetRepair.record.asset,
    ).toBe('B');
    for (const [id, input] of [
      [other, { asset: 'B' }],
      [own, { company: 'Umbrella' }],
    ] as const) {
      expect(errorsOf(await caller.graphql(update, { id, input }))).toEqual(['FORBIDDEN updateAssetRepair']);
    }
    const input = { asset: 'A', failureDate: '2026-11-20', company: 'Umbrella' };
    expect(errorsOf(await caller.graphql(create, { input }))).toEqual(['FORBIDDEN createAssetRepair']);
  });
});
