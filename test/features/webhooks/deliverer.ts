import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { Current } from '../../../src/common/kept.js';
import { WebhookDeliverer } from '../../../src/features/webhooks/delivery/webhook-deliverer.js';
import { webhookSettings as own } from '../../../src/features/webhooks/webhook.js';
import { type CurrentGrants, noGrants } from '../../../src/gateway/access/grants.js';
import { ask } from '../../graphql/ask.js';
import type { TestGateway } from '../../support/gateway.js';

export const webhookSettings = {
  WEBHOOK_KEY: 'the-master-key-of-the-tests-32-letters',
  WEBHOOK_ALLOW: '127.0.0.1',
};

/** Delivers the webhooks of a gateway as its process does. */
export function startDeliverer(
  gateway: TestGateway,
  onWarning: (warning: object) => void = () => {},
  grants: CurrentGrants = Current.of(noGrants),
): WebhookDeliverer {
  const { database, journal, readPayload, config } = gateway;
  const log = pino({ level: 'warn' }, { write: (line) => onWarning(JSON.parse(line)) });
  const { webhookKey = '', webhookAllow } = own.of(config);
  return new WebhookDeliverer({
    database,
    journal,
    readPayload,
    grants,
    measure: () => {},
    masterKey: webhookKey,
    allowed: webhookAllow,
    log,
  });
}

const create = `mutation ($input: CreateWebhookInput!) {
  made: createWebhook(input: $input) { secret publicKey webhook { id url types actions selection keyId state position } }
}`;

export async function createWebhook(gateway: Pick<TestGateway, 'graphql'>, input: object) {
  return (await ask(gateway, create, { input: { name: 'a test', ...input } })).made;
}

export const stateQuery = `{ webhooks(first: 1000) { nodes {
  id state disabledReason failures failingSince position types actions selection keyId
} } }`;

export async function webhookNamed(gateway: Pick<TestGateway, 'graphql'>, id: string) {
  const { webhooks } = await ask(gateway, stateQuery);
  return webhooks.nodes.find((each: { id: string }) => each.id === id);
}

export async function attemptsOf(gateway: Pick<TestGateway, 'graphql'>, id: string) {
  const query =
    'query ($id: ID!) { found: webhookAttempts(id: $id, first: 1000) { nodes { messageId position status failure milliseconds } } }';
  return (await ask(gateway, query, { id })).found.nodes;
}

/** Resolves once `condition` is true; fails after `patience` milliseconds with the name of the condition. */
export async function until(what: string, condition: () => unknown, patience = 60_000): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    if (performance.now() - start > patience) throw new Error(`Not within ${patience} ms: ${what}`);
    // Most conditions send a request to the gateway.
    await sleep(100);
  }
}
