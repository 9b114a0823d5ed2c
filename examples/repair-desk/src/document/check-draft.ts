import { type Draft, placeInLine } from './draft.js';
import { type Field, fields, lineFields } from './fields.js';

/** What is wrong with values of the form, by their place; under the key of a line what is wrong with the whole line. */
export type Problems = ReadonlyMap<string, string>;

export const valueNeeded = 'A value is needed.';

/** The problems that can be found before the gateway is asked: missing values, and texts that are no numbers. */
export function checkDraft({ values, lines }: Draft): Problems {
  const problems = new Map<string, string>();
  const check = (field: Field, value: string, place: string) => {
    const problem = problemOf(field, value.trim());
    if (problem !== undefined) problems.set(place, problem);
  };
  for (const field of fields) check(field, values[field.name], field.name);
  for (const line of lines) {
    for (const field of lineFields) check(field, line.values[field.name], placeInLine(line.key, field.name));
  }
  return problems;
}

function problemOf({ type, required }: Field, value: string): string | undefined {
  if (value === '') return required ? valueNeeded : undefined;
  return type === 'number' && !Number.isFinite(Number(value)) ? 'A number is needed, such as 120.5.' : undefined;
}
