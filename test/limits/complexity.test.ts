/**
 * Operations that are too large are refused before they are validated or executed, whether SQL or the resolvers would
 * answer them.
 */
import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startGateway, type TestGateway } from '../support/gateway.js';

describe.each([
  ['the database', true],
  ['the resolvers', false],
])('an operation that %s would answer', (_answerer, compiled) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ compiled });
  });
  afterAll(() => gateway.close());

  const times = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => text(i)).join(' ');
  const nested = (levels: number) =>
    `{ assetRepair(id: "x") ${'{ consumedItems(limit: 1) { assetRepair '.repeat(levels)}{ id } ${'} }'.repeat(levels)} }`;

  const filterObject = (steps: number): object =>
    steps === 0 ? { asset: { contains: 'x' } } : { consumedItems: { some: { assetRepair: filterObject(steps - 1) } } };
  const filterText = (steps: number) => JSON.stringify(filterObject(steps)).replaceAll(/"(\w+)":/g, '$1: ');
  const nestedFilter = (steps: number) => `{ assetRepairs(where: ${filterText(steps)}) { totalCount } }`;

  /** Fragments that double the operation at each level, in a few lines. */
  const fanOut = (levels: number) =>
    `{ assetRepair(id: "x") { ...F0 } } ${times(levels, (level) => {
      const next = level + 1 < levels ? `...F${level + 1}` : 'id';
      return `fragment F${level} on AssetRepair { a: consumedItems(limit: 1) { assetRepair { ${next} } } b: consumedItems(limit: 1) { assetRepair { ${next} } } }`;
    })}`;

  test.each([
    ['aliases', 500, `{ ${times(501, (i) => `a${i}: __typename`)} }`],
    ['aliases', 500, `{ node(id: "x") { ${times(5000 / 10, (i) => `a${i}: id`)} ...F } } fragment F on Node { b: id }`],
    ['directives', 100, `{ __typename ${'@include(if: true) '.repeat(101)} }`],
    ['fragments', 100, `{ __typename } ${times(101, (i) => `fragment F${i} on Query { __typename }`)}`],
    ['root_fields', 100, `{ ${'__typename '.repeat(101)} }`],
    ['root_fields', 100, `mutation { ${'...F '.repeat(51)} } fragment F on Mutation { __typename __typename }`],
    ['depth', 20, nested(10)],
    ['depth', 20, fanOut(18)],
    [
      'cost',
      100_000,
      '{ quotations(first: 1000) { nodes { id } edges { cursor node { id } } nodes2: nodes { items: __typename } } assetRepairs(first: 1000) { nodes { consumedItems { id idx itemCode warehouse version } } } }',
    ],
    ['cost', 100_000, nestedFilter(4)],
    ['previews', 10, `{ ${times(11, (i) => `a${i}: previewAction(id: "x", action: DELETE) { allowed }`)} }`],
    [
      'previews',
      10,
      `{ ${'...F '.repeat(6)} } fragment F on Query { ...G } fragment G on Query { previewAction(id: "x", action: DELETE) { allowed } b: previewAction(id: "y", action: DELETE) { allowed } }`,
    ],
    [
      'characters',
      8_000_000,
      `query ($text: String = "${'x'.repeat(900_000)}") { ${times(10, (i) => `a${i}: assetRepairs(where: { asset: { contains: $text } }) { totalCount }`)} }`,
    ],
    ['tokens', 10_000, `{ ${'id '.repeat(10_000)} }`],
    ['tokens', 10_000, `{ ${times(20_000, (i) => `a${i}: __typename`)} }`],
    ['lines', 10_000, `${'#\n'.repeat(10_000)}{ __typename }`],
    ['lines', 10_000, `{ node(id: """${'\r'.repeat(10_000)}""") { id } }`],
    ['brackets', 200, '{a'.repeat(5000)],
    ['brackets', 200, `{ a(b: ${'['.repeat(100_000)}`],
  ])('is refused for its %s', async (measure, limit, query) => {
    const before = gateway.statements.length;
    const answer = await gateway.graphql(query);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toHaveLength(1);
    expect(answer.body.errors[0].extensions).toMatchObject({
      code: 'QUERY_TOO_COMPLEX',
      reason: 'query_too_complex',
      measure,
      limit,
    });
    expect(answer.body.errors[0].message).toContain(String(limit));
    expect(answer.body).not.toHaveProperty('data');
    expect(gateway.statements.slice(before).filter((sql) => !sql.includes('ApiKey'))).toEqual([]);
  });

  test.each([
    ['as a variable', 'query ($f: AssetRepairFilter) { assetRepairs(where: $f) { totalCount } }', 'f'],
    ['within a literal', 'query ($f: AssetRepairFilter!) { assetRepairs(where: { and: [$f] }) { totalCount } }', 'f'],
    [
      'in a fragment',
      'query ($f: AssetRepairFilter) { ...A } fragment A on Query { assetRepairs(where: $f) { totalCount } }',
      'f',
    ],
    ['of an aggregate', 'query ($f: AssetRepairFilter) { assetRepairAggregate(where: $f) { count } }', 'f'],
  ])('is refused for the steps over relations in its filter, %s', async (_place, query, name) => {
    const answer = await gateway.graphql(query, { [name]: filterObject(4) });
    expect(answer.body.errors[0].extensions).toMatchObject({ measure: 'cost', limit: 100_000 });
    expect((await gateway.graphql(query, { [name]: filterObject(1) })).body.errors).toBeUndefined();
  });

  test('is refused for a filter that is the default of a variable', async () => {
    const query = `query ($f: AssetRepairFilter = ${filterText(4)}) { assetRepairs(where: $f) { totalCount } }`;
    expect((await gateway.graphql(query)).body.errors[0].extensions).toMatchObject({ measure: 'cost' });
  });

  test('passes with the filter of a front end', async () => {
    const query = `{ assetRepairs(first: 20, where: {
      and: [${times(10, (i) => `{ asset: { contains: "a${i}" } }`)}]
      consumedItems: { some: { itemCode: { eq: "x" } } }
    }) { totalCount nodes { id asset } } }`;
    const answer = await gateway.graphql(query, {}, { 'X-GraphQL-Cost': '1' });
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.extensions.cost.requested).toBeLessThan(500);
  });

  test('is refused by its variables too, and says what it would have cost', async () => {
    const query = `query ($n: Int) { assetRepairs(first: $n) { nodes { consumedItems(limit: $n) { id } } } }`;
    const few = await gateway.graphql(query, { n: 10 });
    expect(few.body).toEqual({ data: { assetRepairs: { nodes: [] } } });
    const many = await gateway.graphql(query, { n: 1000 });
    expect(many.status).toBe(400);
    expect(many.body.errors[0].extensions).toMatchObject({ measure: 'cost', limit: 100_000, found: 2 + 1000 * 1001 });
  });

  test('is refused for its shape also where it is no valid operation', async () => {
    const answer = await gateway.graphql(`{ nope { ${times(600, (i) => `a${i}: b`)} } }`);
    expect(answer.body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  test('is refused by validation where its fragments go in circles', async () => {
    const answer = await gateway.graphql(
      '{ assetRepairs { nodes { ...A } } } fragment A on AssetRepair { ...B } fragment B on AssetRepair { ...A }',
      {},
      { accept: 'application/graphql-response+json' },
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].message).toBe('Cannot spread fragment "A" within itself via "B".');
  });

  test('passes as front ends send it: a page of 100 with two lists of lines', async () => {
    const query = `query Page($first: Int!, $after: String) {
      assetRepairs(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        edges { cursor node { ...Repair } }
      }
    }
    fragment Repair on AssetRepair {
      __typename id asset assetName status repairStatus failureDate completionDate repairCost createdAt updatedAt version
      consumedItems { __typename id idx itemCode warehouse consumedQuantity valuationRate totalValue }
      purchaseInvoices { __typename id idx purchaseInvoice expenseAccount repairCost }
    }`;
    const answer = await gateway.graphql(query, { first: 100 }, { 'X-GraphQL-Cost': '1' });
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.extensions.cost.requested).toBeLessThan(50_000);
  });

  test('passes up to the limits themselves', async () => {
    const answers = await Promise.all([
      gateway.graphql(`{ ${times(100, (i) => `a${i}: __typename`)} }`),
      gateway.graphql(`{ node(id: "x") { ${times(500, (i) => `a${i}: id`)} } }`),
      gateway.graphql(nested(9)),
      gateway.graphql(`${'#\n'.repeat(9_999)}{ __typename }`),
      gateway.graphql(getIntrospectionQuery()),
    ]);
    expect(answers.map(({ body }) => body.errors)).toEqual(answers.map(() => undefined));
  });

  test('reports its cost on request', async () => {
    const query = '{ assetRepairs(first: 5) { nodes { id } } }';
    const asked = await gateway.graphql(query, {}, { 'X-GraphQL-Cost': '1' });
    expect(asked.text).toBe(
      '{"data":{"assetRepairs":{"nodes":[]}},"extensions":{"cost":{"requested":7,"limit":100000}}}',
    );
    expect((await gateway.graphql(query)).text).toBe('{"data":{"assetRepairs":{"nodes":[]}}}');
    const wrong = await gateway.graphql('{ assetRepair(id: "x") { nope } }', {}, { 'X-GraphQL-Cost': '1' });
    expect(wrong.body.extensions).toEqual({ cost: { requested: 2, limit: 100_000 } });
  });

  test('with a new name in every request leaves nothing behind that an unknown name could find', async () => {
    const send = (operationName: string) =>
      gateway.rest('POST', '/graphql', { query: 'query A { __typename }', operationName });
    const answers: Answer[] = [await send('A'), await send('B'), await send('A')];
    expect(answers.map(({ body }) => body.data?.__typename)).toEqual(['Query', undefined, 'Query']);
  });
});

describe('COST_LIMIT', () => {
  test('bounds both surfaces', async () => {
    const gateway = await startGateway({ env: { COST_LIMIT: '500' } });
    const graphql = await gateway.graphql('{ assetRepairs(first: 500) { nodes { id } } }');
    const page = await gateway.rest('GET', '/api/assets/asset-repair?limit=20');
    const large = await gateway.rest('GET', '/api/assets/asset-repair?limit=100');
    await gateway.close();
    expect(graphql.body.errors[0].extensions).toMatchObject({ measure: 'cost', found: 502, limit: 500 });
    expect(page.status).toBe(200);
    expect(large.status).toBe(400);
    expect(large.body.error).toMatchObject({ type: 'invalid_request_error', code: 'query_too_complex', limit: 500 });
  });
});
