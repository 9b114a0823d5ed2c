/** An argument is used without coercion only if its whole constraint is checked there too. */
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
/** Making a schema of all resources takes half a second. */
const few = resources.filter(({ model }) => model.startsWith('AssetRepair'));
const repair = { failureDate: '2026-01-31', asset: 'lathe' };

test.each<[string, string, string, unknown, Constraint, boolean]>([
  ['a list', list, 'inputs', [repair], {}, true],
  ['a list of a certain length', list, 'inputs', [repair], { maximumLength: 100 }, true],
  ['a list with another constraint', list, 'inputs', [repair], { maximumLength: 100, notEmpty: true }, false],
  ['an object', object, 'input', repair, {}, true],
  ['an object with a constraint', object, 'input', repair, { oneOf: [] }, false],
  ['an object with the constraint of a list', object, 'input', repair, { maximumLength: 1 }, false],
])('%s', (_case, source, name, given, constraint, isUnchanged) => {
  const schema = createSchema({ resources: few, features: serving });
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const argument of Object.values(fields).flatMap(({ args }) => args)) {
    if (argument.name === name) argument.extensions = { ...argument.extensions, constraint };
  }
  const operation = createAdmission(schema, { costLimit: 100_000 }).fromRequest(
    { query: source, variables: { given } },
    true,
  );
  const write = compiledWritesOf('sqlite', 1_000_000)(operation);
  // Coercion copies objects.
  const firstOf = (value: unknown) => [value].flat()[0];
  expect(firstOf(write?.given(operation.variables)?.[name]) === firstOf(given)).toBe(isUnchanged);
});
