/** Webhooks: changes are sent to the addresses that clients name. */

import type { Command } from 'commander';
import { addCommand, contextOf, hiddenSettings } from '../../cli/command.js';
import { nameList, overlapOption, shownInstant, wholeNumberFrom } from '../../cli/option-values.js';
import { counted } from '../../common/output.js';
import { type Config, settings } from '../../gateway/config/config.js';
import type { Feature, Surroundings } from '../../gateway/feature.js';
import type { webhookAdministration } from './commands/webhook-administration.js';
import type { WebhookAttempt } from './deliveries.js';
import {
  disabledReasons,
  type Webhook,
  type WebhookInput,
  type WebhookWithSecret,
  webhookSettings,
  webhookState,
} from './webhook.js';

export const webhooks: Feature = {
  name: 'webhooks',
  settings: webhookSettings,
  commands: addWebhooks,
  restored: async () => (await import('./delivery/announce-restored.js')).announceInBackup,
  served: async (_, measure) => (await import('./serve-webhooks.js')).serveWebhooks(measure),
};

/** The settings that decide what is sent to a webhook, and which addresses are allowed. */
const uses: (keyof Config)[] = ['trustedDocuments', 'costLimit', 'journal'];

function addWebhooks(program: Command, surroundings: Surroundings): void {
  const webhooks = program
    .command('webhooks')
    .description('manage the webhooks of a database, also while the gateway is running')
    .addHelpText(
      'after',
      `\n${hiddenSettings(settings([{ settings: webhookSettings }]).filter(({ key }) => key === 'webhookKey'))}${examples}`,
    );
  const add = (name: string, description: string) => addCommand(webhooks, name, description, ...uses, webhookSettings);
  const addForOne = (name: string, description: string) => add(name, description).argument('<id>', 'the webhook');
  /** Lets a command do this with its arguments and options, and print what comes of it. */
  const does = <Given extends unknown[], Result>(
    command: Command,
    act: (webhooks: ReturnType<typeof webhookAdministration>, ...given: Given) => Promise<Result>,
    textOf: (result: Result) => string,
  ) =>
    command.action(async (...given: Given) => {
      const { config, printResult } = contextOf(command, surroundings);
      const administration = await import('./commands/webhook-administration.js');
      const result = await act(administration.webhookAdministration(config, surroundings.features), ...given);
      printResult(result, textOf(result));
    });

  does(
    add('create', 'create a webhook and print its secret, which is not shown again')
      .argument('<name>', 'what the webhook is for')
      .requiredOption('-u, --url <url>', 'where messages are sent: https, to a public host')
      .requiredOption('-k, --key <id>', 'the API key whose scopes decide which changes are sent')
      .option(
        '-t, --types <list>',
        'only changes of these record types, separated by commas [all that the key may read]',
        nameList,
      )
      .option(
        '-a, --actions <list>',
        'only these actions: create, update, submit, cancel, delete, move [all]',
        nameList,
      )
      .option('-s, --selection <graphql>', 'the fields of the record in messages: "{ asset status }" [none]'),
    (all, name: string, { url, key, types, actions, selection }: Omit<WebhookInput, 'name'> & { key: string }) =>
      all.create({ name, url, types, actions, selection }, key),
    (made) => secretText(made, 'Made the webhook'),
  );
  does(
    add('list', 'list the webhooks, newest first'),
    (all) => all.list(),
    (found) =>
      found.map(webhookText).join('\n') ||
      'There is no webhook. `records webhooks create --help` says how to make one.\n',
  );
  does(
    addForOne('enable', 'continue to deliver, from where it stopped').option(
      '-k, --key <id>',
      'another API key, whose scopes it gets',
    ),
    (all, id: string, { key }: { key?: string }) => all.enable(id, true, key),
    webhookText,
  );
  does(addForOne('disable', 'stop delivering'), (all, id: string) => all.enable(id, false), webhookText);
  does(
    addForOne('delete', 'delete a webhook with its log'),
    (all, id: string) => all.remove(id),
    ({ id, name }) => `Deleted the webhook ${id}, "${name}".\n`,
  );
  does(
    addForOne('rotate', 'replace the secret of a webhook; messages are signed with both during an overlap').addOption(
      overlapOption('how long the old secret signs too'),
    ),
    (all, id: string, { overlap }: { overlap: number }) => all.rotate(id, overlap),
    (rotated) => secretText(rotated, 'Rotated the secret of'),
  );
  does(
    addForOne('replay', 'deliver again all changes after a position of the journal').requiredOption(
      '-a, --after <position>',
      'a position that the journal still holds',
      position,
    ),
    (all, id: string, { after }: { after: number }) => all.replay(id, after),
    webhookText,
  );
  does(
    addForOne('redeliver', 'deliver one message again').argument('<message>', 'the `webhook-id` of the message'),
    (all, id: string, message: string) => all.redeliver(id, message),
    ({ messageId }) => `The message ${messageId} is delivered within a few seconds.\n`,
  );
  does(
    addForOne('test', 'send a message of type `test`'),
    (all, id: string) => all.test(id),
    ({ messageId }) => `The message ${messageId} is sent by the gateway; \`log\` shows the outcome.\n`,
  );
  does(
    addForOne('log', 'list the last attempts, newest first').option(
      '-n, --limit <count>',
      'the number of attempts, up to 1000',
      count,
      20,
    ),
    (all, id: string, { limit }: { limit: number }) => all.attempts(id, limit),
    attemptsText,
  );
}

const position = wholeNumberFrom(0, Infinity, ', 0 for all that the journal holds from its beginning');
const count = wholeNumberFrom(1, 1000, ' from 1 to 1000');

const examples = `
Examples:
  records webhooks create "Workshop" --url https://example.com/in --key brg_0123456789ab
  records webhooks test wh_0123456789ab
  records webhooks log wh_0123456789ab
  records webhooks replay wh_0123456789ab --after 4711
`;

function secretText({ webhook, secret, publicKey }: WebhookWithSecret, what: string): string {
  return `${what} ${webhook.id}, "${webhook.name}".

  url         ${webhook.url}
  secret      ${secret}
  public key  ${publicKey}

The secret is shown only this once. Its receiver verifies signatures \`v1\` by it, or \`v1a\` by the public key alone.
`;
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

function attemptsText(attempts: readonly WebhookAttempt[]): string {
  const lines = attempts.map(
    ({ at, status, failure, milliseconds, messageId }) =>
      `${shownInstant(at)}  ${String(status ?? failure).padEnd(17)}  ${String(milliseconds).padStart(6)} ms  ${messageId}\n`,
  );
  return lines.join('') || 'Nothing has been delivered yet.\n';
}
