/** The tree of a selection holds what is selected of objects of several types, so that guards may look at all of it. */
import { Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { fieldsBelow, SelectionTrees } from '../../src/graphql/operation/selection.js';
import { schema } from '../support/schema.js';

const document = parse(`{
  node(id: "x") {
    id
    ... on AssetRepair { asset same: id consumedItems(limit: 3) { idx } }
    ...State
    ... { other: id }
  }
}
fragment State on BusinessDocument { status id }`);

test('each field is there once, with the type that has it, and with what is below it', () => {
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation');
  const fields = new SelectionTrees(schema, document, definition).of({})?.fields ?? [];
  expect(fields.map(({ form, fields: inner }) => [form, inner.map(({ name }) => name)])).toEqual([
    [undefined, ['id', 'asset', 'id', 'consumedItems', 'status', 'id', 'id']],
  ]);
  const below = Array.from(fieldsBelow(fields, {}), (field) => [field.names.join('.'), field.arguments]);
  expect(below).toContainEqual(['node', { id: 'x' }]);
  expect(below).toContainEqual(['node.consumedItems', { limit: 3 }]);
  expect(below).toContainEqual(['node.consumedItems.idx', {}]);
});
