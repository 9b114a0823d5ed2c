import { Command } from 'commander';
import { ExplainedError } from '../common/config-error.js';
import { visible } from '../common/output.js';
import { gatewayVersion } from '../common/project.js';
import { addressForLibpq, withoutPasswords } from '../database/database-url.js';
import { settings } from '../gateway/config/config.js';
import type { Feature, Surroundings } from '../gateway/feature.js';
import type { CreateApi } from '../gateway/gateway.js';
import {
  addCommand,
  CommandError,
  configOf,
  contextOf,
  exitCodes,
  type GivenSetting,
  givenSettings,
  helpWidth,
  hiddenSettings,
  ProblemsFound,
  shownFailure,
  takeSettings,
} from './command.js';

/** Loads the interface of REST, where a gateway serves. */
type LoadApi = () => Promise<CreateApi>;

/**
 * Runs a command from its arguments, or `serve` without any. Prints what is wrong, and resolves with the exit code.
 * Once the gateway serves, it goes on after that.
 */
export async function runRecords(
  words: readonly string[],
  surroundings: Surroundings,
  loadApi: LoadApi,
): Promise<number> {
  const program = recordsProgram(surroundings, loadApi);
  const typed = words.length > 0 ? words : ['serve'];
  try {
    requireNeeded(surroundings.features);
    await program.parseAsync(typed, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    const { code, problems } = shownFailure(error);
    if (problems.length === 0) return code;
    const help = `\`${nameOf(commandIn(program, typed))} --help\` says how.`;
    const isMisunderstood = code === exitCodes.misunderstood;
    const text = typed.includes('--json')
      ? `${JSON.stringify({ exitCode: code, problems }, null, 2)}\n`
      : `${textOf(problems)}${isMisunderstood ? `${help}\n` : ''}`;
    surroundings.printError(visible(text));
    return code;
  }
}

function textOf(problems: readonly string[]): string {
  const [first, ...others] = problems;
  if (others.length === 0) return `error: ${first}\n`;
  return `error: ${problems.length} problems\n${problems.map((problem) => `  ${problem}\n`).join('')}`;
}

function commandIn(program: Command, words: readonly string[]): Command {
  const next = program.commands.find((command) => command.name() === words[0]);
  return next ? commandIn(next, words.slice(1)) : program;
}

function nameOf(command: Command): string {
  return command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

/** `records config`: the settings in force. */
function addConfig(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('config')
    .description('show the settings in force and where each comes from; secrets are masked');
  takeSettings(command, settings(surroundings.features));
  command
    .option('--json', 'print JSON, for programs')
    .option(
      '--libpq',
      'print DATABASE_URL as pg_dump and psql take it, without the parameters of the gateway; its password is masked on a terminal only',
    )
    .action(({ libpq = false }) => {
      const given = givenSettings(command, surroundings).map((each) => ({ ...each, value: shownValue(each) }));
      const { config, printResult } = contextOf(command, surroundings);
      if (libpq) return surroundings.print(`${addressFor(config.databaseUrl, surroundings)}\n`);
      const width = Math.max(...given.map(({ setting: { name } }) => name.length));
      printResult(
        given.map(({ setting: { name }, value = null, source }) => ({ name, value, source })),
        given
          .map(({ setting: { name }, value = '-', source }) => `${name.padEnd(width)}  ${value}  (${source})\n`)
          .join(''),
      );
    });
}

/** @throws CommandError for SQLite */
function addressFor(url: string, { printsToTerminal }: Surroundings): string {
  if (url.startsWith('file:'))
    throw new CommandError('DATABASE_URL is an SQLite file, which no program of PostgreSQL takes.');
  const address = addressForLibpq(url);
  return printsToTerminal ? withoutPasswords(address, mask) : address;
}

const mask = '********';

/** The value to show, with the passwords in database URLs masked; undefined if there is none. */
function shownValue({ setting, value }: GivenSetting): string | undefined {
  if (value === undefined || !setting.secret || value.startsWith('file:')) return value;
  if (!/^database(Direct|Read)?Url$/.test(setting.key)) return mask;
  return value
    .split(',')
    .map((address) => withoutPasswords(address, mask))
    .join(',');
}

/** `records migrate`: the migrations of a database. */
function addMigrate(program: Command, surroundings: Surroundings): void {
  const migrate = program
    .command('migrate')
    .description('migrate a database, for gateways that start with MIGRATE=false');

  addCommand(
    migrate,
    'status',
    'list the migrations that the database lacks, or what it lacks of theirs; exit code 3 if there is any',
  ).action(async (_options, command) => {
    const { config, printResult } = contextOf(command, surroundings);
    const { readMigrationStatus, requireDatabase } = await import('./work.js');
    requireDatabase(config.databaseUrl);
    const found = await readMigrationStatus(config.databaseUrl);
    const { applied, missing, differing = [] } = found;
    const lacking = [...missing.map((name) => `Lacks the migration ${name}`), ...differing];
    const upToDate = `The database is up to date: it has all ${applied.length} migrations.`;
    printResult(found, `${lacking.join('\n') || upToDate}\n`);
    if (lacking.length > 0) throw new ProblemsFound();
  });

  addCommand(migrate, 'apply', 'apply all missing migrations, or none').action(async (_options, command) => {
    const { config, printResult } = contextOf(command, surroundings);
    const { openDatabase } = await import('./work.js');
    const messages: string[] = [];
    const log = (message: string) => void messages.push(message);
    const database = await openDatabase({ url: config.databaseUrl, migrate: true, log });
    await database.close();
    printResult({ messages }, [...messages, 'The database is up to date.', ''].join('\n'));
  });
}

/** `records serve` */
function addServe(program: Command, surroundings: Surroundings, loadApi: LoadApi): void {
  const all = settings(surroundings.features);
  const command = program
    .command('serve')
    .description('start the gateway, which runs until it gets a signal to stop')
    .addHelpText('after', `\n${hiddenSettings(all)}`)
    .action(async () => {
      const readSettings = () => configOf(command, surroundings);
      const config = readSettings();
      const { serve } = await import('../gateway/start/serve.js');
      const { program, features } = surroundings;
      await serve({ config, readSettings, program, features, loadApi });
    });
  takeSettings(command, all);
}

/** The command line `records`. What a command does is loaded when it is asked for. */
export function recordsProgram(surroundings: Surroundings, loadApi: LoadApi): Command {
  const program = new Command('records')
    .description('Business Records Gateway: business records over GraphQL and REST.')
    .version(gatewayVersion(), '-V, --version', 'print the version')
    .configureOutput({ writeOut: surroundings.print, writeErr: surroundings.printError, outputError: () => {} })
    .configureHelp({ helpWidth })
    .exitOverride();
  addServe(program, surroundings, loadApi);
  for (const add of [addMigrate, addConfig]) add(program, surroundings);
  for (const { commands } of surroundings.features) commands?.(program, surroundings);
  return program.addHelpText('after', notes);
}

const notes = `
A setting is taken from its flag, from the environment variable in brackets, or from the file .env
in the current folder, in this order. Without a command, \`records\` serves.

Exit codes: 0 done; 1 failed; 2 the arguments or the settings are wrong, and nothing was attempted;
3 a command that looks for problems has found some.
`;

/** @throws if a feature is there without one that it needs */
function requireNeeded(features: readonly Feature[]): void {
  const names = features.map(({ name }) => name);
  for (const { name, needs = [] } of features)
    for (const needed of needs)
      if (!names.includes(needed)) throw new ExplainedError(`The feature ${name} needs ${needed}, which is left out.`);
}
