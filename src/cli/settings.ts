/** The settings of a command: from its flags, from the environment, and from the file `.env`, in this order. */
import { accessSync, constants } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Command, Help, Option } from 'commander';
import { ConfigError } from '../common/config-error.js';
import { readTextFile } from '../common/read-text-file.js';
import { type Config, readConfig, type Setting, settings } from '../gateway/config/config.js';
import type { Surroundings } from './surroundings.js';

/** Where the value of a setting comes from. */
export type Source = 'flag' | 'environment' | '.env' | 'default';

export interface GivenSetting {
  setting: Setting;
  source: Source;
  /** Undefined if it is not set and has no default. */
  value: string | undefined;
}

/** The flag of a setting: `--database-url` for DATABASE_URL. */
export const flagOf = ({ name }: Setting): string => `--${name.toLowerCase().replaceAll('_', '-')}`;

/** Lets `command` take these settings as flags, except for those that have no flag. */
export function takeSettings(command: Command, uses: readonly (keyof Config)[]): void {
  for (const setting of settings()) {
    if (!uses.includes(setting.key) || setting.isHidden) continue;
    const standard = setting.default === undefined ? '' : `: ${setting.default}`;
    command.addOption(new Option(`${flagOf(setting)} <value>`, `${setting.meaning} [${setting.name}${standard}]`));
  }
}

/** Columns of the help. */
export const helpWidth = 100;

/** The help on those of these settings that have no flag. */
export function hiddenSettings(uses: readonly (keyof Config)[]): string {
  const help = Object.assign(new Help(), { helpWidth });
  const hidden = settings().filter(({ key, isHidden }) => isHidden && uses.includes(key));
  const items = hidden.map(({ name, meaning }) => help.formatItem(name, 27, meaning, help));
  return [
    'Only from the environment or .env, because other users can see the command lines of a machine:',
    ...items,
    '',
  ].join('\n');
}

/** Every setting, as it is given to `command`. @throws ConfigError if there is a file `.env` that cannot be read */
export function givenSettings(command: Command, { environment, folder }: Surroundings): GivenSetting[] {
  const flags = command.opts<Record<string, unknown>>();
  const file = readEnvironmentFile(join(folder, '.env'));
  return settings().map((setting) => {
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
  return readConfig(values, (setting) => {
    const source = given.get(setting.key)?.source;
    if (source === 'flag') return flagOf(setting);
    return source === '.env' ? `${setting.name} in .env` : setting.name;
  });
}

function readEnvironmentFile(path: string): NodeJS.Dict<string> {
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // A user who may not enter the folder, such as that of a service, counts as one without a file.
    if (code === 'ENOENT' || !mayEnter(dirname(path))) return {};
    throw new ConfigError([`The file ${path} cannot be read (${code}). Let this user read it, or remove it.`]);
  }
  return parseEnv(text);
}

function mayEnter(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
