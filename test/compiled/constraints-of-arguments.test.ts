/** An argument that is a variable is used as it was sent where its own constraint holds, and left to the resolvers where not. */
import { expect, test } from 'vitest';
import { compiledWritesOf } from '../../src/change/compiled/writes.js';
import { createSchema } from '../../src/graphql/create-schema.js';
import type { Constraint } from '../../src/graphql/inputs/filters.js';
import { createAdmission } from '../../src/graphql/operation/admission.js';
import { resources } from '../support/resources.js';
import { serving } from '../support/schema.js';

const list =
  'mutation ($given: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $given) { records { id } } }';
const object = 'mutation ($given: CreateAssetRepairInput!) { createAssetRepair(input: $given) { record { id } } }';
const number = 'mutation ($given: Int) { submitAssetRepair(id: "a", expectedVersion: $given) { record { id } } }';
const text = 'mutation ($given: ID!) { submitAssetRepair(id: $given) { record { id } } }';
/** Making a schema of all resources takes half a second. */
const few = resources.filter(({ model }) => model.startsWith('AssetRepair'));
const repair = { failureDate: '2026-01-31', asset: 'lathe' };

test.each<[string, string, string, unknown, Constraint, boolean]>([
  ['a list', list, 'inputs', [repair], {}, true],
  ['a list of a certain length', list, 'inputs', [repair], { maximumLength: 100 }, true],
  ['an object', object, 'input', repair, {}, true],
  ['an object of so many values', object, 'input', repair, { mostValues: 2 }, true],
  ['a number', number, 'expectedVersion', 2, { minimum: 2 }, true],
  ['a number that is too small', number, 'expectedVersion', 1, { minimum: 2 }, false],
  ['no number', number, 'expectedVersion', null, { minimum: 2 }, true],
  ['null where none is taken', number, 'expectedVersion', null, { notNull: 'leave it out' }, false],
  ['a text', text, 'id', 'abc', { longest: 3 }, true],
  ['a text that is too long', text, 'id', 'abcd', { longest: 3 }, false],
])('%s', (_case, source, name, given, constraint, isTaken) => {
  const schema = createSchema({ resources: few, features: serving });
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const argument of Object.values(fields).flatMap(({ args }) => args)) {
    if (argument.name === name) argument.extensions = { ...argument.extensions, constraint };
  }
  const operation = createAdmission(schema, { costLimit: 100_000 }).fromRequest(
    { query: source, variables: { given } },
    true,
  );
  const taken = compiledWritesOf('sqlite', 1_000_000)(operation)?.given(operation.coerced);
  expect(taken?.[name]).toBe(isTaken ? given : undefined);
});
