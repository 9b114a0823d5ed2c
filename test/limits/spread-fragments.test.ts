/** What is done before anything is read or written takes the time of an operation's text, however often its fragments are spread. */
import { type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { fieldsBelow, SelectionTrees } from '../../src/graphql/operation/selection.js';
import { compiledReadsOf } from '../../src/query/compiled/reads.js';
import { costOf } from '../support/cost.js';
import { schema } from '../support/schema.js';

function treeOf(text: string) {
  const document = parse(text);
  const definition = document.definitions[0] as OperationDefinitionNode;
  return new SelectionTrees(schema, document, definition).of({});
}

const namesBelow = (text: string): string[] =>
  [...fieldsBelow(treeOf(text)?.fields ?? [], {})].map(({ names }) => names.join('.'));

/** Each level is six times as large as the next. */
const fanOut = (levels: number) =>
  `{ serialNo(id: "x") { ...F0 } } ${Array.from({ length: levels }, (_, level) => {
    const next = level < levels - 1 ? `...F${level + 1}` : 'status';
    const each = ['a', 'b', 'c', 'd', 'e', 'f'].map(
      (key) => `${key}: jobCardsBySerialNo(first: 1) { nodes { serialNoRecord { ${next} } } }`,
    );
    return `fragment F${level} on SerialNo { ${each.join(' ')} }`;
  }).join(' ')}`;

test('fields of fragments that fan out are looked at once', () => {
  const names = namesBelow(fanOut(6));
  expect(names).toContain('serialNo.a.nodes.serialNoRecord.a.nodes.serialNoRecord.f.nodes');
  expect(names.length).toBeLessThan(200);
});

test.each(['sqlite', 'postgresql'] as const)('a statement of %s with thousands of tables is not made', (provider) => {
  const read = compiledReadsOf(provider, 1024 * 1024);
  const compiled = (levels: number) => read({ kind: 'query', tree: treeOf(fanOut(levels)), coerced: {} });
  expect(compiled(2)).toBeDefined();
  expect(compiled(5)).toBeUndefined();
});

test('a field that is selected at two places is looked at with all that they select', () => {
  const fragments = `fragment A on AssetRepair { consumedItems { idx } }
    fragment B on AssetRepair { consumedItems { serialNoRecord { status } } }`;
  const names = namesBelow(
    `{ one: assetRepair(id: "x") { ...A } two: assetRepair(id: "x") { ...A ...B } } ${fragments}`,
  );
  expect(names).toEqual([
    'one',
    'one.consumedItems',
    'one.consumedItems.idx',
    'two',
    'two.consumedItems',
    'two.consumedItems.serialNoRecord',
    'two.consumedItems.serialNoRecord.status',
  ]);
});

test('the pairs of equal response names are counted before validation compares them', () => {
  const history = (count: number) => 'history(first: 1) { nodes { version } } '.repeat(count);
  const costs = (text: string) => costOf(schema, parse(text));
  expect(() => costs(`{ assetRepair(id: "x") { ${history(500)} } }`)).toThrow('250000 pairs');
  expect(() => costs(`{ assetRepair(id: "x") { ...F } } fragment F on AssetRepair { ${history(500)} }`)).toThrow(
    'pairs',
  );
  const others = Array.from({ length: 10 }, (_, i) => `query Q${i} { assetRepair(id: "x") { ${history(100)} } }`);
  expect(() => costOf(schema, parse(others.join(' ')), {}, 'Q0')).not.toThrow();
  expect(() => costs(`{ assetRepair(id: "x") { ${history(200)} } }`)).not.toThrow();
});
