/** `records webhooks`: manages webhooks. */
import { type Command, InvalidArgumentError } from 'commander';
import { addCommand, contextOf, hiddenSettings } from '../../../cli/command.js';
import { nameList, overlapOption, shownInstant } from '../../../cli/option-values.js';
import { counted } from '../../../common/output.js';
import type { Config } from '../../../gateway/config/config.js';
import type { Surroundings } from '../../../gateway/feature.js';
import type { WebhookAttempt } from '../deliveries.js';
import { disabledReasons, type Webhook, type WebhookWithSecret, webhookState } from '../webhook.js';

/** The settings that decide what is sent to a webhook, and which addresses are allowed. */
const uses: (keyof Config)[] = ['databaseUrl', 'webhookAllow', 'trustedDocuments', 'costLimit', 'journal'];

export function addWebhooks(program: Command, surroundings: Surroundings): void {
  const webhooks = program
    .command('webhooks')
    .description('manage the webhooks of a database, also while the gateway is running')
    .addHelpText('after', `\n${hiddenSettings(['webhookKey'])}${examples}`);
  const command = (name: string, description: string) => addCommand(webhooks, name, description, uses);
  /** The administration of webhooks, and how to print its results. */
  const work = async (command: Command) => {
    const { config, printResult } = contextOf(command, surroundings);
    const { webhookAdministration } = await import('./webhook-administration.js');
    return { administration: webhookAdministration(config, surroundings.features), printResult };
  };

  const create: Command = command('create', 'create a webhook and print its secret, which is not shown again')
    .argument('<name>', 'what the webhook is for')
    .requiredOption('-u, --url <url>', 'where messages are sent: https, to a public host')
    .requiredOption('-k, --key <id>', 'the API key whose scopes decide which changes are sent')
    .option(
      '-t, --types <list>',
      'only changes of these record types, separated by commas [all that the key may read]',
      nameList,
    )
    .option('-a, --actions <list>', 'only these actions: create, update, submit, cancel, delete, move [all]', nameList)
    .option('-s, --selection <graphql>', 'the fields of the record in messages: "{ asset status }" [none]')
    .action(async (name: string, { url, key, types, actions, selection }) => {
      const { administration, printResult } = await work(create);
      const made = await administration.create({ name, url, types, actions, selection }, key);
      printResult(made, secretText(made, 'Made the webhook'));
    });

  const list: Command = command('list', 'list the webhooks, newest first').action(async () => {
    const { administration, printResult } = await work(list);
    const webhooks = await administration.list();
    printResult(webhooks, webhookListText(webhooks));
  });

  const enable: Command = command('enable', 'continue to deliver, from where it stopped')
    .argument('<id>', 'the webhook')
    .option('-k, --key <id>', 'another API key, whose scopes it gets')
    .action(async (id: string, { key }) => {
      const { administration, printResult } = await work(enable);
      const webhook = await administration.enable(id, true, key);
      printResult(webhook, webhookText(webhook));
    });

  const disable: Command = command('disable', 'stop delivering')
    .argument('<id>', 'the webhook')
    .action(async (id: string) => {
      const { administration, printResult } = await work(disable);
      const webhook = await administration.enable(id, false);
      printResult(webhook, webhookText(webhook));
    });

  const remove: Command = command('delete', 'delete a webhook with its log')
    .argument('<id>', 'the webhook')
    .action(async (id: string) => {
      const { administration, printResult } = await work(remove);
      const webhook = await administration.remove(id);
      printResult(webhook, `Deleted the webhook ${webhook.id}, "${webhook.name}".\n`);
    });

  const rotate: Command = command(
    'rotate',
    'replace the secret of a webhook; messages are signed with both during an overlap',
  )
    .argument('<id>', 'the webhook')
    .addOption(overlapOption('how long the old secret signs too'))
    .action(async (id: string, { overlap }) => {
      const { administration, printResult } = await work(rotate);
      const rotated = await administration.rotate(id, overlap);
      printResult(rotated, secretText(rotated, 'Rotated the secret of'));
    });

  const replay: Command = command('replay', 'deliver again all changes after a position of the journal')
    .argument('<id>', 'the webhook')
    .requiredOption('-a, --after <position>', 'a position that the journal still holds', position)
    .action(async (id: string, { after }) => {
      const { administration, printResult } = await work(replay);
      const webhook = await administration.replay(id, after);
      printResult(webhook, webhookText(webhook));
    });

  const redeliver: Command = command('redeliver', 'deliver one message again')
    .argument('<id>', 'the webhook')
    .argument('<message>', 'the `webhook-id` of the message')
    .action(async (id: string, message: string) => {
      const { administration, printResult } = await work(redeliver);
      const messageId = await administration.redeliver(id, message);
      printResult({ messageId }, `The message ${messageId} is delivered within a few seconds.\n`);
    });

  const test: Command = command('test', 'send a message of type `test`')
    .argument('<id>', 'the webhook')
    .action(async (id: string) => {
      const { administration, printResult } = await work(test);
      const messageId = await administration.test(id);
      printResult({ messageId }, `The message ${messageId} is sent by the gateway; \`log\` shows the outcome.\n`);
    });

  const log: Command = command('log', 'list the last attempts, newest first')
    .argument('<id>', 'the webhook')
    .option('-n, --limit <count>', 'the number of attempts, up to 1000', count, 20)
    .action(async (id: string, { limit }) => {
      const { administration, printResult } = await work(log);
      const attempts = await administration.attempts(id, limit);
      printResult(attempts, attemptsText(attempts));
    });
}

