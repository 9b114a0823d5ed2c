/** A requested message comes once, even if its delivery ends while requests are being read. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { OpenedDatabase } from '../../../src/database/open-database.js';
import { ask } from '../../graphql/ask.js';
import { startGateway } from '../../support/gateway.js';
import { createWebhook, startDeliverer, until, webhookSettings } from './deliverer.js';
import { startReceiver } from './receiver.js';

/** The same database, whose reads of stored deliveries are given when `held` resolves. */
function withSlowReads(database: OpenedDatabase, held: () => Promise<unknown>): OpenedDatabase {
  return new Proxy(database, {
    get: (target, name) => (name === 'client' ? slow(target.client) : Reflect.get(target, name)),
  });

  function slow(client: OpenedDatabase['client']): OpenedDatabase['client'] {
    const findMany = async (given: object) => {
      const rows = await client.webhookDelivery.findMany(given);
      await held();
      return rows;
    };
    const deliveries = new Proxy(client.webhookDelivery, {
      get: (target, name) => (name === 'findMany' ? findMany : Reflect.get(target, name)),
    });
    return new Proxy(client, {
      get: (target, name) => (name === 'webhookDelivery' ? deliveries : Reflect.get(target, name)),
    });
  }
}

test('a request that was read before the message was settled does not make it come again', async () => {
  let answer = () => {};
  const receiver = await startReceiver((_, response) => {
    answer = () => response.writeHead(204).end();
  });
  const gateway = await startGateway({ env: webhookSettings });
  onTestFinished(() => gateway.close());
  const { webhook } = await createWebhook(gateway, { url: receiver.url });
  const request = () =>
    ask(gateway, 'mutation ($id: ID!) { testWebhook(id: $id) { message { __typename } } }', { id: webhook.id });
  await request();
  let isGiven = false;
  const database = withSlowReads(gateway.database, async () => {
    if (receiver.received.length === 0 || isGiven) return;
    answer();
    // As long as several writes of finished deliveries take.
    await sleep(1000);
    receiver.answer = (_, response) => void response.writeHead(204).end();
    isGiven = true;
  });
  const deliverer = startDeliverer({ ...gateway, database });
  onTestFinished(() => deliverer.stop());
  await until('it was read while it was under way', () => isGiven, 20_000);
  await request();
  const toldNow = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size;
  await until('the next is told', () => toldNow() === 2, 20_000);
  expect(receiver.received).toHaveLength(2);
});
