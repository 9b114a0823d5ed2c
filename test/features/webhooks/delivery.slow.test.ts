/** The delivery of changes to webhooks: contents, order, repetition after failures, and scopes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { WebhookDeliverer } from '../../../src/features/webhooks/delivery/webhook-deliverer.js';
import { callerWith } from '../../access/keys.js';
import { ask } from '../../graphql/ask.js';
import { databaseInTurn } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { attemptsOf, createWebhook, startDeliverer, until, webhookNamed, webhookSettings } from './deliverer.js';
import { type Received, type Receiver, startReceiver } from './receiver.js';

describe.each(databaseInTurn(import.meta.filename))('on %s', (database) => {
  let gateway: TestGateway;
  let deliverer: WebhookDeliverer;
  beforeAll(async () => {
    gateway = await startGateway({ database, env: webhookSettings });
    deliverer = startDeliverer(gateway);
  });
  afterAll(async () => {
    await deliverer.stop();
    await gateway.close();
  });

  const webhookTo = async (receiver: Receiver, input: object = {}, caller: Pick<TestGateway, 'graphql'> = gateway) => {
    const made = await createWebhook(caller, { url: receiver.url, ...input });
    onTestFinished(async () => {
      await gateway.graphql('mutation ($id: ID!) { deleteWebhook(id: $id) { webhook { id } } }', {
        id: made.webhook.id,
      });
    });
    return made;
  };
  const newRepair = async (asset = 'lathe'): Promise<string> => {
    const body = { asset, failure_date: '2026-01-31' };
    return (await gateway.rest('POST', '/api/assets/asset-repair', body)).body.id;
  };
  const change = (id: string, body: object) => gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, body);
  const newLine = async (repair: string): Promise<string> => {
    const body = { asset_repair_id: repair, item_code: 'BELT', warehouse: 'Stores' };
    return (await gateway.rest('POST', '/api/assets/asset-repair-consumed-item', body)).body.id;
  };
  const bodies = (receiver: Receiver) => receiver.received.map(({ text }) => JSON.parse(text));
  const message = (receiver: Receiver, index: number): Received => {
    const one = receiver.received[index];
    if (!one) throw new Error(`There is no message ${index}`);
    return one;
  };
  const verified = (secret: string, { headers, text }: Received) => {
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = headers;
    return new Webhook(secret).verify(text, {
      'webhook-id': String(id),
      'webhook-timestamp': String(time),
      'webhook-signature': String(signature),
    });
  };
  const got = (receiver: Receiver, count: number) =>
    until(`${count} messages, not ${receiver.received.length}`, () => receiver.received.length >= count);

  test('a change is sent as a signed message without the record', async () => {
    const receiver = await startReceiver();
    const { webhook, secret } = await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    const id = await newRepair();
    await got(receiver, 1);
    const { headers, text } = message(receiver, 0);
    expect(verified(secret, message(receiver, 0))).toEqual({
      type: 'AssetRepair.create',
      timestamp: expect.stringMatching(/^20\d\d-.*Z$/),
      data: {
        position: expect.any(Number),
        type: 'AssetRepair',
        id,
        action: 'create',
        version: 1,
        document: { type: 'AssetRepair', id },
      },
    });
    expect(headers['webhook-id']).toBe(`msg_${webhook.id}_${JSON.parse(text).data.position}`);
    await until('the log', async () => (await attemptsOf(gateway, webhook.id)).length === 1);
    expect(await attemptsOf(gateway, webhook.id)).toEqual([
      {
        messageId: headers['webhook-id'],
        position: `${JSON.parse(text).data.position}`,
        status: 204,
        failure: null,
        milliseconds: expect.any(Number),
      },
    ]);
    await until(
      'its position',
      async () => Number((await webhookNamed(gateway, webhook.id)).position) >= JSON.parse(text).data.position,
    );
  });

  test('changes of the listed types and actions are sent, with lines, and nothing else', async () => {
    const [named, actions] = [await startReceiver(), await startReceiver()];
    await webhookTo(named, { types: ['ASSET_REPAIR'] });
    await webhookTo(actions, { actions: ['SUBMIT', 'DELETE'] });
    const id = await newRepair();
    const line = await newLine(id);
    await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'Mass' });
    await gateway.rest('POST', `/api/assets/asset-repair/${id}/submit`);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    await got(actions, 3);
    await got(named, 6);
    const told = (receiver: Receiver) => bodies(receiver).map(({ type, data }) => `${type} ${data.id}`);
    const deletes = [`AssetRepair.delete ${id}`, `AssetRepairConsumedItem.delete ${line}`];
    const all = told(named);
    expect(all[0]).toBe(`AssetRepair.create ${id}`);
    // A new line raises the version of its document.
    const ofLine = [`AssetRepair.update ${id}`, `AssetRepairConsumedItem.create ${line}`];
    expect(all.slice(1, 3).sort()).toEqual(ofLine.sort());
    expect(all[3]).toBe(`AssetRepair.submit ${id}`);
    expect(all.slice(4).sort()).toEqual(deletes.sort());
    expect(told(actions).sort()).toEqual([...deletes, `AssetRepair.submit ${id}`].sort());
    for (const { data } of bodies(named)) expect(data.document).toEqual({ type: 'AssetRepair', id });
  });

  test('a selection adds the record, for a line its document, for a deleted record nothing', async () => {
    const receiver = await startReceiver();
    const selection = '{ asset consumedItems(limit: 5) { itemCode } }';
    await webhookTo(receiver, { types: ['ASSET_REPAIR'], selection });
    const id = await newRepair('mill');
    await got(receiver, 1);
    await newLine(id);
    await got(receiver, 3);
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    await got(receiver, 5);
    const withLine = { asset: 'mill', consumedItems: [{ itemCode: 'BELT' }] };
    expect(bodies(receiver).map(({ data }) => data.record)).toEqual([
      { asset: 'mill', consumedItems: [] },
      withLine,
      withLine,
      null,
      null,
    ]);
  });

  test('a selection of several types is on Node', async () => {
    const receiver = await startReceiver();
    const selection = '{ __typename ... on AssetRepair { asset } ... on UOMCategory { categoryName } }';
    await webhookTo(receiver, { types: ['ASSET_REPAIR', 'UOM_CATEGORY'], selection });
    await newRepair('saw');
    await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'Länge' });
    await got(receiver, 2);
    expect(
      bodies(receiver)
        .map(({ data }) => data.record)
        .sort((one, other) => (one.__typename < other.__typename ? -1 : 1)),
    ).toEqual([
      { __typename: 'AssetRepair', asset: 'saw' },
      { __typename: 'UOMCategory', categoryName: 'Länge' },
    ]);
  });

  test('a record that is too large for a message is left out with an error, and the change is sent', async () => {
    const receiver = await startReceiver();
    await webhookTo(receiver, { types: ['ASSET_REPAIR'], selection: '{ description }' });
    const body = { asset: 'x', failure_date: '2026-01-31', description: 'x'.repeat(300_000) };
    const { body: made } = await gateway.rest('POST', '/api/assets/asset-repair', body);
    await got(receiver, 1);
    const [{ data }] = bodies(receiver);
    expect([data.id, data.record, data.error.code]).toEqual([made.id, null, 'QUERY_TOO_COMPLEX']);
  });

  test('no webhook gets what its key may not read, then or later', async () => {
    const receiver = await startReceiver();
    const caller = await callerWith(gateway, 'webhooks', 'stock:read');
    await webhookTo(receiver, { selection: '{ id ... on UOMCategory { categoryName } }' }, caller);
    await newRepair();
    await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'Area' });
    await newRepair();
    await got(receiver, 1);
    await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'Time' });
    await got(receiver, 2);
    expect(bodies(receiver).map(({ data }) => data.record.categoryName)).toEqual(['Area', 'Time']);
  });

  test('it ends with its key, unless that is rotated', async () => {
    const receiver = await startReceiver();
    const caller = await callerWith(gateway, 'webhooks', 'stock:read');
    const { webhook } = await webhookTo(receiver, {}, caller);
    const rotate = 'mutation ($id: ID!) { made: rotateApiKey(id: $id, overlapSeconds: 0) { apiKey { id } } }';
    const { made } = await ask(gateway, rotate, { id: caller.id });
    expect((await webhookNamed(gateway, webhook.id)).keyId).toBe(made.apiKey.id);
    await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'Area' });
    await got(receiver, 1);
    await ask(gateway, 'mutation ($id: ID!) { revokeApiKey(id: $id) { apiKey { id } } }', { id: made.apiKey.id });
    await until('it is disabled', async () => (await webhookNamed(gateway, webhook.id)).state === 'DISABLED');
    expect((await webhookNamed(gateway, webhook.id)).disabledReason).toBe('KEY_ENDED');
    await gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'Secret' });
    await sleep(300);
    expect(receiver.received).toHaveLength(1);
  });

  test('the changes of a document come in order, and a document that fails keeps only itself waiting', async () => {
    const receiver = await startReceiver();
    const { webhook } = await webhookTo(receiver, { types: ['ASSET_REPAIR'], selection: '{ asset }' });
    const [bad, good] = [await newRepair('bad'), await newRepair('good')];
    await got(receiver, 2);
    let isBad = true;
    receiver.answer = ({ text }, response) => {
      response.writeHead(isBad && text.includes(bad) ? 500 : 200).end();
    };
    for (let count = 0; count < 5; count++) {
      await change(bad, { description: `bad ${count}` });
      await change(good, { description: `good ${count}` });
    }
    const positionsOf = (id: string) =>
      bodies(receiver).flatMap(({ data }) => (data.id === id && data.action === 'update' ? [data.position] : []));
    await until('all of the good', () => positionsOf(good).length === 5);
    expect(positionsOf(bad)).toHaveLength(1);
    await until('that it is failing', async () => (await webhookNamed(gateway, webhook.id)).failures === 0);
    isBad = false;
    // The first repetition comes after five seconds.
    await until('all of the bad', () => new Set(positionsOf(bad)).size === 5);
    for (const positions of [positionsOf(good), positionsOf(bad)]) {
      expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    }
    const repeated = receiver.received.filter(({ text }) => JSON.parse(text).data.position === positionsOf(bad)[0]);
    expect(repeated).toHaveLength(2);
    expect(new Set(repeated.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(repeated.map(({ headers }) => headers['webhook-signature'])).size).toBe(2);
    await until('nothing is kept', async () => (await gateway.database.client.webhookDelivery.count()) === 0);
  });

  test('a receiver that answers 410 gets no further messages', async () => {
    const receiver = await startReceiver((_, response) => void response.writeHead(410).end());
    const { webhook } = await webhookTo(receiver);
    await newRepair();
    await until('it is disabled', async () => (await webhookNamed(gateway, webhook.id)).disabledReason === 'GONE');
    await newRepair();
    await sleep(300);
    expect(receiver.received).toHaveLength(1);
  });

  test('a delivery that has failed for three days disables, and enabling attempts it at once', async () => {
    let status = 500;
    const receiver = await startReceiver((_, response) => void response.writeHead(status).end());
    const { webhook } = await webhookTo(receiver);
    await newRepair();
    const { webhookDelivery } = gateway.database.client;
    await until('it is kept', async () => (await webhookDelivery.count({ where: { webhookId: webhook.id } })) === 1);
    expect((await webhookNamed(gateway, webhook.id)).state).toBe('FAILING');
    // As if it had failed three days ago, and were due.
    await deliverer.stop();
    await webhookDelivery.updateMany({
      where: { webhookId: webhook.id },
      data: { firstFailedAt: new Date(Date.now() - 3 * 24 * 60 * 60 * 1000), nextAttemptAt: new Date() },
    });
    deliverer = startDeliverer(gateway);
    await until('it is disabled', async () => (await webhookNamed(gateway, webhook.id)).disabledReason === 'FAILING');
    expect(receiver.received).toHaveLength(2);
    status = 200;
    const enable = 'mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: true }) { webhook { state } } }';
    expect((await ask(gateway, enable, { id: webhook.id })).updateWebhook.webhook.state).toBe('ACTIVE');
    await got(receiver, 3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('a replay delivers everything after a position again, with the same ids', async () => {
    const receiver = await startReceiver();
    const { webhook } = await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    for (let count = 0; count < 4; count++) await newRepair();
    await got(receiver, 4);
    const after = bodies(receiver)[1].data.position;
    // Deliveries whose success is not stored yet would be repeated too.
    await until('it is noted', async () => Number((await webhookNamed(gateway, webhook.id)).position) > after);
    await ask(
      gateway,
      'mutation ($id: ID!, $after: String!) { replayWebhook(id: $id, after: $after) { webhook { position } } }',
      {
        id: webhook.id,
        after: String(after),
      },
    );
    await got(receiver, 6);
    const idsOf = (from: number, to: number) =>
      receiver.received.slice(from, to).map(({ headers }) => headers['webhook-id']);
    expect(idsOf(4, 6).sort()).toEqual(idsOf(2, 4).sort());
  });

  test('one message is delivered again, and a test is sent, when somebody asks for it', async () => {
    const receiver = await startReceiver();
    const { webhook, secret } = await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    await newRepair();
    await got(receiver, 1);
    const messageId = String(receiver.received[0]?.headers['webhook-id']);
    const again =
      'mutation ($id: ID!, $messageId: ID!) { redeliverWebhookMessage(id: $id, messageId: $messageId) { message { messageId } } }';
    await ask(gateway, again, { id: webhook.id, messageId });
    await got(receiver, 2);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(messageId);
    expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text);
    const { testWebhook } = await ask(
      gateway,
      'mutation ($id: ID!) { testWebhook(id: $id) { message { messageId } } }',
      {
        id: webhook.id,
      },
    );
    await got(receiver, 3);
    const last = message(receiver, 2);
    expect(last.headers['webhook-id']).toBe(testWebhook.message.messageId);
    expect(verified(secret, last)).toMatchObject({ type: 'test' });
    await until('nothing is kept', async () => (await gateway.database.client.webhookDelivery.count()) === 0);
  });

  test('a thousand requested messages that wait for one receiver do not delay those for another', async () => {
    const [silent, receiver] = [await startReceiver(() => {}), await startReceiver()];
    const [waiting, other] = [await webhookTo(silent), await webhookTo(receiver)];
    const long = new Date(Date.now() - 60_000);
    const data = Array.from({ length: 1_100 }, (_, index) => {
      const id = `msg_${waiting.webhook.id}_test_${index}`;
      return { id, webhookId: waiting.webhook.id, document: id, attempts: 0, nextAttemptAt: long, requestedAt: long };
    });
    await gateway.database.client.webhookDelivery.createMany({ data });
    // A process that begins to serve a webhook reads all waiting deliveries; later it looks for requested ones.
    await newRepair();
    await got(receiver, 1);
    await ask(gateway, 'mutation ($id: ID!) { testWebhook(id: $id) { message { messageId } } }', {
      id: other.webhook.id,
    });
    await got(receiver, 2);
    expect(bodies(receiver)[1]).toMatchObject({ type: 'test' });
  });

  test('a requested message that fails waits like any other, and is no longer tried first', async () => {
    const receiver = await startReceiver();
    const { webhook } = await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    await newRepair();
    await got(receiver, 1);
    receiver.answer = (_, response) => void response.writeHead(500).end();
    const messageId = String(receiver.received[0]?.headers['webhook-id']);
    const again =
      'mutation ($id: ID!, $messageId: ID!) { redeliverWebhookMessage(id: $id, messageId: $messageId) { message { messageId } } }';
    await ask(gateway, again, { id: webhook.id, messageId });
    const stored = () => gateway.database.client.webhookDelivery.findUnique({ where: { id: messageId } });
    await until('it has failed', async () => ((await stored())?.attempts ?? 0) > 0);
    expect(await stored()).toMatchObject({ attempts: 1, requestedAt: null });
    receiver.answer = (_, response) => void response.writeHead(204).end();
    await until('it is repeated', async () => (await stored()) === null);
  });

  test('while the secret is rotated both sign, afterwards the new one alone', async () => {
    const receiver = await startReceiver();
    const first = await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    const rotate =
      'mutation ($id: ID!, $n: Int!) { made: rotateWebhookSecret(id: $id, overlapSeconds: $n) { secret } }';
    const accepted = async (secrets: string[]) => {
      // The process that delivers notices a rotation within a second.
      await sleep(1500);
      const count = receiver.received.length;
      await newRepair();
      await got(receiver, count + 1);
      return secrets.map((secret) => {
        try {
          verified(secret, message(receiver, count));
          return true;
        } catch {
          return false;
        }
      });
    };
    const second = (await ask(gateway, rotate, { id: first.webhook.id, n: 3600 })).made;
    expect(await accepted([first.secret, second.secret])).toEqual([true, true]);
    const third = (await ask(gateway, rotate, { id: first.webhook.id, n: 0 })).made;
    expect(await accepted([first.secret, second.secret, third.secret])).toEqual([false, false, true]);
  });

  test('changes that the journal no longer holds are announced, never skipped', async () => {
    const receiver = await startReceiver();
    const { webhook } = await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    await newRepair();
    await got(receiver, 1);
    const enable =
      'mutation ($id: ID!, $on: Boolean!) { updateWebhook(id: $id, input: { enabled: $on }) { webhook { position } } }';
    await until(
      'its position',
      async () => Number((await webhookNamed(gateway, webhook.id)).position) > Number(webhook.position),
    );
    const { position } = (await ask(gateway, enable, { id: webhook.id, on: false })).updateWebhook.webhook;
    // The process that delivers notices it within a second.
    await sleep(1500);
    await newRepair();
    await newRepair();
    const { last } = await gateway.journal.continuationOf(0);
    // Like the deletion of old entries after JOURNAL_DAYS.
    const { client } = gateway.database;
    const column = database === 'sqlite' ? 'entry' : 'position';
    await client.$executeRawUnsafe(`DELETE FROM "JournalEntry" WHERE "${column}" <= ${last}`);
    await client.$executeRawUnsafe(`UPDATE "JournalState" SET "swept" = ${last}`);
    await ask(gateway, enable, { id: webhook.id, on: true });
    const id = await newRepair();
    await got(receiver, 3);
    const told = bodies(receiver).slice(1);
    expect(told.find(({ type }) => type === 'gap')?.data).toEqual({ after: Number(position), until: last });
    expect(told.find(({ type }) => type !== 'gap')?.data.id).toBe(id);
  });

  test('a process with another WEBHOOK_KEY sends nothing, and leaves it to others', async () => {
    const receiver = await startReceiver();
    const { webhook, secret } = await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    await deliverer.stop();
    const { config } = gateway;
    deliverer = startDeliverer({
      ...gateway,
      config: {
        ...config,
        texts: { ...config.texts, webhookKey: 'another-master-key-of-32-letters-or-more' },
      },
    });
    await newRepair();
    await sleep(2000);
    expect(receiver.received).toEqual([]);
    // Another process may have the right key, so nothing is disabled.
    expect((await webhookNamed(gateway, webhook.id)).state).toBe('ACTIVE');
    await deliverer.stop();
    deliverer = startDeliverer(gateway);
    await got(receiver, 1);
    expect(verified(secret, message(receiver, 0))).toMatchObject({ type: 'AssetRepair.create' });
    // If the key matches some webhooks, the others are disabled, and a rotation gives them another secret.
    const { webhook: fitting } = await webhookTo(await startReceiver(), { types: ['UOM_CATEGORY'] });
    await gateway.database.client.webhook.update({
      where: { id: webhook.id },
      data: { fingerprint: 'another', revision: { increment: 1 } },
    });
    const reason = async (id: string) => (await webhookNamed(gateway, id)).disabledReason;
    await until('it is disabled', async () => (await reason(webhook.id)) === 'SECRET_CHANGED');
    expect(await reason(fitting.id)).toBeNull();
    const rotate = 'mutation ($id: ID!) { made: rotateWebhookSecret(id: $id) { secret } }';
    const { made } = await ask(gateway, rotate, { id: webhook.id });
    await newRepair();
    await got(receiver, 2);
    expect(verified(made.secret, message(receiver, 1))).toMatchObject({ type: 'AssetRepair.create' });
  });

  test('receivers that do not answer keep no other webhook waiting', async () => {
    const stalled = await Promise.all(Array.from({ length: 20 }, () => startReceiver(() => {})));
    for (const receiver of stalled) await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    const receiver = await startReceiver();
    await webhookTo(receiver, { types: ['ASSET_REPAIR'] });
    for (let count = 0; count < 20; count++) await newRepair();
    await got(receiver, 20);
    // Each of them occupies its connections, and the log of none has a finished attempt.
    expect(stalled.every(({ connections }) => connections >= 1)).toBe(true);
  });
});