function position(text: string): number {
  if (/^\d{1,16}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give a whole number, 0 for all that the journal holds from its beginning.');
}

function count(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= 1000) return Number(text);
  throw new InvalidArgumentError('Give a whole number from 1 to 1000.');
}

const examples = `
Examples:
  records webhooks create "Workshop" --url https://example.com/in --key brg_0123456789ab
  records webhooks test wh_0123456789ab
  records webhooks log wh_0123456789ab
  records webhooks replay wh_0123456789ab --after 4711
`;

/** Formats webhooks for a terminal. */

/** A webhook with its secret, which is shown only once. */
function secretText({ webhook, secret, publicKey }: WebhookWithSecret, what: string): string {
  return `${what} ${webhook.id}, "${webhook.name}".

  url         ${webhook.url}
  secret      ${secret}
  public key  ${publicKey}

The secret is shown only this once. Its receiver verifies signatures \`v1\` by it, or \`v1a\` by the public key alone.
`;
}

function webhookListText(webhooks: readonly Webhook[]): string {
  if (webhooks.length === 0) return 'There is no webhook. `records webhooks create --help` says how to make one.\n';
  return webhooks.map(webhookText).join('\n');
}

function webhookText(webhook: Webhook): string {
  const { id, name, url, types, actions, selection, keyId, position, failures, disabledReason } = webhook;
  const reason = disabledReason ? `: ${disabledReasons[disabledReason]}` : '';
  const failed = failures > 0 ? `, ${counted(failures, 'attempt')} failed in a row` : '';
  return `${id}  ${name}
  state      ${webhookState(webhook)}${reason}${failed}
  url        ${url}
  receives   ${types.join(', ') || 'all types'}; ${actions.join(', ') || 'all actions'}
  selection  ${selection?.replaceAll(/\s+/g, ' ') ?? 'none'}
  key        ${keyId}
  position   ${position}
`;
}

/** One line for each attempt, the newest first. */
function attemptsText(attempts: readonly WebhookAttempt[]): string {
  if (attempts.length === 0) return 'Nothing has been delivered yet.\n';
  return attempts
    .map(
      ({ at, status, failure, milliseconds, messageId }) =>
        `${shownInstant(at)}  ${String(status ?? failure).padEnd(17)}  ${String(milliseconds).padStart(6)} ms  ${messageId}\n`,
    )
    .join('');
}
