/** The formula of docs/cost.md, on the schema that is served. */
import { getIntrospectionQuery, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { federated } from '../features/federation/subgraph.js';
import { costOf } from '../support/cost.js';
import { restOperations } from '../support/rest-operations.js';
import { schema } from '../support/schema.js';

const cost = (text: string, variables: Record<string, unknown> = {}, operationName?: string) =>
  costOf(schema, parse(text), variables, operationName);

describe('the cost of an operation', () => {
  test.each([
    ['a field', '{ __typename }', 1],
    ['a record and its fields', '{ assetRepair(id: "x") { id asset } }', 3],
    ['a page of 20 where nobody says how many', '{ assetRepairs { nodes { id } } }', 2 + 20],
    ['a page by `first`', '{ assetRepairs(first: 50) { nodes { id asset } } }', 2 + 50 * 2],
    ['a page by `last`', '{ assetRepairs(last: 3) { nodes { id } } }', 2 + 3],
    ['edges', '{ assetRepairs(first: 3) { edges { cursor node { id } } } }', 2 + 3 * 3],
    ['what a page has once', '{ assetRepairs(first: 50) { totalCount pageInfo { hasNextPage } } }', 4],
    ['all lines, of which 20 are presumed', '{ assetRepair(id: "x") { consumedItems { id } } }', 2 + 20],
    ['lines by `limit`', '{ assetRepair(id: "x") { consumedItems(limit: 5) { id idx } } }', 2 + 5 * 2],
    [
      'nesting, which multiplies',
      '{ assetRepairs(first: 10) { nodes { id consumedItems(limit: 5) { id assetRepair { id } } } } }',
      2 + 10 * (1 + 1 + 5 * 3),
    ],
    ['one for each id', '{ nodes(ids: ["a", "b", "c"]) { id } }', 1 + 3],
    ['an id alone as a list of it', '{ nodes(ids: "a") { id } }', 1 + 1],
    ['no ids', '{ nodes(ids: []) { id } }', 1],
    [
      'an object alone as a list of it',
      'mutation { createManyIndustryTypes(inputs: { industry: "x" }) { records { id industry } } }',
      4,
    ],
    [
      'a hundred where a filter finds what ids could name, and what it goes through',
      'mutation { actOnManyIndustryTypes(where: { industry: { eq: "x" } }, action: DELETE) { moreAfter results { done } } }',
      1 + 10 + 10_000 + 2 + 100,
    ],
    [
      'as many as ids name',
      'mutation { actOnManyIndustryTypes(ids: ["a", "b", "c"], action: DELETE) { moreAfter results { done } } }',
      1 + 2 + 3,
    ],
    ['all kinds of a record that could be meant', '{ node(id: "x") { id ... on AssetRepair { asset } } }', 3],
    [
      'a mutation and its answer',
      'mutation { createIndustryType(input: { industry: "x" }) { record { id industry } } }',
      4,
    ],
    [
      'a fragment, each time it is spread',
      '{ assetRepairs(first: 10) { nodes { ...F } edges { node { ...F } } } } fragment F on AssetRepair { id asset }',
      3 + 10 * 2 + 10 * 3,
    ],
    ['a word in each type that is searched', '{ search(query: "belt lathe") { nodes { id } } }', 2 + 19 * 2 * 10 + 20],
    [
      'a word in each type that is named',
      '{ search(query: "belt lathe oil", types: [ASSET_REPAIR, INDUSTRY_TYPE], first: 5) { nodes { id } } }',
      2 + 2 * 3 * 10 + 5,
    ],
    ['a type that is named alone', '{ search(query: "belt", types: AssetRepair) { totalCount } }', 2 + 10],
    ['a search of no types', '{ search(query: "belt", types: []) { totalCount } }', 2],
    ['a linked record', '{ jobCards(where: { serialNoRecord: { itemCode: { eq: "x" } } }) { totalCount } }', 2 + 10],
    [
      'a linked record that is looked up without conditions, as one with a condition',
      '{ jobCards(where: { and: [{ not: { serialNoRecord: { and: [{}] } } }, { serialNoRecord: {} }] }) { totalCount } }',
      2 + 10 + 10,
    ],
    ['no conditions as nothing', '{ jobCards(where: { and: [{}], not: {} }) { totalCount } }', 2],
    ['a list of plain values as one', '{ assetRepair(id: "x") { allowedActions } }', 2],
  ])('counts %s', (_what, text, expected) => {
    expect(cost(text)).toBe(expected);
  });

  const byVariable = 'query ($n: Int = 7) { assetRepairs(first: $n) { nodes { id } } }';
  test.each([
    ['a variable', { n: 30 }, 2 + 30],
    ['the default of a variable that is left out', {}, 2 + 7],
    ['the largest page for more than may be asked', { n: 1e9 }, 2 + 1000],
    ['the default page for what is no number', { n: 'many' }, 2 + 20],
    ['the default page for null', { n: null }, 2 + 20],
    ['the default page for less than nothing', { n: -5 }, 2 + 20],
  ])('follows %s', (_what, variables, expected) => {
    expect(cost(byVariable, variables)).toBe(expected);
  });

  test('follows the variables of a search', () => {
    const text =
      'query ($q: String = "a b", $types: [RecordType!]) { search(query: $q, types: $types) { totalCount } }';
    expect(cost(text)).toBe(2 + 19 * 2 * 10);
    expect(cost(text, { q: 'a b c', types: ['ASSET_REPAIR'] })).toBe(2 + 3 * 10);
    const many = 'a.b@c-d e.f.g.h.i.j.k';
    expect(cost(text, { q: many, types: Array(100).fill('AssetRepair') })).toBe(2 + 19 * 8 * 10);
    expect(cost(text, { q: 'a . A', types: ['ASSET_REPAIR'] })).toBe(2 + 10);
    expect(cost(text, { q: '漢字日本語', types: ['ASSET_REPAIR'] })).toBe(2 + 10);
    expect(cost(text, { q: '' })).toBe(2);
    expect(cost(text, { q: 7, types: 8 })).toBe(2);
  });

  test('follows variables within fragments', () => {
    const text = `query ($n: Int) { assetRepairs(first: 2) { nodes { ...A ...A } } }
      fragment A on AssetRepair { consumedItems(limit: $n) { ...B } }
      fragment B on AssetRepairConsumedItem { id idx }`;
    expect(cost(text, { n: 10 })).toBe(2 + 2 * 2 * (1 + 10 * 2));
  });

  test('is that of the operation that is named', () => {
    const text = 'query A { __typename } query B { assetRepairs(first: 9) { nodes { id } } }';
    expect([cost(text, {}, 'A'), cost(text, {}, 'B'), cost(text, {}, 'C'), cost(text)]).toEqual([
      1,
      11,
      undefined,
      undefined,
    ]);
  });

  test('is found for what is no valid operation, so that it can be refused first', () => {
    expect(cost('{ nope { nope { nope } } ...Missing assetRepairs(first: "x") { nope { id } } }')).toBe(6);
  });

  test('leaves circular fragments to validation', () => {
    expect(
      cost(
        '{ assetRepairs { nodes { ...A } } } fragment A on AssetRepair { ...B id } fragment B on AssetRepair { ...A }',
      ),
    ).toBe(22);
  });

  test('of the largest page of every REST list is allowed', () => {
    const lists = restOperations.filter(({ operation }) => operation === 'list');
    const costs = lists.map(({ document }) => costOf(schema, document, { parentId: 'x', limit: 1000 }) ?? Number.NaN);
    expect(costs.length).toBeGreaterThan(30);
    expect(Math.min(...costs)).toBeGreaterThan(1000);
    expect(Math.max(...costs)).toBeLessThan(100_000);
  });

  test('of looking at the whole schema is allowed', () => {
    expect(cost(getIntrospectionQuery())).toBeLessThan(100_000);
  });

  test('of a list in a variable, or a single value in its place', () => {
    const text = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    expect([cost(text, { ids: ['a', 'b'] }), cost(text, { ids: 'a' }), cost(text)]).toEqual([3, 2, 21]);
    const byDefault = 'query ($ids: [ID!]! = "a") { nodes(ids: $ids) { id } }';
    expect([cost(byDefault), cost(byDefault, { ids: [] })]).toEqual([2, 1]);
  });

  test('of the schema as a text lets it be asked for a few times only, and of one representation counts it alone', () => {
    const ofSubgraph = (text: string, variables = {}) => costOf(federated, parse(text), variables);
    expect(ofSubgraph('{ _service { sdl } }')).toBe(1 + 10_000);
    expect(ofSubgraph('{ _service { a: sdl ...F } } fragment F on _Service { b: sdl }')).toBe(1 + 2 * 10_000);
    const entity = { __typename: 'AssetRepair', id: 'x' };
    const text = 'query ($of: [_Any!]!) { _entities(representations: $of) { ... on AssetRepair { id asset } } }';
    expect([ofSubgraph(text, { of: entity }), ofSubgraph(text, { of: [entity] })]).toEqual([3, 3]);
    expect(ofSubgraph('{ _entities(representations: { __typename: "AssetRepair", id: "x" }) { __typename } }')).toBe(2);
  });

  test('is found at once for fragments that fan out beyond all measure', () => {
    const levels = Array.from(
      { length: 18 },
      (_, level) =>
        `fragment F${level} on AssetRepair { ${level < 17 ? `...F${level + 1} ...F${level + 1}` : '...G ...G'} }`,
    );
    const text = `query ($n: Int) { assetRepairs(first: $n) { nodes { ...F0 } } } ${levels.join(' ')} fragment G on AssetRepair { consumedItems(limit: $n) { id } }`;
    expect(cost(text, { n: 1 })).toBe(2 + 2 ** 18 * 2);
  });
});
