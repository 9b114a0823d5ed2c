import type * as z from 'zod';
import { readJson } from './read-json.js';
import { readTextFile } from './read-text-file.js';

/**
 * What a JSON file that people wrote holds; undefined if it has another form, or cannot be read. What is wrong is then added to
 * `problems`, each with its place, such as `2.claims.name` in the second entry of a list.
 */
export function readForm<Form extends z.ZodType>(
  path: string,
  form: Form,
  problems: string[],
): z.infer<Form> | undefined {
  try {
    const result = form.safeParse(readJson(readTextFile(path)));
    if (result.success) return result.data;
    problems.push(...result.error.issues.map(({ path: place, message }) => `${placeIn(place)}${message}`));
  } catch (error) {
    problems.push(String(error instanceof Error ? error.message : error));
  }
  return undefined;
}

const placeIn = (place: readonly PropertyKey[]): string =>
  place.length > 0 ? `\`${place.map((part) => (typeof part === 'number' ? part + 1 : String(part))).join('.')}\` ` : '';
