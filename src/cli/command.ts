import { constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Command, CommanderError, Help, Option } from 'commander';
import type { PlanWriter } from '../change/plan.js';
import { AlreadyReported, ConfigError, ExplainedError } from '../common/config-error.js';
import { visible } from '../common/output.js';
import { mayUse, readTextFile } from '../common/read-text-file.js';
import { type Config, type FeatureSettings, readConfig, type Setting, settings } from '../gateway/config/config.js';
import type { Feature, Surroundings } from '../gateway/feature.js';
import { GatewayError } from '../model/errors/gateway-error.js';

/** Adds a command that takes DATABASE_URL and these settings, or those of a feature, as flags. */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  ...takes: readonly (keyof Config | FeatureSettings)[]
): Command {
  const command = parent.command(name).description(description);
  const keys = takes.flatMap((each) => (typeof each === 'string' ? each : Object.keys(each.entries)));
  const features = takes.flatMap((each) => (typeof each === 'string' ? [] : { settings: each }));
  takeSettings(
    command,
    settings(features).filter(({ key }) => key === 'databaseUrl' || keys.includes(key)),
  );
  return command.option('--json', 'print JSON, for programs');
}

/** The context of `command`, which is the last argument of its action. @throws ConfigError */
export function contextOf(command: Command, surroundings: Surroundings) {
  const { json } = command.opts<{ json?: boolean }>();
  const form = (value: unknown, text: string) => visible(json ? `${JSON.stringify(value, null, 2)}\n` : text);
  return {
    config: configOf(command, surroundings),
    /** Prints the result: as JSON if `--json` asks for it, otherwise as text. */
    printResult: (value: unknown, text: string): void => surroundings.print(form(value, text)),
    /** The same on standard error, for commands whose standard output holds something else. */
    printSummary: (value: unknown, text: string): void => surroundings.printError(form(value, text)),
  };
}

// The settings of a command: from its flags, from the environment, and from the file `.env`, in this order.

/** Where the value of a setting comes from. */
type Source = 'flag' | 'environment' | '.env' | 'default';

/** The flag of a setting: `--database-url` for DATABASE_URL. */
const flagOf = ({ name }: Setting): string => `--${name.toLowerCase().replaceAll('_', '-')}`;

/** Lets `command` take these settings as flags, except for those that have no flag. */
export function takeSettings(command: Command, taken: readonly Setting[]): void {
  for (const setting of taken) {
    if (setting.isHidden) continue;
    const standard = setting.default === undefined ? '' : `: ${setting.default}`;
    command.addOption(new Option(`${flagOf(setting)} <value>`, `${setting.meaning} [${setting.name}${standard}]`));
  }
}

/** Columns of the help. */
export const helpWidth = 100;

/** The help on those of these settings that have no flag. */
export function hiddenSettings(all: readonly Setting[]): string {
  const help = Object.assign(new Help(), { helpWidth });
  const items = all
    .filter(({ isHidden }) => isHidden)
    .map(({ name, meaning }) => help.formatItem(name, 27, meaning, help));
  return [
    'Only from the environment or .env, because other users can see the command lines of a machine:',
    ...items,
    '',
  ].join('\n');
}

export type GivenSetting = ReturnType<typeof givenSettings>[number];

/** Every setting, as it is given to `command`; without a value if it is not set and has no default. @throws ConfigError if there is a file `.env` that cannot be read */
export function givenSettings(command: Command, { environment, folder, features }: Surroundings) {
  const flags = command.opts<Record<string, unknown>>();
  const file = readEnvironmentFile(join(folder, '.env'));
  return settings(features).map((setting) => {
    const flag = flags[setting.key];
    const places: [Source, string | undefined][] = [
      ['flag', typeof flag === 'string' ? flag : undefined],
      ['environment', environment[setting.name]],
      ['.env', file[setting.name]],
    ];
    const [source, value] = places.find((place) => place[1] !== undefined) ?? ['default' as const, setting.default];
    return { setting, source, value };
  });
}

