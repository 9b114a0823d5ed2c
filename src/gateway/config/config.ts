/**
 * Puts all settings together; everything else gets a `Config`. A new setting is one entry, its form and its description,
 * in the file of its subject; its flag, its line in `--help` and its type in `Config` follow.
 */
import * as z from 'zod';
import { ConfigError } from '../../common/config-error.js';
import { addressSettings } from './address-settings.js';
import { databaseSettings } from './database-settings.js';
import { featureSettings } from './feature-settings.js';
import { limitSettings } from './limit-settings.js';
import { monitoringSettings } from './monitoring-settings.js';
import type { SettingFacts } from './setting.js';
import { startSettings } from './start-settings.js';
import { webSettings } from './web-settings.js';

/** The entries of all settings, in the order of `--help` and the README. */
const entries = {
  ...addressSettings,
  ...databaseSettings,
  ...startSettings,
  ...limitSettings,
  ...featureSettings,
  ...webSettings,
  ...monitoringSettings,
} satisfies Record<string, { facts: SettingFacts }>;

const schema = z.object(entries);

/** The configuration of a gateway. */
export type Config = z.infer<typeof schema>;

/** The description of a setting. */
export interface Setting extends SettingFacts {
  /** Its name in `Config`. */
  key: keyof Config;
}

/** All settings, in their order. */
export function settings(): Setting[] {
  return schema.keyof().options.map((key) => ({ key, ...entries[key].facts }));
}

/**
 * Reads the configuration from `given`, values by the names of their settings. `shownName` is what a problem calls a
 * setting. @throws ConfigError for invalid and for empty settings: an empty value is usually a mistake, such as an
 * undefined shell variable, which the default would hide
 */
export function readConfig(
  given: Readonly<Record<string, string | undefined>>,
  shownName: (setting: Setting) => string = ({ name }) => name,
): Config {
  const all = settings();
  const values = Object.fromEntries(all.map(({ key, name, default: value }) => [key, given[name] ?? value]));
  const result = schema.safeParse(values);
  const wrong = new Set(result.error?.issues.map((issue) => issue.path[0]));
  const problems = all.filter(({ key }) => values[key] === '' || wrong.has(key));
  if (result.success && problems.length === 0) return result.data;
  throw new ConfigError(
    problems.map((setting) => {
      const value = values[setting.key];
      return `${shownName(setting)} ${value === '' ? emptyProblem(setting) : valueProblem(setting, value)}`;
    }),
  );
}

function emptyProblem({ default: value }: Setting): string {
  return `is empty. Give it a value, or do not set it${value ? `: the default is ${value}` : ''}.`;
}

function valueProblem({ requirement, secret }: Setting, value: string | undefined): string {
  if (typeof requirement === 'function') return requirement(value ?? '');
  return `${requirement}${secret ? '' : `, not ${JSON.stringify(value)}`}.`;
}
