/** `records webhooks` as it is typed, beside a gateway that delivers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { startRecords } from '../../support/process.js';
import { startDeliverer, until, webhookSettings } from './deliverer.js';
import { startReceiver } from './receiver.js';

let gateway: TestGateway;
let deliverer: ReturnType<typeof startDeliverer>;
let key: string;
beforeAll(async () => {
  gateway = await startGateway({ env: { ...webhookSettings, DATABASE_URL: await freshDatabaseUrl('sqlite') } });
  deliverer = startDeliverer(gateway);
  key = (await createKey(gateway.database, { name: 'assets', scopes: ['assets:read'] })).apiKey.id;
});
afterAll(async () => {
  await deliverer.stop();
  await gateway.close();
});

/** Runs the command in this process and returns its output and errors. */
async function webhooks(...words: string[]) {
  const environment = { ...webhookSettings, DATABASE_URL: gateway.config.databaseUrl };
  return records(['webhooks', ...words], environment);
}

/** The command as a process of its own. */
async function webhooksProcess(...words: string[]) {
  const settings = { ...webhookSettings, DATABASE_URL: gateway.config.databaseUrl };
  const child = startRecords(settings, ['webhooks', ...words]);
  const code = await child.ended;
  return { code, text: child.output(), problem: child.log() };
}

test('a webhook is made, tested, listed, replayed, rotated, disabled, enabled and deleted', async () => {
  const receiver = await startReceiver();
  const made = await webhooksProcess(
    'create',
    'Workshop',
    '--url',
    receiver.url,
    '--key',
    key,
    '--types',
    'AssetRepair',
  );
  expect(made).toMatchObject({ code: 0, problem: '' });
  expect(made.text).toMatch(/secret {6}whsec_[\w+/]{43}=\n {2}public key {2}whpk_[\w+/]{43}=\n/);
  const id = /wh_\w{12}/.exec(made.text)?.[0] ?? '';

  const { messageId } = JSON.parse((await webhooks('test', id, '--json')).text);
  await until('the test', () => receiver.received.length === 1);
  expect(receiver.received[0]?.headers['webhook-id']).toBe(messageId);
  await gateway.rest('POST', '/api/assets/asset-repair', { asset: 'saw', failure_date: '2026-01-31' });
  await until('the change', () => receiver.received.length === 2);
  const changeId = String(receiver.received[1]?.headers['webhook-id']);
  const at = changeId.slice(changeId.lastIndexOf('_') + 1);
  await until('its position', async () => (await webhooks('list')).text.includes(`position   ${at}`));
  expect((await webhooks('log', id)).text).toMatch(
    new RegExp(`UTC {2}204 +\\d+ ms {2}${changeId}\n.* ${messageId}\n$`),
  );

  await webhooks('replay', id, '--after', '0');
  await until('the replay', () => receiver.received.length === 3);
  expect((await webhooks('redeliver', id, changeId)).text).toContain(changeId);
  await until('the repetition', () => receiver.received.length === 4);
  expect((await webhooks('rotate', id)).text).toContain('secret      whsec_');
  expect((await webhooks('disable', id)).text).toContain('state      disabled: Somebody disabled it.');
  expect((await webhooks('enable', id, '--json')).text).toContain('"disabledAt": null');
  expect((await webhooks('delete', id)).text).toBe(`Deleted the webhook ${id}, "Workshop".\n`);
  expect((await webhooks('list')).text).toMatch(/^There is no webhook/);
});

test.each([
  [['create', 'n', '--url', 'https://localhost/', '--key', 'KEY'], /^error: url names a host of a private network/],
  [
    ['create', 'n', '--url', 'https://example.com/', '--key', 'brg_000000000000'],
    /^error: key is the id of no valid API key/,
  ],
  [
    ['create', 'n', '--url', 'https://example.com/', '--key', 'KEY', '--types', 'AssetRepairs'],
    /did you mean `AssetRepair`\?/,
  ],
  [
    ['create', 'n', '--url', 'https://example.com/', '--key', 'KEY', '--types', 'Quotation'],
    /lacks the scope `crm:read`/,
  ],
  [['create', 'n', '--url', 'https://example.com/', '--key', 'KEY', '--actions', 'make'], /create, update, submit/],
  [['replay', 'wh_000000000000', '--after', 'x'], /Give a whole number/],
])('%j is refused with what to do', async (words, message) => {
  const { problem } = await webhooks(...words.map((word) => word.replace('KEY', key)));
  expect(problem).toMatch(message);
});

test('a missing webhook ends with 1, and a wrong argument with 2', async () => {
  const missing = await webhooksProcess('test', 'wh_000000000000');
  expect(missing).toMatchObject({ code: 1, text: '' });
  expect(missing.problem).toMatch(/^error: No webhook has the id "wh_000000000000"/);
  expect(await webhooks('nothing')).toMatchObject({ code: 2, text: '' });
});
