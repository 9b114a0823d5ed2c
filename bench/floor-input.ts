/** Checks the fields of an input by hand: their names and types, and that required fields are there. */
import { resourceOf } from '../test/support/resources.js';
import type { Model } from './data.js';
import type { Row } from './floor-table.js';

/** An input that is refused; the message says why. */
export class InputError extends Error {}

export interface InputChecks {
  /** @throws InputError */
  ofNew(input: Row): void;
  /** @throws InputError */
  ofChange(input: Row): void;
}

export function inputChecks(model: Model, otherNames: readonly string[] = []): InputChecks {
  const { fields } = resourceOf(model);
  const byName = new Map(fields.map((field) => [field.name, field]));
  const required = fields.filter((field) => field.required).map(({ name }) => name);

  function ofChange(input: Row): void {
    for (const name in input) {
      if (otherNames.includes(name)) continue;
      const field = byName.get(name);
      if (!field) throw new InputError(`${name} is unknown`);
      const value = input[name];
      if (value === null ? !field.nullable : !isOfType[field.type](value)) {
        throw new InputError(`${name} must be ${field.type}`);
      }
    }
  }

  return {
    ofChange,
    ofNew(input) {
      for (const name of required) if (input[name] == null) throw new InputError(`${name} is required`);
      ofChange(input);
    },
  };
}

const isOfType = {
  String: (value: unknown) => typeof value === 'string' && !value.includes('\0'),
  Float: (value: unknown) => typeof value === 'number',
  Int: (value: unknown) => Number.isInteger(value),
  Boolean: (value: unknown) => typeof value === 'boolean',
};
