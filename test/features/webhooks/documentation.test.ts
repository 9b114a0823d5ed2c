/** `docs/webhooks.md` is right: its examples are executed, and its numbers are those of the code. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '../../../src/common/project.js';
import { keptAttempts } from '../../../src/features/webhooks/deliveries.js';
import { largestPayload } from '../../../src/features/webhooks/delivery/message.js';
import { mostOfWebhook, mostShared, queueLimits } from '../../../src/features/webhooks/delivery/webhook-worker.js';
import { longestSecretOverlap, mostWebhooks } from '../../../src/features/webhooks/manage-webhooks.js';
import { longestSelection } from '../../../src/features/webhooks/webhook-problems.js';
import { longestUrl } from '../../../src/gateway/outgoing/address-rules.js';
import { longestAnswerBody, sendTimes } from '../../../src/gateway/outgoing/sender.js';
import { ask } from '../../graphql/ask.js';
import { freshFolder } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { freePort } from '../../support/postgresql.js';
import { startDeliverer, until, webhookSettings } from './deliverer.js';
import { startReceiver } from './receiver.js';

const page = readFileSync('docs/webhooks.md', 'utf8');
const between = (start: string, end: string) => page.split(start)[1]?.split(end)[0] ?? '';
const code = (name: string, language: string) => between(`<!-- ${name} -->\n\`\`\`${language}\n`, '```');

let gateway: TestGateway;
let deliverer: ReturnType<typeof startDeliverer>;
beforeAll(async () => {
  gateway = await startGateway({ env: webhookSettings });
  deliverer = startDeliverer(gateway);
});
afterAll(async () => {
  await deliverer.stop();
  await gateway.close();
});

/** The webhook of the page, at another address. */
async function makeWebhook(url: string) {
  const mutation = between('```graphql\n', '```').replace('https://workshop.example/changes', url);
  return (await ask(gateway, mutation)).createWebhook;
}

const newRepair = () =>
  gateway.rest('POST', '/api/assets/asset-repair', { asset: 'LATHE-7', failure_date: '2026-01-31' });

test('its webhook is made, and its message is sent', async () => {
  const receiver = await startReceiver();
  const { webhook } = await makeWebhook(receiver.url);
  const { body } = await newRepair();
  await until('a message', () => receiver.received.length === 1);
  const shown = JSON.parse(code('message', 'json'));
  const sent = JSON.parse(receiver.received[0]?.text ?? '');
  const { data, timestamp } = shown;
  expect(sent).toEqual({
    ...shown,
    timestamp: expect.stringMatching(timestamp.replaceAll(/\d/g, '\\d')),
    data: { ...data, position: expect.any(Number), id: body.id, document: { ...data.document, id: body.id } },
  });
  expect(Object.keys(sent.data)).toEqual(Object.keys(data));
  await ask(gateway, 'mutation ($id: ID!) { deleteWebhook(id: $id) { webhook { id } } }', { id: webhook.id });
});

test('its receiver accepts what is sent, and nothing else', async () => {
  const folder = freshFolder();
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'receiver.mjs'), code('receiver', 'js'));
  const port = await freePort();
  const { secret, webhook } = await makeWebhook(`http://127.0.0.1:${port}/`);
  const env = { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const url = `http://127.0.0.1:${port}/`;
  await until('it listens', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  await newRepair();
  await until('it has printed the message', () => output.includes('AssetRepair.create LATHE-7\n'));
  const forged = await fetch(url, {
    method: 'POST',
    body: '{}',
    headers: {
      'webhook-id': 'x',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,x',
    },
  });
  expect(forged.status).toBe(400);
  await ask(gateway, 'mutation ($id: ID!) { deleteWebhook(id: $id) { webhook { id } } }', { id: webhook.id });
});

test('its check by the public key accepts what is sent, and nothing else', async () => {
  const file = join(freshFolder(), 'check.mjs');
  writeFileSync(file, code('public key', 'js'));
  const { isAuthentic } = await import(pathToFileURL(file).href);
  const receiver = await startReceiver();
  const { publicKey, webhook } = await makeWebhook(receiver.url);
  await newRepair();
  await until('a message', () => receiver.received.length === 1);
  const { text, headers } = receiver.received[0] ?? {};
  expect(isAuthentic(publicKey, text, headers)).toBe(true);
  expect(isAuthentic(publicKey, `${text} `, headers)).toBe(false);
  expect(isAuthentic(publicKey, text, { ...headers, 'webhook-id': 'x' })).toBe(false);
  await ask(gateway, 'mutation ($id: ID!) { deleteWebhook(id: $id) { webhook { id } } }', { id: webhook.id });
});

test('its limits are the code’s', () => {
  const rows = between('<!-- webhooks -->\n', '<!-- /webhooks -->').trim().split('\n').slice(2);
  const numbers = rows.map((row) =>
    [...(row.split('|')[2] ?? '').matchAll(/\d[\d,]*/g)].map(([text]) => Number(text.replaceAll(',', ''))),
  );
  expect(numbers).toEqual([
    [mostWebhooks],
    [longestUrl],
    [longestSelection],
    [largestPayload, largestPayload / 1024],
    [sendTimes.answer / 1000],
    [longestAnswerBody, sendTimes.body / 1000],
    [mostOfWebhook],
    [mostShared],
    [queueLimits.open],
    [queueLimits.stored],
    [keptAttempts, 200],
    [longestSecretOverlap, longestSecretOverlap / 86_400],
  ]);
});
