/** The command line of `npm run keys`. It has no access to a database; the office it is given does the work. */
import { Command, InvalidArgumentError } from 'commander';
import type { ApiKey, CreatedKey, KeyInput, Rotation } from '../access/api-key.js';
import { verbsOfArea } from '../access/scopes.js';
import { createdText, listText } from './key-text.js';
import { instantOf, secondsOf, shownInstant } from './time.js';

/** Manages the keys of a database. */
export interface KeyAdministration {
  create(input: KeyInput): Promise<CreatedKey>;
  list(options: { usableOnly: boolean }): Promise<ApiKey[]>;
  rotate(id: string, rotation: Rotation): Promise<CreatedKey>;
  revoke(id: string): Promise<ApiKey>;
}

/** The command line; `print` receives the standard output. */
export function keysCommand(office: KeyAdministration, print: (text: string) => void): Command {
  const program = new Command('npm run keys --')
    .description('Manages the API keys in the database of DATABASE_URL, also while the gateway is running.')
    .addHelpText('after', examples)
    .showHelpAfterError('(--help says how)');
  const told = (value: object, text: string, { json }: { json?: boolean }) =>
    print(json ? `${JSON.stringify(value, null, 2)}\n` : text);

  program
    .command('create')
    .description('make a key and print its secret, this once')
    .argument('<name>', 'what the key is for')
    .requiredOption('-s, --scopes <list>', 'what it may do, separated by commas; may be repeated', scopeList)
    .option('-e, --expires <when>', 'when it ends: 90d, 12h, 2027-01-31; left out, it does not', when)
    .option('--json', 'print JSON')
    .addHelpText('after', scopesHelp)
    .action(async (name: string, { scopes, expires, ...form }) => {
      const made = await office.create({ name, scopes, expiresAt: expires });
      told(made, createdText(made, 'Made the key'), form);
    });

  program
    .command('list')
    .description('list the keys, newest first')
    .option('-a, --all', 'also those that were revoked or have expired')
    .option('--json', 'print JSON')
    .action(async ({ all = false, ...form }) => {
      const keys = await office.list({ usableOnly: !all });
      told(keys, listText(keys), form);
    });

  program
    .command('rotate')
    .description('replace a key by a new one; both are good for a while')
    .argument('<id>', 'the key to replace')
    .option('-o, --overlap <time>', 'how long both are good: 24h, 7d, 0s', seconds, 24 * 60 * 60)
    .option(
      '-e, --expires <when>',
      'when the new key ends: 90d, 2027-01-31, never [when the old one would]',
      whenOrNever,
    )
    .option('--json', 'print JSON')
    .action(async (id: string, { overlap, expires, ...form }) => {
      const made = await office.rotate(id, { overlapSeconds: overlap, expiresAt: expires });
      const end = shownInstant(new Date(Date.now() + overlap * 1000));
      told(made, `${createdText(made, 'Made the key')}The old one is good until ${end} at the latest.\n`, form);
    });

  program
    .command('revoke')
    .description('end a key for good, everywhere within a second')
    .argument('<id>', 'the key to end, or its whole secret')
    .option('--json', 'print JSON')
    .action(async (id: string, form) => {
      const key = await office.revoke(id);
      told(key, `Revoked the key ${key.id}, "${key.name}".\n`, form);
    });

  return program;
}

function scopeList(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(/[\s,]+/).filter((scope) => scope !== '')];
}

function when(text: string): Date {
  const instant = instantOf(text);
  if (!instant) throw new InvalidArgumentError('Give a time from now, 90d or 12h or 30m, or a date, 2027-01-31.');
  return instant;
}

const whenOrNever = (text: string): Date | null => (text === 'never' ? null : when(text));

function seconds(text: string): number {
  const amount = secondsOf(text);
  if (amount === undefined) throw new InvalidArgumentError('Give a time: 7d, 24h, 30m or 0s.');
  return amount;
}

const examples = `
Examples:
  npm run keys -- create "Nightly import" --scopes stock:read,stock:write --expires 90d
  npm run keys -- list
  npm run keys -- rotate brg_0123456789ab --overlap 24h
  npm run keys -- revoke brg_0123456789ab
  npm run --silent keys -- create "A script" --scopes '*' --json
`;

const scopesHelp = `
Scopes:
  *                 everything but the administration of keys and webhooks
  admin             the administration of keys, and nothing else
  webhooks          the administration of webhooks, and nothing else
  <area>:<what>     ${[...verbsOfArea].map(([area, verbs]) => `${area}:${verbs.join('|')}`).join(`\n${' '.repeat(20)}`)}
`;
