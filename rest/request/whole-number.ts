import type { Parameter } from './parameter.js';

/** A query parameter that is a whole number from `minimum` to `maximum`, and `unless` where it is left out. */
export function wholeNumber(
  name: string,
  minimum: number,
  maximum: number,
  unless: number,
  description: string,
): Parameter {
  return {
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'integer', format: 'int32', minimum, maximum, default: unless },
    variable: name,
    read(text) {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= minimum && value <= maximum) return { value };
      return { problem: `must be a whole number from ${minimum} to ${maximum}` };
    },
  };
}
