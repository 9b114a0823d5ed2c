/** The fields of a record among the arguments of an attempt. */
import type { Attempt } from './attempt.js';
import type { Deed } from './deed.js';

export type Fields = Record<string, unknown>;

/** The attempt with the fields of its record changed. */
export function withInput(attempt: Attempt, { input = [] }: Deed, change: (fields: Fields) => Fields): Attempt {
  const within = (value: unknown, [step, ...path]: readonly (string | number)[]): unknown => {
    if (step === undefined) return change(isFields(value) ? value : {});
    if (Array.isArray(value)) return value.map((item, index) => (index === step ? within(item, path) : item));
    return isFields(value) ? { ...value, [step]: within(value[step], path) } : value;
  };
  const args = within(attempt.args, input);
  return { ...attempt, args: isFields(args) ? args : attempt.args };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
