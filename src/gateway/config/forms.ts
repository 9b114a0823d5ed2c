/** Forms that several settings have: which texts are valid, and what becomes of them in the configuration. */
import * as z from 'zod';

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
export const list = (text: z.ZodString) => text.optional().transform((entries) => entries?.split(',') ?? []);
