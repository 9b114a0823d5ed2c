/** The fields of a record in the arguments of a call. */
import type { GraphqlCall } from './calls.js';
import type { TestOperation } from './test-operation.js';

export type Fields = Record<string, unknown>;

/** The call with the fields of its record changed. */
export function withInput(
  call: GraphqlCall,
  { inputPath = [] }: TestOperation,
  change: (fields: Fields) => Fields,
): GraphqlCall {
  const within = (value: unknown, [step, ...path]: readonly (string | number)[]): unknown => {
    if (step === undefined) return change(isFields(value) ? value : {});
    if (Array.isArray(value)) return value.map((item, index) => (index === step ? within(item, path) : item));
    return isFields(value) ? { ...value, [step]: within(value[step], path) } : value;
  };
  const args = within(call.args, inputPath);
  return { ...call, args: isFields(args) ? args : call.args };
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
