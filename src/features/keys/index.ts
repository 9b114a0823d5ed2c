/** API keys are made, listed and revoked: by administrators over GraphQL, and on the command line. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { addCommand, contextOf } from '../../cli/command.js';
import { instantOf, nameList, overlapOption, shownInstant } from '../../cli/option-values.js';
import { tableOf } from '../../common/output.js';
import { readJson } from '../../common/read-json.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import type { Claims } from '../../gateway/access/grants.js';
import type { Feature, Surroundings } from '../../gateway/feature.js';
import { verbsOfArea } from '../../model/scopes.js';
import type { ApiKey, CreatedKey } from './api-keys.js';

export const keys: Feature = {
  name: 'keys',
  commands: addKeys,
  served: async () => ({ schema: (await import('./schema/api-key-fields.js')).addApiKeys }),
};

type Keys = typeof import('./api-keys.js');

function addKeys(program: Command, surroundings: Surroundings): void {
  const keys = program
    .command('keys')
    .description('manage the API keys of a database, also while gateways use it')
    .addHelpText('after', examples);
  const add = (name: string, description: string) => addCommand(keys, name, description);
  /** Does this with the keys of the database, and prints what comes of it. */
  const run = async <Result>(
    command: Command,
    act: (keys: Keys, database: OpenedDatabase) => Promise<Result>,
    textOf: (result: Result, keys: Keys) => string,
    onlyReads = false,
  ) => {
    const { config, printResult } = contextOf(command, surroundings);
    const [{ withDatabase }, keys] = await Promise.all([import('../../cli/work.js'), import('./api-keys.js')]);
    const result = await withDatabase(config, (database) => act(keys, database), onlyReads);
    printResult(result, textOf(result, keys));
  };

  const grantsFor = async (command: Command) => {
    const { grantsOfCommand } = await import('../../cli/work.js');
    return (await grantsOfCommand(surroundings.features, contextOf(command, surroundings).config)).value;
  };

  add('create', 'create a key and print its secret, which is not shown again')
    .argument('<name>', 'what the key is for')
    .option('-s, --scopes <list>', 'what it may do, separated by commas; may be repeated', nameList)
    .addOption(
      new Option('-r, --role <name>', 'a role that says what it may do, in place of scopes; may be repeated')
        .argParser(nameList)
        .conflicts('scopes'),
    )
    .option('-c, --claim <name=value>', 'what the rules of its roles may ask of it; may be repeated', claims)
    .option('-e, --expires <when>', 'when it expires: 90d, 12h, 2027-01-31 [never]', when)
    .addHelpText('after', scopesHelp)
    .action(async (name: string, { scopes, role: roles, claim: claims, expires: expiresAt }, command: Command) => {
      if (!scopes && !roles) command.error('error: give it --scopes or --role: what may it do?');
      // Without ROLES here, the gateways may know them.
      const grants = roles && (await grantsFor(command));
      const input = { name, scopes, roles, claims: claims && JSON.stringify(claims), expiresAt };
      await run(command, ({ createKey }, database) => createKey(database, input, grants), createdText);
    });

  add('list', 'list the keys, newest first')
    .option('-a, --all', 'include revoked and expired keys')
    .action(({ all = false }, command) =>
      run(command, ({ listKeys }, database) => listKeys(database, { usableOnly: !all }), keyListText, true),
    );

  add('rotate', 'replace a key by a new one; both are valid during an overlap')
    .argument('<id>', 'the key to replace')
    .addOption(overlapOption('how long both are valid'))
    .option(
      '-e, --expires <when>',
      'when the new key expires: 90d, 2027-01-31, never [when the old one would]',
      (text: string) => (text === 'never' ? null : when(text)),
    )
    .action((id: string, { overlap: overlapSeconds, expires: expiresAt }, command) =>
      run(
        command,
        ({ rotateKey }, database) => rotateKey(database, id, { overlapSeconds, expiresAt }),
        (made) => {
          const end = shownInstant(new Date(Date.now() + overlapSeconds * 1000));
          return `${createdText(made)}The old one is good until ${end} at the latest.\n`;
        },
      ),
    );

  add('revoke', 'end a key for ever, in every process within a second')
    .argument('<id>', 'the id of the key, or its whole secret')
    .action((id: string, _options, command) =>
      run(
        command,
        ({ revokeKey }, database) => revokeKey(database, id),
        (key) => `Revoked the key ${key.id}, "${key.name}".\n`,
      ),
    );
}

function when(text: string): Date {
  const instant = instantOf(text);
  if (!instant) throw new InvalidArgumentError('Give a time from now, 90d or 12h or 30m, or a date, 2027-01-31.');
  return instant;
}

/** `company=ACME`, `companies=["A","B"]` */
function claims(text: string, before: Claims = {}): Claims {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Give a name and a value: company=ACME.');
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`${name} is given twice; give a list as one value.`);
  try {
    return { ...before, [name]: /^["[{]/.test(value) ? readJson(value) : value };
  } catch (error) {
    throw new InvalidArgumentError(`The value is ${error instanceof Error ? error.message : error}.`);
  }
}

const examples = `
Examples:
  records keys create "Nightly import" --scopes stock:read,stock:write --expires 90d
  records keys list
  records keys rotate brg_0123456789ab --overlap 24h
  records keys revoke brg_0123456789ab
  records keys create "A script" --scopes '*' --json
  records keys create "Shop floor" --role technician --claim company=ACME
`;

const scopesHelp = `
Scopes:
  *                 everything but the administration of keys and webhooks
  admin             the administration of keys, and who calls what; nothing else
  webhooks          the administration of webhooks; nothing else
  <area>:<what>     ${[...verbsOfArea].map(([area, verbs]) => `${area}:${verbs.join('|')}`).join(`\n${' '.repeat(20)}`)}
`;

function createdText({ apiKey, secret }: CreatedKey): string {
  return `Made the key ${apiKey.id}, "${apiKey.name}".

  ${rightsText(apiKey)}
  expires  ${instantOr(apiKey.expiresAt, 'never')}
  secret   ${secret}

The secret is shown only this once; only its hash is kept.
`;
}

const rightsText = ({ scopes, roles }: ApiKey): string =>
  roles.length > 0 ? `roles    ${roles.join(' ')}` : `scopes   ${scopes.join(' ')}`;

function keyListText(keys: readonly ApiKey[], { stateOf }: Keys): string {
  if (keys.length === 0) return 'There is no key. `records keys create --help` says how to make one.\n';
  const rows = keys.map((key) => [
    key.id,
    stateOf(key),
    instantOr(key.lastUsedAt, 'never'),
    instantOr(key.expiresAt, 'never'),
    key.roles.length > 0 ? `roles: ${key.roles.join(' ')}` : key.scopes.join(' '),
    key.name,
  ]);
  return tableOf([['id', 'state', 'last used', 'expires', 'scopes', 'name'], ...rows]);
}

const instantOr = (instant: Date | null, otherwise: string): string => (instant ? shownInstant(instant) : otherwise);
