/** Webhooks are created, changed, listed and deleted by GraphQL: the scopes, and the refusals. */
import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepJournal } from '../../../src/change/journal/keep-journal.js';
import { Current } from '../../../src/common/kept.js';
import { replayWebhook } from '../../../src/features/webhooks/deliveries.js';
import { updateWebhook } from '../../../src/features/webhooks/manage-webhooks.js';
import { heldPosition } from '../../../src/features/webhooks/serve-webhooks.js';
import { noGrants } from '../../../src/gateway/access/grants.js';
import { callerWith, errorsOf } from '../../access/keys.js';
import { ask, refusal } from '../../graphql/ask.js';
import { databaseInTurn, freshFolder } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { schema } from '../../support/schema.js';
import { createWebhook, webhookNamed, webhookSettings } from './deliverer.js';

const url = 'https://hooks.example.com/secret-token-in-the-path';
const create =
  'mutation ($input: CreateWebhookInput!) { made: createWebhook(input: $input) { secret publicKey webhook { id } } }';

describe.each(databaseInTurn(import.meta.filename))('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database, env: webhookSettings });
  });
  afterAll(() => gateway.close());

  const refused = (input: object, caller: Pick<TestGateway, 'graphql'> = gateway) =>
    refusal(caller, create, { input: { name: 'a test', url, ...input } });

  test('the schema is not asked for where nothing is selected: a command would build it', async () => {
    const { webhook } = await createWebhook(gateway, { url });
    const { config, database, journal } = gateway;
    const unasked = () => {
      throw new Error('The schema was asked for');
    };
    const host = {
      ...{ config, database, journal },
      grants: Current.of(noGrants),
      get schema() {
        return unasked();
      },
      get admission() {
        return unasked();
      },
    };
    const maker = { keyId: 'environment', scopes: ['*'] };
    const update = { enabled: false, url: `${url}/elsewhere` };
    expect(await updateWebhook({ database, host, maker }, webhook.id, update)).toMatchObject({ url: update.url });
  });

  test('the secret of a webhook is shown once, and never again', async () => {
    const { secret, publicKey, webhook } = await createWebhook(gateway, {
      url,
      types: ['ASSET_REPAIR', 'ASSET_REPAIR'],
      actions: ['SUBMIT'],
    });
    expect(webhook).toEqual({
      id: expect.stringMatching(/^wh_[0-9a-z]{12}$/),
      url,
      types: ['ASSET_REPAIR'],
      actions: ['SUBMIT'],
      selection: null,
      keyId: 'environment',
      state: 'ACTIVE',
      position: expect.stringMatching(/^\d+$/),
    });
    expect([secret, publicKey]).toEqual([
      expect.stringMatching(/^whsec_[\w+/]{43}=$/),
      expect.stringMatching(/^whpk_[\w+/]{43}=$/),
    ]);
    const row = await gateway.database.client.webhook.findUniqueOrThrow({ where: { id: webhook.id } });
    const stored = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const lines = gateway.logLines.join('');
    for (const part of [
      secret.slice(6),
      Buffer.from(secret.slice(6), 'base64').toString('hex'),
      webhookSettings.WEBHOOK_KEY,
    ]) {
      expect(stored).not.toContain(part);
      expect(lines).not.toContain(part);
    }
    expect(lines).not.toContain('secret-token');
    expect(lines).toContain(webhook.id);
  });

  test('a repetition with the same Idempotency-Key creates one webhook and returns the same secret', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const variables = { input: { name: 'once', url } };
    const first = await gateway.graphql(create, variables, headers);
    expect((await gateway.graphql(create, variables, headers)).text).toBe(first.text);
    expect(await gateway.database.client.webhook.count({ where: { name: 'once' } })).toBe(1);
  });

  test('only a key with the scope may manage them, and `*` does not include it', async () => {
    const { webhook } = await createWebhook(gateway, { url });
    const id = `id: "${webhook.id}"`;
    const fields = [
      '{ webhooks { nodes { id } } }',
      `{ webhookAttempts(${id}) { nodes { messageId } } }`,
      `mutation { createWebhook(input: { name: "n", url: "${url}" }) { secret } }`,
      `mutation { updateWebhook(${id}, input: { enabled: false }) { webhook { id } } }`,
      `mutation { deleteWebhook(${id}) { webhook { id } } }`,
      `mutation { rotateWebhookSecret(${id}) { secret } }`,
      `mutation { replayWebhook(${id}, after: "0") { webhook { id } } }`,
      `mutation { redeliverWebhookMessage(${id}, messageId: "m") { message { messageId } } }`,
      `mutation { testWebhook(${id}) { message { messageId } } }`,
    ];
    const caller = await callerWith(gateway, '*', 'admin');
    for (const query of fields) {
      expect(errorsOf(await caller.graphql(query)), query).toEqual([expect.stringMatching(/^FORBIDDEN /)]);
    }
    expect((await webhookNamed(gateway, webhook.id)).state).toBe('ACTIVE');
  });

  test.each([
    [{ types: ['QUOTATION'] }, ['crm:read']],
    [{ types: ['ASSET_REPAIR', 'QUOTATION', 'UOM_CATEGORY'] }, ['crm:read', 'stock:read']],
    [{ selection: '{ id ... on Quotation { status } }' }, ['crm:read']],
    [{ types: ['ASSET_REPAIR'], selection: '{ consumedItems { serialNoRecord { company } } }' }, ['stock:read']],
    [
      {
        types: ['ASSET_REPAIR'],
        selection: '{ consumedItemsConnection(where: { serialNoRecord: { company: { eq: "x" } } }) { totalCount } }',
      },
      ['stock:read'],
    ],
  ])('a key may have nothing told that it may not read: %j', async (input, missingScopes) => {
    const caller = await callerWith(gateway, 'webhooks', 'assets:read');
    expect((await refused(input, caller)).extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes });
    const { webhook } = await createWebhook(caller, { url, types: ['ASSET_REPAIR'] });
    const update =
      'mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { webhook { id } } }';
    expect((await refusal(caller, update, { id: webhook.id, input })).extensions.code).toBe('FORBIDDEN');
  });

  test.each([
    [{ url: 'http://hooks.example.com/' }, 'input.url', /https/],
    [{ url: 'https://localhost/' }, 'input.url', /private network/],
    [{ url: 'https://169.254.169.254/' }, 'input.url', /WEBHOOK_ALLOW/],
    [{ name: '' }, 'input.name', /1 to 100 characters/],
    [{ selection: '' }, 'input.selection', /cannot be parsed/],
    [{ selection: 'asset' }, 'input.selection', /cannot be parsed/],
    [{ selection: '{ asset }' }, 'input.selection', /Cannot query field/],
    [{ types: ['ASSET_REPAIR'], selection: '{ nothing }' }, 'input.selection', /Cannot query field/],
    [{ types: ['ASSET_REPAIR'], selection: '{ asset } }' }, 'input.selection', /cannot be parsed/],
    [{ types: ['ASSET_REPAIR'], selection: '{ asset } { asset }' }, 'input.selection', /one selection/],
    [{ types: ['ASSET_REPAIR'], selection: 'query { asset }' }, 'input.selection', /one selection/],
    [{ types: ['ASSET_REPAIR'], selection: '{ ...F } fragment F on AssetRepair { asset }' }, 'input.selection', /one/],
    [{ types: ['ASSET_REPAIR'], selection: 'mutation { asset }' }, 'input.selection', /one selection/],
    [{ types: ['ASSET_REPAIR'], selection: '{ consumedItems(limit: $n) { id } }' }, 'input.selection', /not defined/],
    [
      {
        types: ['ASSET_REPAIR'],
        selection: `{ ${Array.from({ length: 60 }, (_, index) => `a${index}: consumedItems(limit: 1000) { id idx itemCode }`).join(' ')} }`,
      },
      'input.selection',
      /too complex/,
    ],
    [{ types: ['ASSET_REPAIR'], selection: '{ asset # \u001b[31m\n }' }, 'input.selection', /control characters/],
    [{ selection: `{ id ${' '.repeat(10_000)} }` }, 'input.selection', /10000 characters/],
  ])('is refused: %j', async (input, param, message) => {
    const before = await gateway.database.client.webhook.count();
    const { extensions } = await refused(input);
    expect(extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ param, message: expect.stringMatching(message) }],
    });
    expect(await gateway.database.client.webhook.count()).toBe(before);
  });

  test('changing its name or enabling it gives a webhook no other scopes; changing what it gets does', async () => {
    const caller = await callerWith(gateway, 'webhooks', 'stock:read');
    const { webhook } = await createWebhook(caller, { url });
    const update =
      'mutation ($id: ID!, $input: UpdateWebhookInput!) { made: updateWebhook(id: $id, input: $input) { webhook { keyId } } }';
    for (const input of [{ name: 'another' }, { enabled: false }, { enabled: true }]) {
      expect((await ask(gateway, update, { id: webhook.id, input })).made.webhook.keyId).toBe(caller.id);
    }
    const { made } = await ask(gateway, update, { id: webhook.id, input: { types: ['UOM_CATEGORY'] } });
    expect(made.webhook.keyId).toBe('environment');
  });

  test('of two changes at once none takes back the other', async () => {
    const { webhook } = await createWebhook(gateway, { url });
    const update =
      'mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { webhook { id } } }';
    const inputs = [{ name: 'another' }, { url: 'https://other.example.com/' }, { actions: ['SUBMIT'] }];
    const answers = await Promise.all(inputs.map((input) => gateway.graphql(update, { id: webhook.id, input })));
    const done = inputs.filter((_, index) => !answers[index]?.body.errors);
    expect(done.length).toBeGreaterThan(0);
    const row = await gateway.database.client.webhook.findUniqueOrThrow({ where: { id: webhook.id } });
    expect({ ...row, actions: row.actions.toUpperCase().split(' ') }).toMatchObject(Object.assign({}, ...done));
  });

  test('there are never more than a hundred, also if many make one at the same time', async () => {
    const { client } = gateway.database;
    const { webhook } = await createWebhook(gateway, { url });
    const row = await client.webhook.findUniqueOrThrow({ where: { id: webhook.id } });
    const more = 97 - (await client.webhook.count());
    const ids = Array.from({ length: more }, (_, index) => `wh_filling${index}`);
    await client.webhook.createMany({ data: ids.map((id) => ({ ...row, id })) });
    await Promise.allSettled(Array.from({ length: 12 }, () => createWebhook(gateway, { url })));
    expect(await client.webhook.count()).toBe(100);
    await client.webhook.deleteMany();
  });

  test('the journal is kept for webhooks that are enabled, and for no others', async () => {
    const { client } = gateway.database;
    await client.webhook.deleteMany();
    expect(await gateway.database.perform(heldPosition)).toBeUndefined();
    const { webhook } = await createWebhook(gateway, { url });
    const other = await createWebhook(gateway, { url });
    await client.webhook.update({ where: { id: webhook.id }, data: { position: 40 } });
    await client.webhook.update({ where: { id: other.webhook.id }, data: { position: 50 } });
    expect(await gateway.database.perform(heldPosition)).toBe(40);
    await client.webhookDelivery.create({
      data: { id: 'm', webhookId: webhook.id, position: 7, document: 'd', attempts: 1, nextAttemptAt: new Date() },
    });
    expect(await gateway.database.perform(heldPosition)).toBe(6);
    await ask(
      gateway,
      'mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: false }) { webhook { state } } }',
      {
        id: webhook.id,
      },
    );
    expect(await gateway.database.perform(heldPosition)).toBe(50);
  });

  test('a replay keeps what it begins with from a sweep that is under way, or is refused', async () => {
    const { webhook } = await createWebhook(gateway, { url, types: ['INDUSTRY_TYPE'] });
    const { last } = await gateway.journal.continuationOf(0);
    await ask(gateway, 'mutation { createIndustryType(input: { industry: "mining" }) { record { id } } }');
    const { last: made } = await gateway.journal.continuationOf(0);
    await gateway.database.client.webhook.update({ where: { id: webhook.id }, data: { position: made } });
    const { journal, config } = gateway;
    journal.hold(heldPosition);
    const fromRequest = () => {
      throw new Error('A replay admits nothing');
    };
    const own = { database: gateway.database, grants: Current.of(noGrants) };
    const host = { ...own, journal, config, schema, admission: { fromRequest } };
    let sweeping: Promise<unknown> | undefined;
    const replayed = gateway.database.transaction(async (tx) => {
      await replayWebhook(
        {
          database: { ...gateway.database, transaction: (work) => work(tx) },
          host,
          maker: { keyId: '', scopes: [] },
        },
        webhook.id,
        last,
      );
      sweeping = sweepJournal(gateway.database, journal, 1, { now: Date.now() + 10 * 24 * 60 * 60 * 1000 });
      await sleep(500);
    });
    await replayed;
    await sweeping;
    expect((await journal.read(last, 1)).entries.map(({ position }) => position)).toEqual([made]);
  });

  test('an empty list is refused, and null stands for all', async () => {
    const { webhook } = await createWebhook(gateway, { url, types: ['INDUSTRY_TYPE'], actions: ['CREATE'] });
    const update =
      'mutation ($id: ID!, $input: UpdateWebhookInput!) { made: updateWebhook(id: $id, input: $input) { webhook { types actions } } }';
    for (const name of ['types', 'actions']) {
      expect((await refused({ [name]: [] })).extensions.errors).toMatchObject([{ param: `input.${name}` }]);
      const { extensions } = await refusal(gateway, update, { id: webhook.id, input: { [name]: [] } });
      expect(extensions.errors).toMatchObject([{ param: `input.${name}`, message: expect.stringMatching(/is empty/) }]);
    }
    expect((await webhookNamed(gateway, webhook.id)).types).toEqual(['INDUSTRY_TYPE']);
    const { made } = await ask(gateway, update, { id: webhook.id, input: { types: null, actions: null } });
    expect(made.webhook).toEqual({ types: [], actions: [] });
  });

  test('there are a hundred at most', async () => {
    const { client } = gateway.database;
    await client.webhook.deleteMany();
    for (let count = 0; count < 100; count++) await createWebhook(gateway, { url });
    expect((await refused({})).extensions.errors[0].message).toMatch(/one too many: there are 100 webhooks/);
    await client.webhook.deleteMany();
  });

  test('what is unknown, or gone from the journal, is refused', async () => {
    const { webhook } = await createWebhook(gateway, { url });
    const replay = 'mutation ($id: ID!, $after: String!) { replayWebhook(id: $id, after: $after) { webhook { id } } }';
    for (const after of ['-1', '1.5', '9000000000000000', 'x', '']) {
      expect((await refusal(gateway, replay, { id: webhook.id, after })).extensions.errors[0].param).toBe('after');
    }
    expect((await refusal(gateway, replay, { id: 'wh_000000000000', after: '0' })).extensions.code).toBe('NOT_FOUND');
    const again =
      'mutation ($id: ID!, $m: ID!) { redeliverWebhookMessage(id: $id, messageId: $m) { message { messageId } } }';
    for (const m of [
      'x',
      `msg_${webhook.id}_0`,
      `msg_${webhook.id}_999999`,
      `msg_wh_000000000000_1`,
      `msg_${webhook.id}_1; DROP`,
    ]) {
      expect((await refusal(gateway, again, { id: webhook.id, m })).extensions.errors[0].param).toBe('messageId');
    }
    // A change that the webhook does not get has no message to redeliver.
    await ask(gateway, 'mutation { createIndustryType(input: { industry: "mills" }) { record { id } } }');
    const { last } = await gateway.journal.continuationOf(0);
    const m = `msg_${webhook.id}_${last}`;
    await ask(
      gateway,
      'mutation ($id: ID!, $types: [RecordType!]) { updateWebhook(id: $id, input: { types: $types }) { webhook { id } } }',
      {
        id: webhook.id,
        types: ['ASSET_REPAIR'],
      },
    );
    expect((await refusal(gateway, again, { id: webhook.id, m })).extensions.errors[0].param).toBe('messageId');
    const rotate = 'mutation ($id: ID!, $n: Int!) { rotateWebhookSecret(id: $id, overlapSeconds: $n) { secret } }';
    for (const n of [-1, 604_801]) {
      expect((await refusal(gateway, rotate, { id: webhook.id, n })).extensions.errors[0].param).toBe('overlapSeconds');
    }
    await ask(gateway, 'mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: false }) { webhook { id } } }', {
      id: webhook.id,
    });
    const test = 'mutation ($id: ID!) { testWebhook(id: $id) { message { messageId } } }';
    expect((await refusal(gateway, test, { id: webhook.id })).message).toMatch(/disabled/);
  });
});

