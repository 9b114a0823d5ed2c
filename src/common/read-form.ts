/**
 * The JSON files that settings name, and that people write. All that is wrong with one is told at once, each with its place,
 * such as `2.claims.name` in the second entry of a list.
 */
import { statSync } from 'node:fs';
import * as z from 'zod';
import { didYouMean } from './nearest.js';
import { readJson } from './read-json.js';
import { readTextFile } from './read-text-file.js';

/** Hears what is wrong, as the end of a sentence that begins with the place. */
export type Objecting = (problem: string) => void;

/** One that adds to `problems` what is wrong with the file that a setting names. */
export const objectingTo =
  (setting: string, path: string, problems: string[]): Objecting =>
  (problem) =>
    void problems.push(`${setting} names ${path}, which cannot be used: ${problem}.`.replace(/\?\.$/, '?'));

/** Bytes of such a file, and levels of lists and objects within others. */
const largest = 16 * 1024 * 1024;
const deepest = 50;

/** The form of a JSON object of texts; `otherwise` is what is wrong with anything else. */
export const textsByName = (otherwise: string) => z.record(z.string(), z.string('must be a text'), otherwise);

/** What the file holds; undefined if it has another form, or cannot be read. */
export function readForm<Form extends z.ZodType>(
  path: string,
  form: Form,
  object: Objecting,
): z.infer<Form> | undefined {
  try {
    const found = statSync(path);
    // A device or a pipe may have no end, and would hold up the start for ever.
    if (!found.isFile()) throw new Error('it is no file, but a folder, a device or a pipe');
    if (found.size > largest) throw new Error(`it has more than ${largest} bytes`);
    const value = readJson(readTextFile(path));
    if (isDeeper(value, deepest)) throw new Error(`it nests lists and objects in more than ${deepest} levels`);
    return formed(form, value, [], object);
  } catch (error) {
    object(String(error instanceof Error ? error.message : error));
    return undefined;
  }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1)));

/** The value of a place in such a file, as the form makes it; undefined if it has another form. */
export function formed<Form extends z.ZodType>(
  form: Form,
  value: unknown,
  at: readonly string[],
  object: Objecting,
): z.infer<Form> | undefined {
  const { data, error } = form.safeParse(value, { error: meaningOf });
  for (const { path, message } of error?.issues ?? []) object(`${placeIn([...at, ...path])}${message}`);
  return data;
}

const placeIn = (place: readonly PropertyKey[]): string =>
  place.length > 0 ? `\`${place.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join('.')}\` ` : '';

/** What is wrong with names; of the rest a form says it itself. */
const meaningOf: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
      const hint = issue.keys.map((key) => didYouMean(key, known)).find(Boolean) ?? '';
      const possible = hint || known.length > 10 ? hint : `; possible are ${known.join(', ')}`;
      return `has what is not known there, ${issue.keys.map((key) => `\`${key}\``).join(', ')}${possible}`;
    }
    case 'invalid_value':
      return `is none of those that are possible there${didYouMean(String(issue.input), issue.values.map(String))}`;
    case 'invalid_key':
      return issue.issues[0]?.message;
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be of the type ${issue.expected}`;
  }
};
