/**
 * Undelivered changes are not lost by a replay, a redelivery, a second gap, or refused deliveries of other documents.
 */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { gapDelivery } from '../../../src/features/webhooks/delivery/message.js';
import type { WebhookDeliverer } from '../../../src/features/webhooks/delivery/webhook-deliverer.js';
import { ask } from '../../graphql/ask.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { attemptsOf, createWebhook, startDeliverer, until, webhookNamed, webhookSettings } from './deliverer.js';
import { type Receiver, startReceiver } from './receiver.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const begin = async (database: (typeof providers)[number], receiver: Receiver) => {
  const gateway = await startGateway({ database, env: webhookSettings });
  ends.push(() => gateway.close());
  const { webhook } = await createWebhook(gateway, { url: receiver.url, types: ['INDUSTRY_TYPE'] });
  return { gateway, id: String(webhook.id) };
};
const serve = (gateway: TestGateway): WebhookDeliverer => {
  const deliverer = startDeliverer(gateway);
  ends.push(() => deliverer.stop());
  return deliverer;
};
const write = async (gateway: TestGateway): Promise<string> =>
  (await gateway.rest('POST', '/api/crm/industry-type', { industry: `${performance.now()}` })).body.id;
const told = ({ received }: Receiver) => received.map(({ text }) => JSON.parse(text));
const refuse = (_: unknown, response: ServerResponse) => void response.writeHead(500).end();
const accept = (_: unknown, response: ServerResponse) => void response.writeHead(204).end();
const storedIn = ({ database }: TestGateway) => database.client.webhookDelivery.count();
const replay = (gateway: TestGateway, id: string, after: number) =>
  ask(
    gateway,
    'mutation ($id: ID!, $after: String!) { replayWebhook(id: $id, after: $after) { webhook { position } } }',
    {
      id,
      after: String(after),
    },
  );
const enable = (gateway: TestGateway, id: string) =>
  ask(gateway, 'mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: true }) { webhook { id } } }', { id });

describe.each(providers)('on %s', (provider) => {
  test('a replay from behind what was not delivered yet leaves none of it out', async () => {
    const receiver = await startReceiver(refuse);
    const { gateway, id } = await begin(provider, receiver);
    const ids: string[] = [];
    for (let made = 0; made < 20; made++) ids.push(await write(gateway));
    const { last } = await gateway.journal.continuationOf(0);
    await replay(gateway, id, last);
    receiver.answer = accept;
    serve(gateway);
    await until('all are told', () => new Set(told(receiver).map(({ data }) => data.id)).size === ids.length);
  });

  test('a replay keeps the message that changes are undone', async () => {
    const receiver = await startReceiver();
    const { gateway, id } = await begin(provider, receiver);
    await write(gateway);
    const gap = gapDelivery(id, (await gateway.journal.continuationOf(0)).last, Number.MAX_SAFE_INTEGER);
    await gateway.database.client.webhookDelivery.create({
      data: {
        id: gap.id,
        webhookId: id,
        position: gap.position,
        document: gap.document,
        attempts: 1,
        nextAttemptAt: new Date(),
      },
    });
    await replay(gateway, id, 0);
    serve(gateway);
    await until('both are told', () => told(receiver).length > 1);
    expect(
      told(receiver)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['IndustryType.create', 'gap']);
  });

  test('a second gap is announced, also if the first one waits and the process ends', async () => {
    const receiver = await startReceiver(refuse);
    const { gateway, id } = await begin(provider, receiver);
    const { client } = gateway.database;
    for (let gaps = 1; gaps <= 2; gaps++) {
      await write(gateway);
      const { last } = await gateway.journal.continuationOf(0);
      // As if the journal had been turned off and on again: it starts over behind its last position.
      await client.journalEntry.deleteMany();
      await client.journalState.update({ where: { id: 1 }, data: { swept: BigInt(last), position: BigInt(last) } });
      const deliverer = serve(gateway);
      await until('its place is written', async () => Number((await webhookNamed(gateway, id)).position) >= last);
      await deliverer.stop();
      expect(await storedIn(gateway)).toBe(gaps);
    }
    receiver.answer = accept;
    receiver.received.length = 0;
    await enable(gateway, id);
    serve(gateway);
    await until('both are told', () => told(receiver).length > 1);
    const [first, second] = told(receiver);
    expect([first.type, second.type, second.data.after]).toEqual(['gap', 'gap', first.data.until]);
    await until('nothing is kept', async () => (await storedIn(gateway)) === 0);
  });

  test('a message that is asked for while it is under way is that delivery, and not one more', async () => {
    const answers: ServerResponse[] = [];
    const receiver = await startReceiver((_, response) => void answers.push(response));
    const { gateway, id } = await begin(provider, receiver);
    serve(gateway);
    await write(gateway);
    await until('it is under way', () => answers.length === 1);
    const messageId = receiver.received[0]?.headers['webhook-id'];
    const again =
      'mutation ($id: ID!, $messageId: ID!) { redeliverWebhookMessage(id: $id, messageId: $messageId) { message { messageId } } }';
    await ask(gateway, again, { id, messageId });
    // A later request is started only after the request for this message was found.
    await ask(gateway, 'mutation ($id: ID!) { testWebhook(id: $id) { message { messageId } } }', { id });
    await until('the test is sent', () => answers.length === 2);
    receiver.answer = accept;
    for (const answer of answers) answer.writeHead(204).end();
    await until('both are noted', async () => (await attemptsOf(gateway, id)).length === 2);
    await until('nothing is kept', async () => (await storedIn(gateway)) === 0);
    expect(receiver.received).toHaveLength(2);
  });

  test('a few documents that a receiver refuses keep no others waiting', async () => {
    const receiver = await startReceiver();
    const { gateway, id } = await begin(provider, receiver);
    const refused = new Set<string>();
    for (let made = 0; made < 10; made++) refused.add(await write(gateway));
    receiver.answer = ({ text }, response) =>
      void response.writeHead(refused.has(JSON.parse(text).data.id) ? 400 : 204).end();
    serve(gateway);
    await until('it fails', async () => (await webhookNamed(gateway, id)).failures >= 5);
    const others: string[] = [];
    for (let made = 0; made < 10; made++) others.push(await write(gateway));
    const all = () => new Set(told(receiver).map(({ data }) => data.id));
    await until('the others are told', () => others.every((other) => all().has(other)));
  });
});
