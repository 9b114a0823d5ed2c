import type * as z from 'zod';

/** What is said of a setting: printed by `--help`, and compared with the README's table. */
export interface SettingFacts {
  /** The environment variable. */
  name: string;
  /** The default as text; undefined if there is none. */
  default?: string;
  meaning: string;
  /** What a valid value looks like, as the end of a sentence that begins with the name; or what is wrong with a given one. */
  requirement: string | ((value: string) => string);
  /** Whether a value may contain a secret and must not be shown. */
  secret?: true;
  /** Whether it has no flag, because the other users of a machine can see the command line. */
  isHidden?: true;
}

/**
 * The entry of a setting: its form, which carries its description as `facts`. The form is copied, because settings that
 * share one still have facts of their own.
 */
export function setting<Form extends z.ZodType>({ form, ...facts }: SettingFacts & { form: Form }) {
  return Object.assign(form.clone(), { facts });
}
