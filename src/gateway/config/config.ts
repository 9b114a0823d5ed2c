/**
 * Puts all settings together. A new setting is one entry, its form and its description, in `own-settings.ts` or in the
 * `index.ts` of a feature; its flag, its line in `--help` and its type follow.
 */
import * as z from 'zod';
import { ConfigError } from '../../common/config-error.js';
import { ownSettings } from './own-settings.js';
import type { SettingFacts, SettingTable } from './setting.js';

const ownSchema = z.object(ownSettings);
type Own = z.infer<typeof ownSchema>;

export interface Config extends Own {
  /** Those of all settings, of which each feature reads its own. */
  texts: SettingTexts;
}

/** By the names of settings in the configuration. */
export type SettingTexts = Readonly<Record<string, string | undefined>>;

export interface FeatureSettings {
  /** The setting of the gateway below which they are listed. */
  after: keyof Own;
  entries: SettingTable;
  /** Their values. */
  of(config: Pick<Config, 'texts'>): object;
}

/** Whoever may have settings: a feature. */
export interface HasSettings {
  settings?: FeatureSettings;
}

export interface Setting extends SettingFacts {
  /** In the configuration. */
  key: string;
  /** The environment variable. */
  name: string;
  form: z.ZodType;
}

/** Those of the gateway and of these features, in the order of `--help` and the README. */
export function settings(features: readonly HasSettings[]): Setting[] {
  return listed(ownSettings).flatMap((own) => [
    own,
    ...features.flatMap((each) => (each.settings?.after === own.key ? listed(each.settings.entries) : [])),
  ]);
}

const listed = (table: SettingTable): Setting[] =>
  Object.entries(table).map(([key, form]) => ({ key, name: nameOf(key), form, ...form.facts }));

/** `databaseUrl` → `DATABASE_URL` */
const nameOf = (key: string): string => key.replace(/[A-Z]/g, '_$&').toUpperCase();

/** The settings of a feature, behind this one of the gateway. */
export function settingsAfter<Table extends SettingTable>(after: keyof Own, entries: Table) {
  const form = z.object(entries);
  return { after, entries, of: ({ texts }: Pick<Config, 'texts'>) => form.parse(texts) };
}

/**
 * Reads the configuration from `given`, values by the names of their settings. `shownName` is what a problem calls a
 * setting. @throws ConfigError for invalid and for empty settings: an empty value is usually a mistake, such as an
 * undefined shell variable, which the default would hide
 */
export function readConfig(
  given: SettingTexts,
  features: readonly HasSettings[],
  shownName: (setting: Setting) => string = ({ name }) => name,
): Config {
  const texts: Record<string, string | undefined> = {};
  const problems: string[] = [];
  for (const setting of settings(features)) {
    const text = given[setting.name] ?? setting.default;
    texts[setting.key] = text;
    if (text === '')
      problems.push(`${shownName(setting)} is empty. Give it a value, or do not set it${usual(setting)}.`);
    else if (!setting.form.safeParse(text).success)
      problems.push(`${shownName(setting)} ${valueProblem(setting, text)}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return parsedConfig(texts);
}

export const parsedConfig = (texts: SettingTexts): Config => ({ ...ownSchema.parse(texts), texts });

const usual = ({ default: value }: Setting): string => (value ? `: the default is ${value}` : '');

function valueProblem({ requirement, secret }: Setting, value: string | undefined): string {
  if (typeof requirement === 'function') return requirement(value ?? '');
  return `${requirement}${secret ? '' : `, not ${JSON.stringify(value)}`}.`;
}
