/** Small documents that would be expensive: each is refused early, whether SQL or the resolvers would answer it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

describe.each([true, false])('compiled: %s', (compiled) => {
  let gateway: TestGateway;
  let narrow: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ compiled });
    narrow = await startGateway({ compiled, env: { ANSWER_LIMIT: '1' } });
  });
  afterAll(() => Promise.all([gateway.close(), narrow.close()]));

  const long = 'a'.repeat(300_000);

  test.each([
    ['an operation', `query ${long} { nope }`],
    ['an operation whose name errors repeat', `query ${long}(${'$v: Int '.repeat(90)}) { __typename }`],
    ['an alias', `{ ${long}: assetRepairs { totalCount } }`],
    ['an alias of introspection', `{ __schema { types { ${long}: name } } }`],
    ['a variable', `query ($${long}: Int) { assetRepairs(first: $${long}) { totalCount } }`],
    ['a fragment', `{ ...${long} }`],
    ['an argument', `{ assetRepairs(${long}: 1) { totalCount } }`],
    ['an enumeration', `{ assetRepairs(orderBy: [{ field: ${long} }]) { totalCount } }`],
  ])('a name that is too long is refused in few words: that of %s', async (_case, query) => {
    const { status, body, text } = await gateway.graphql(query);
    expect([status, body.errors[0].extensions.measure]).toEqual([400, 'name']);
    expect(text.length).toBeLessThan(1000);
  });

  test.each([
    ['in one selection', `{ assetRepairs { ${'totalCount '.repeat(1100)} } }`],
    [
      'in lists within lists',
      `{ ${'assetRepairs { nodes { id asset } } '.repeat(99)} ${'assetRepairs { nodes { '.repeat(1)} ${'id '.repeat(1000)} } } }`,
    ],
    [
      'by fragments',
      `{ assetRepairs { ${Array.from({ length: 90 }, (_, i) => `...F${i}`).join(' ')} } }
       ${Array.from({ length: 90 }, (_, i) => `fragment F${i} on QueryAssetRepairsConnection { ${'totalCount '.repeat(20)} }`).join(' ')}`,
    ],
  ])('the same field too often is refused before it is compared with itself: %s', async (_case, query) => {
    const { status, body } = await gateway.graphql(query);
    expect([status, body.errors[0].extensions.measure]).toEqual([400, 'pairs']);
  });

  test.each([
    [
      'lines of the parents of lines',
      '{ assetRepair(id: "x") { displayTitle consumedItems { assetRepair { consumedItems { id } } } } }',
    ],
    [
      'the same in a fragment',
      '{ assetRepair(id: "x") { ...R } } fragment R on AssetRepair { displayTitle consumedItems { ...L } } fragment L on AssetRepairConsumedItem { assetRepair { consumedItems { id } } }',
    ],
    [
      'where only the inner are limited',
      '{ assetRepair(id: "x") { consumedItems { assetRepair { consumedItems(limit: 100) { id } } } } }',
    ],
    [
      'where only the outer are limited',
      '{ assetRepair(id: "x") { consumedItems(limit: 100) { assetRepair { consumedItems { id } } } } }',
    ],
    [
      'of a page of lines',
      '{ assetRepairConsumedItems(parentId: "x", first: 100) { nodes { assetRepair { purchaseInvoices { id } } } } }',
    ],
  ])('what one document would answer many times over counts: %s', async (_case, query) => {
    const { status, body } = await gateway.graphql(query);
    expect([status, body.errors[0].extensions.measure]).toEqual([400, 'cost']);
  });

  test('lines of the parents of few lines are answered, and of one line all', async () => {
    for (const query of [
      '{ assetRepair(id: "x") { consumedItems(limit: 10) { assetRepair { consumedItems(limit: 10) { id } } } } }',
      '{ assetRepairConsumedItem(id: "x") { assetRepair { consumedItems { id itemCode warehouse totalValue } } } }',
    ]) {
      expect((await gateway.graphql(query)).body.errors).toBeUndefined();
    }
  });

  test('near names are suggested if there are few errors, and not searched for if there are many', async () => {
    const few = await gateway.graphql('{ assetRepairz { nodes { id } } }');
    expect(few.body.errors[0].message).toContain('Did you mean');
    const variables = Array.from({ length: 100 }, (_, i) => `$a${i}: CreateAssetRepairInpu${i}`).join(' ');
    const many = await gateway.graphql(`query (${variables}) { __typename }`);
    expect(many.body.errors.length).toBeGreaterThan(50);
    expect(many.text).not.toContain('Did you mean');
  });

  test.each([
    ['a query', '{ assetRepairConsumedItem(id: "x") { RECORDS } }', 'assetRepair'],
    ['a mutation', 'mutation { submitAssetRepair(id: "x") { RECORDS } }', 'record'],
  ])('a fragment in each of many fields that are one is looked at once: %s', async (_case, document, record) => {
    const query = `${document.replace('RECORDS', `${record} { ...F } `.repeat(300))} fragment F on AssetRepair { ${'id '.repeat(300)} }`;
    const before = process.cpuUsage();
    const { body } = await gateway.graphql(query);
    const { user, system } = process.cpuUsage(before);
    expect(body.data).toBeDefined();
    // Microseconds of this process, which other tests do not take from it. It took a minute.
    expect(user + system).toBeLessThan(10_000_000);
  });

  test('introspection is an answer too: one that is too large is refused', async () => {
    const types = 'types { name description fields { name description args { name description } } }';
    const query = `{ ${['a', 'b', 'c', 'd'].map((name) => `${name}: __schema { ${types} }`).join(' ')} }`;
    const whole = await gateway.graphql(query);
    expect(whole.text.length).toBeGreaterThan(1024 * 1024);
    const { status, body } = await narrow.graphql(query);
    expect([status, body.errors[0].extensions.reason]).toEqual([400, 'answer_too_large']);
    expect(body).not.toHaveProperty('data');
  });

  test('a parameter that is given twice is refused', async () => {
    const { status, body } = await gateway.rest('GET', '/graphql?query={__typename}&query={nope}', undefined, {
      accept: 'application/json',
    });
    expect([status, body.errors[0].extensions.reason]).toEqual([400, 'parameters_invalid']);
  });

  test('a variable may not have a name that is GraphQL’s own', async () => {
    const query = 'query ($__proto__: Boolean!) { __typename @include(if: $__proto__) }';
    const { status, body } = await gateway.rest(
      'POST',
      '/graphql',
      `{"query":${JSON.stringify(query)},"variables":{"__proto__":true}}`,
    );
    expect([status, body.errors[0].extensions.reason]).toEqual([400, 'parameters_invalid']);
    expect(body.errors[0].message).toContain('$__proto__');
  });

  test.each([
    ['Application/JSON', 200],
    ['application/json;q=0', 406],
    ['text/html, */*;q=0.1', 200],
    ['application/*', 200],
    ['application/json;q=0, */*', 406],
    ['application/graphql-response+json;q=0.5, text/html', 200],
  ])('Accept: %s is %d', async (accept, status) => {
    expect((await gateway.rest('POST', '/graphql', { query: '{ __typename }' }, { accept })).status).toBe(status);
  });
});