/** The configuration of `command`. @throws ConfigError with all problems */
export function configOf(command: Command, surroundings: Surroundings): Config {
  const given = new Map(givenSettings(command, surroundings).map((each) => [each.setting.key, each]));
  const values = Object.fromEntries([...given.values()].map(({ setting, value }) => [setting.name, value]));
  return readConfig(values, surroundings.features, (setting) => {
    const source = given.get(setting.key)?.source;
    if (source === 'flag') return flagOf(setting);
    return source === '.env' ? `${setting.name} in .env` : setting.name;
  });
}

function readEnvironmentFile(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readTextFile(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // A user who may not enter the folder, such as that of a service, counts as one without a file.
    if (code === 'ENOENT' || !mayUse(dirname(path), constants.X_OK)) return {};
    throw new ConfigError([`The file ${path} cannot be read (${code}). Let this user read it, or remove it.`]);
  }
}

export const exitCodes = {
  /** It did what it was asked to do. */
  done: 0,
  /** It could not, and the message says why. */
  failed: 1,
  /** Nothing was attempted: the arguments or the settings are wrong. */
  misunderstood: 2,
  /** It checked, as it was asked to do, and found something wrong. */
  found: 3,
} as const;

/** A command could not do what it was asked to do. The message says why, and what to do. */
export class CommandError extends ExplainedError {}

/**
 * Nobody reads what is written to a pipe any more, such as behind `| head`. There is nobody to print an error for,
 * either.
 */
export class ReaderGoneError extends ExplainedError {}

/** A command has found something wrong, and has printed it. */
export class ProblemsFound extends Error {}

/** What to print for `error`, for a fault of ours also its stack: one text for each problem, none if everything has been printed. */
export function shownFailure(error: unknown): { code: number; problems: readonly string[] } {
  if (error instanceof AlreadyReported) return { code: error.code, problems: [] };
  if (error instanceof ProblemsFound) return { code: exitCodes.found, problems: [] };
  if (error instanceof CommanderError) {
    // Help was asked for and printed; a group of commands without one of them prints its help as an error.
    if (error.exitCode === 0) return { code: exitCodes.done, problems: [] };
    const problems = error.code === 'commander.help' ? [] : [error.message.replace(/^error: /, '')];
    return { code: exitCodes.misunderstood, problems };
  }
  // Other programs end like this too once nobody reads their output.
  if (error instanceof ReaderGoneError) return { code: exitCodes.failed, problems: [] };
  if (error instanceof ConfigError) return { code: exitCodes.misunderstood, problems: error.problems };
  return { code: exitCodes.failed, problems: problemsOf(error) };
}

function problemsOf(error: unknown): readonly string[] {
  if (!(error instanceof ExplainedError)) return [unexplained(error)];
  const problems = error instanceof GatewayError ? error.details.problems : undefined;
  return problems
    ? problems.map(({ path, message }) => `${nameIn(path)} ${message}.`.replace(/\?\.$/, '?'))
    : [error.message];
}

/** What the system or SQLite refuses is no fault of ours, and its message names the file. */
function unexplained(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('syscall' in error) return `${error.message}. Is the path right, and may this user read and write there?`;
  const code = 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_') ? `SQLite: ${error.message} (${code}).` : String(error.stack);
}

/** `["input", "scopes", 1]` → `scopes, number 2,` */
function nameIn(path: readonly (string | number)[]): string {
  return path
    .filter((part) => part !== 'input')
    .map((part) => (typeof part === 'number' ? `number ${part + 1}` : part))
    .join(', ');
}

/** Loads what all features write with the changes of a command. */
export const writersOf = (features: readonly Feature[]): Promise<PlanWriter[]> =>
  Promise.all(features.flatMap((feature) => feature.writes?.() ?? []));
