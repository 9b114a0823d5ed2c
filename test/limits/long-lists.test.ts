/** Lists and objects are refused by their size, before anything in them is looked at. */

import { isInputType, Kind, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { checkedType, checkInput } from '../../src/graphql/guards/check-input.js';
import { variableBounds } from '../../src/graphql/guards/variable-problems.js';
import { createAdmission } from '../../src/graphql/operation/admission.js';
import { schema } from '../support/schema.js';
import { sharedGateway } from '../support/shared-gateway.js';

/** Only wrong items, so that each item that is looked at is a problem. */
const wrong = (length: number) => Array.from({ length }, () => 1.5);

describe.each(['sqlite', 'postgresql'] as const)('on %s', (provider) => {
  test.each([
    ['ids', 'query ($list: [ID!]!) { nodes(ids: $list) { id } }', 1001],
    [
      'values of a filter',
      'query ($list: [String!]) { assetRepairs(where: { asset: { in: $list } }) { totalCount } }',
      1001,
    ],
    [
      'values of a filter in a fragment',
      'query ($list: [String!]) { ...F } fragment F on Query { assetRepairs(where: { not: { asset: { in: $list } } }) { totalCount } }',
      1001,
    ],
    ['orders', 'query ($list: [AssetRepairSort!]) { assetRepairs(orderBy: $list) { totalCount } }', 9],
    ['types of records', 'query ($list: [RecordType!]) { changes(types: $list) { position } }', 1001],
    [
      'new records',
      'mutation ($list: [CreateIndustryTypeInput!]!) { createManyIndustryTypes(inputs: $list) { records { id } } }',
      101,
    ],
    ['ids to delete', 'mutation ($list: [ID!]!) { deleteManyIndustryTypes(ids: $list) { deletedIds } }', 101],
    [
      'ids in order',
      'mutation ($list: [ID!]) { reorderAssetRepairConsumedItems(parentId: "x", ids: $list) { records { id } } }',
      30_001,
    ],
  ])('a variable with too many %s has one problem, its length', async (_, query, length) => {
    const gateway = await sharedGateway(provider, true);
    const { body } = await gateway.graphql(query, { list: wrong(length) });
    const { extensions } = body.errors[0];
    expect(extensions.errors).toEqual([
      {
        param: 'list',
        code: 'parameter_invalid',
        message: expect.stringMatching(/must hold at most \d+ items, not \d+/),
      },
    ]);
  });
});

test('a variable in several places may hold what one of them takes', () => {
  const document = parse(`query ($list: [ID!]!) {
    nodes(ids: $list) { id } assetRepairs(where: { id: { in: $list } }) { totalCount }
    assetRepairConsumedItems(where: { or: [{ id: { in: $list } }] }) { totalCount } }`);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  expect(variableBounds(schema, document, operation).get('list')).toMatchObject({ maximumLength: 1000 });
});

test('each name of an object is looked at once, however many are unknown', () => {
  const type = schema.getType('CreateIndustryTypeInput');
  if (!isInputType(type)) throw new Error('no input');
  const names = Array.from({ length: 1000 }, (_, index) => `n${index}`);
  let looked = 0;
  const input = new Proxy(Object.fromEntries(names.map((name) => [name, 1])), {
    getOwnPropertyDescriptor(target, name) {
      looked++;
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
  const { problems } = checkInput(input, { type: checkedType(type), constraint: {} }, ['input']);
  expect(problems).toHaveLength(51);
  expect(problems[0]).toMatchObject({ code: 'parameter_missing' });
  expect(problems[50]).toMatchObject({ code: 'parameter_unknown', more: 951 });
  expect(looked).toBeLessThan(1100);
});

test('variables that are not declared are dropped', () => {
  const admission = createAdmission(schema, { costLimit: 1000 });
  const undeclared = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`n${index}`, 1]));
  const query = 'query ($id: ID!) { node(id: $id) { id } }';
  const { variables } = admission.fromRequest({ query, variables: { ...undeclared, id: 'x' } }, false);
  expect(variables).toEqual({ id: 'x' });
});
