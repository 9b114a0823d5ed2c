import * as z from 'zod';

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

// Forms that several settings have: which texts are valid, and what becomes of them in the configuration.

export const text = z.string();

/** A whole number from 1, with nine digits at most. */
export const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

export const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .refine((number) => number <= 65535);

/** In the environment megabytes, in the configuration bytes. */
export const megabytes = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,3})?$/)
  .transform((text) => Math.round(Number(text) * 1024 * 1024))
  .refine((bytes) => bytes > 0 && bytes <= 256 * 1024 * 1024);

/** In the environment seconds, in the configuration milliseconds. */
export const duration = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,3})?$/)
  .transform((text) => Number(text) * 1000);

export const seconds = duration.refine((milliseconds) => milliseconds > 0);

/** Seconds, where 0 means that so much time never passes. */
export const secondsOrNever = duration.transform((milliseconds) => milliseconds || Number.POSITIVE_INFINITY);

/** What is separated by commas; nothing if the setting is not set. */
export const list = (whole: z.ZodString) => whole.optional().transform((entries) => entries?.split(',') ?? []);