test.each([
  [{}, /WEBHOOK_KEY/],
  [{ ...webhookSettings, JOURNAL: 'false' }, /JOURNAL/],
])('without a key or a journal there are no webhooks, and the error says what to set: %j', async (env, message) => {
  const gateway = await startGateway({ env });
  try {
    const { extensions, message: said } = await refusal(gateway, create, { input: { name: 'n', url } });
    expect([extensions.reason, said]).toEqual(['webhooks_off', expect.stringMatching(message)]);
  } finally {
    await gateway.close();
  }
});

test('where operations must be trusted, a selection must be too', async () => {
  const query = 'query ($id: ID!) { record: node(id: $id) { ... on AssetRepair {\n  asset\n} } }';
  const file = join(freshFolder(), 'documents.json');
  const documents = [create, query];
  const entries = documents.map((text) => [createHash('sha256').update(text).digest('hex'), text]);
  writeFileSync(file, JSON.stringify(Object.fromEntries(entries)));
  const gateway = await startGateway({ env: { ...webhookSettings, TRUSTED_DOCUMENTS: file } });
  try {
    const input = { name: 'n', url, types: ['ASSET_REPAIR'] };
    const { message } = await refusal(gateway, create, { input: { ...input, selection: '{ status }' } });
    expect(message).toMatch(/not among the trusted documents/);
    await ask(gateway, create, { input: { ...input, selection: '{ asset }' } });
  } finally {
    await gateway.close();
  }
});
