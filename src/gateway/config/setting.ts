import * as z from 'zod';

/** What is said of a setting: printed by `--help`, and compared with the README's table. */
export interface SettingFacts {
  /** The default as text; undefined if there is none. */
  default?: string;
  meaning: string;
  /** What a valid value looks like, as the end of a sentence that begins with the name; or what is wrong with a given one. */
  requirement: string | ((value: string) => string);
  /** Whether a value may contain a secret and must not be shown. */
  secret?: true;
  /** Whether it has no flag, because the other users of a machine can see the command line. */
  isHidden?: true;
  /** Whether it holds for all workers together: one that starts later has that of the primary process. */
  isCommon?: true;
}

export type SettingTable = Readonly<Record<string, z.ZodType & { facts: SettingFacts }>>;

/**
 * The entry of a setting: its form, which carries its description as `facts`. The form is copied, because settings that
 * share one still have facts of their own.
 */
export function setting<Form extends z.ZodType>({ form, ...facts }: SettingFacts & { form: Form }) {
  return Object.assign(form.clone(), { facts });
}

// Forms that several settings have: which texts are valid, what becomes of them in the configuration, and what is said of others.

export const text = z.string();

/** A whole number from 1, with nine digits at most. */
export const count = {
  form: text.regex(/^[1-9]\d{0,8}$/).transform(Number),
  requirement: 'must be a whole number from 1',
};

export const flag = {
  form: z.enum(['true', 'false']).transform((value) => value === 'true'),
  requirement: 'must be true or false',
};

export const port = {
  form: text
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((number) => number <= 65535),
  requirement: 'must be a whole number from 0 to 65535',
};

export const filePath = { form: text, requirement: 'must be the path of a file' };

/** The same, of a setting that need not be set. */
export const optional = <Form extends z.ZodType, Facts>({ form, ...facts }: Facts & { form: Form }) => ({
  ...facts,
  form: form.optional(),
});

/** What is separated by commas; nothing if the setting is not set. */
export const list = (whole: z.ZodString) => whole.optional().transform((entries) => entries?.split(',') ?? []);
