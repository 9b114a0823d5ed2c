/** `records keys`: manages API keys. */
import { type Command, InvalidArgumentError } from 'commander';
import { addCommand, contextOf } from '../../cli/command.js';
import { instantOf, nameList, overlapOption, shownInstant } from '../../cli/option-values.js';
import { tableOf } from '../../common/output.js';
import type { Surroundings } from '../../gateway/feature.js';
import { verbsOfArea } from '../../model/scopes.js';
import { type ApiKey, type CreatedKey, stateOf } from './api-keys.js';

export function addKeys(program: Command, surroundings: Surroundings): void {
  const keys = program
    .command('keys')
    .description('manage the API keys of a database, also while gateways use it')
    .addHelpText('after', examples);
  const add = (name: string, description: string) => addCommand(keys, name, description);

  add('create', 'create a key and print its secret, which is not shown again')
    .argument('<name>', 'what the key is for')
    .requiredOption('-s, --scopes <list>', 'what it may do, separated by commas; may be repeated', nameList)
    .option('-e, --expires <when>', 'when it expires: 90d, 12h, 2027-01-31 [never]', when)
    .addHelpText('after', scopesHelp)
    .action(async (name: string, { scopes, expires }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { createKey, withDatabase } = await work();
      const made = await withDatabase(config, (database) => createKey(database, { name, scopes, expiresAt: expires }));
      printResult(made, createdText(made));
    });

  add('list', 'list the keys, newest first')
    .option('-a, --all', 'include revoked and expired keys')
    .action(async ({ all = false }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { listKeys, readDatabase } = await work();
      const found = await readDatabase(config, (database) => listKeys(database, { usableOnly: !all }));
      printResult(found, keyListText(found));
    });

  add('rotate', 'replace a key by a new one; both are valid during an overlap')
    .argument('<id>', 'the key to replace')
    .addOption(overlapOption('how long both are valid'))
    .option(
      '-e, --expires <when>',
      'when the new key expires: 90d, 2027-01-31, never [when the old one would]',
      whenOrNever,
    )
    .action(async (id: string, { overlap, expires }, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { rotateKey, withDatabase } = await work();
      const rotation = { overlapSeconds: overlap, expiresAt: expires };
      const made = await withDatabase(config, (database) => rotateKey(database, id, rotation));
      const end = shownInstant(new Date(Date.now() + overlap * 1000));
      printResult(made, `${createdText(made)}The old one is good until ${end} at the latest.\n`);
    });

  add('revoke', 'end a key for ever, in every process within a second')
    .argument('<id>', 'the id of the key, or its whole secret')
    .action(async (id: string, _options, command) => {
      const { config, printResult } = contextOf(command, surroundings);
      const { revokeKey, withDatabase } = await work();
      const key = await withDatabase(config, (database) => revokeKey(database, id));
      printResult(key, `Revoked the key ${key.id}, "${key.name}".\n`);
    });
}

/** Loads the code that needs a database at its first use. */
async function work() {
  const [opened, keys] = await Promise.all([import('../../cli/work.js'), import('./api-keys.js')]);
  return { ...opened, ...keys };
}

function when(text: string): Date {
  const instant = instantOf(text);
  if (!instant) throw new InvalidArgumentError('Give a time from now, 90d or 12h or 30m, or a date, 2027-01-31.');
  return instant;
}

const whenOrNever = (text: string): Date | null => (text === 'never' ? null : when(text));

const examples = `
Examples:
  records keys create "Nightly import" --scopes stock:read,stock:write --expires 90d
  records keys list
  records keys rotate brg_0123456789ab --overlap 24h
  records keys revoke brg_0123456789ab
  records keys create "A script" --scopes '*' --json
`;

const scopesHelp = `
Scopes:
  *                 everything but the administration of keys and webhooks
  admin             the administration of keys, and who calls what; nothing else
  webhooks          the administration of webhooks; nothing else
  <area>:<what>     ${[...verbsOfArea].map(([area, verbs]) => `${area}:${verbs.join('|')}`).join(`\n${' '.repeat(20)}`)}
`;

// Formats keys for a terminal.

/** A new key with its secret, which is shown only once. */
function createdText({ apiKey, secret }: CreatedKey): string {
  return `Made the key ${apiKey.id}, "${apiKey.name}".

  scopes   ${apiKey.scopes.join(' ')}
  expires  ${instantOr(apiKey.expiresAt, 'never')}
  secret   ${secret}

The secret is shown only this once; only its hash is kept.
`;
}

function keyListText(keys: readonly ApiKey[]): string {
  if (keys.length === 0) return 'There is no key. `records keys create --help` says how to make one.\n';
  const rows = keys.map((key) => [
    key.id,
    stateOf(key),
    instantOr(key.lastUsedAt, 'never'),
    instantOr(key.expiresAt, 'never'),
    key.scopes.join(' '),
    key.name,
  ]);
  return tableOf([['id', 'state', 'last used', 'expires', 'scopes', 'name'], ...rows]);
}

const instantOr = (instant: Date | null, otherwise: string): string => (instant ? shownInstant(instant) : otherwise);
