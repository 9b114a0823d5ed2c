/** The command line of `npm run webhooks`. It has no access to a database; the management it is given does the work. */
import { Command, InvalidArgumentError } from 'commander';
import { secondsOf } from '../keys/time.js';
import type { WebhookAttempt } from '../webhooks/deliveries.js';
import type { Webhook, WebhookInput, WebhookWithSecret } from '../webhooks/webhook.js';
import { attemptsText, listText, secretText, webhookText } from './webhook-text.js';

/** Manages the webhooks of a database. */
export interface WebhookAdministration {
  /** `keyId` names the API key whose scopes the webhook gets. */
  create(input: WebhookInput, keyId: string): Promise<WebhookWithSecret>;
  list(): Promise<Webhook[]>;
  /** Without `keyId` the webhook keeps its key. */
  enable(id: string, enabled: boolean, keyId?: string): Promise<Webhook>;
  remove(id: string): Promise<Webhook>;
  rotate(id: string, overlapSeconds: number): Promise<WebhookWithSecret>;
  replay(id: string, after: number): Promise<Webhook>;
  /** Returns the id of the message. */
  redeliver(id: string, messageId: string): Promise<string>;
  test(id: string): Promise<string>;
  attempts(id: string, limit: number): Promise<WebhookAttempt[]>;
}

/** The command line; `print` receives the standard output. */
export function webhooksCommand(administration: WebhookAdministration, print: (text: string) => void): Command {
  const program = new Command('npm run webhooks --')
    .description('Manages the webhooks in the database of DATABASE_URL, also while the gateway is running.')
    .addHelpText('after', examples)
    .showHelpAfterError('(--help says how)');
  const command = (name: string, description: string) =>
    program.command(name).description(description).option('--json', 'print JSON');
  const told = (value: unknown, text: string, { json }: { json?: boolean }) =>
    print(json ? `${JSON.stringify(value, null, 2)}\n` : text);

  command('create', 'make a webhook and print its secret, this once')
    .argument('<name>', 'what it is for')
    .requiredOption('-u, --url <url>', 'where messages are sent: https, to a public host')
    .requiredOption('-k, --key <id>', 'the API key whose scopes decide what it is told')
    .option(
      '-t, --types <list>',
      'the record types it is told of, separated by commas [all that the key may read]',
      list,
    )
    .option(
      '-a, --actions <list>',
      'the actions it is told of: create, update, submit, cancel, delete, move [all]',
      list,
    )
    .option('-s, --selection <graphql>', 'what messages hold of the record: "{ asset status }" [nothing]')
    .action(async (name: string, { url, key, types, actions, selection, ...form }) => {
      const made = await administration.create({ name, url, types, actions, selection }, key);
      told(made, secretText(made, 'Made the webhook'), form);
    });

  command('list', 'list the webhooks, newest first').action(async (form) => {
    const webhooks = await administration.list();
    told(webhooks, listText(webhooks), form);
  });

  command('enable', 'deliver again, from where it stopped')
    .argument('<id>', 'the webhook')
    .option('-k, --key <id>', 'another API key whose scopes it gets')
    .action(async (id: string, { key, ...form }) => {
      const webhook = await administration.enable(id, true, key);
      told(webhook, webhookText(webhook), form);
    });

  command('disable', 'deliver nothing more')
    .argument('<id>', 'the webhook')
    .action(async (id: string, form) => {
      const webhook = await administration.enable(id, false);
      told(webhook, webhookText(webhook), form);
    });

  command('delete', 'delete a webhook with its log')
    .argument('<id>', 'the webhook')
    .action(async (id: string, form) => {
      const webhook = await administration.remove(id);
      told(webhook, `Deleted the webhook ${webhook.id}, "${webhook.name}".\n`, form);
    });

  command('rotate', 'give it another secret; for a while messages are signed with both')
    .argument('<id>', 'the webhook')
    .option('-o, --overlap <time>', 'how long the old secret signs too: 24h, 7d, 0s', seconds, 24 * 60 * 60)
    .action(async (id: string, { overlap, ...form }) => {
      const rotated = await administration.rotate(id, overlap);
      told(rotated, secretText(rotated, 'Rotated the secret of'), form);
    });

  command('replay', 'deliver again all changes after a position of the journal')
    .argument('<id>', 'the webhook')
    .requiredOption('-a, --after <position>', 'a position that the journal still holds', position)
    .action(async (id: string, { after, ...form }) => {
      const webhook = await administration.replay(id, after);
      told(webhook, webhookText(webhook), form);
    });

  command('redeliver', 'deliver one message again')
    .argument('<id>', 'the webhook')
    .argument('<message>', 'the `webhook-id` of the message')
    .action(async (id: string, message: string, form) => {
      const messageId = await administration.redeliver(id, message);
      told({ messageId }, `The message ${messageId} is delivered within a few seconds.\n`, form);
    });

  command('test', 'send a message of type `test`')
    .argument('<id>', 'the webhook')
    .action(async (id: string, form) => {
      const messageId = await administration.test(id);
      told({ messageId }, `The message ${messageId} is sent by the gateway; \`log\` shows what came of it.\n`, form);
    });

  command('log', 'show the last attempts, the newest first')
    .argument('<id>', 'the webhook')
    .option('-n, --limit <count>', 'how many, up to 1000', count, 20)
    .action(async (id: string, { limit, ...form }) => {
      const attempts = await administration.attempts(id, limit);
      told(attempts, attemptsText(attempts), form);
    });

  return program;
}

function list(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(/[\s,]+/).filter((name) => name !== '')];
}

function seconds(text: string): number {
  const amount = secondsOf(text);
  if (amount === undefined) throw new InvalidArgumentError('Give a time: 7d, 24h, 30m or 0s.');
  return amount;
}

function position(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number, 0 for all that the journal holds from its beginning.');
}

function count(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 1000) return Number(text);
  throw new InvalidArgumentError('Give a whole number from 1 to 1000.');
}

const examples = `
Examples:
  npm run webhooks -- create "Workshop" --url https://example.com/hook --key brg_0123456789ab --types AssetRepair
  npm run webhooks -- test wh_0123456789ab
  npm run webhooks -- log wh_0123456789ab
  npm run webhooks -- replay wh_0123456789ab --after 4711
`;
