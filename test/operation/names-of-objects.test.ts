/** A variable may be called as something that every object of JavaScript has; left out, it has no value all the same. */
import { expect, test } from 'vitest';
import { createAdmission } from '../../src/graphql/operation/admission.js';
import { parseDocument } from '../../src/graphql/operation/documents.js';
import { costOf } from '../support/cost.js';
import { schema } from '../support/schema.js';

const admission = createAdmission(schema, { costLimit: 100_000 });

test.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])('$%s', (name) => {
  const declared = `($${name}: AssetRepairFilter, $n: Int = 3)`;
  const query = `query ${declared} { assetRepairs(where: $${name}, first: $n) { totalCount } }`;
  const operation = admission.fromRequest({ query, variables: {} }, true);
  expect(operation.cost.requested).toBe(2);
  expect(costOf(schema, parseDocument(query))).toBe(2);
  const [field] = operation.tree?.fields ?? [];
  expect(field?.arguments(operation.coerced)).toEqual({ first: 3 });
  const gives = field?.gives('where');
  expect(typeof gives === 'function' && gives(operation.coerced)).toBe(false);
  const within = `query ($${name}: String) { assetRepairs(where: { asset: { eq: $${name} } }) { totalCount } }`;
  const literal = admission.fromRequest({ query: within, variables: {} }, true);
  expect(literal.tree?.fields[0]?.arguments(literal.coerced)).toEqual({ where: { asset: {} } });
  const text = `subscription ($${name}: ID) { assetRepairChanged(id: $${name}) { __typename } }`;
  const streamed = admission.fromStreamRequest({ query: text, variables: {} }, true);
  expect('root' in streamed && [streamed.root.args.id, streamed.root.variables[name]]).toEqual([undefined, undefined]);
});
