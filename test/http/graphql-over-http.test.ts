import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const get = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  gateway.rest('GET', `/graphql?${new URLSearchParams(parameters)}`, undefined, headers);
const specific = { accept: 'application/graphql-response+json' };

describe('an operation over HTTP', () => {
  test('is taken by POST', async () => {
    const answer = await gateway.graphql('query ($n: Int) { assetRepairs(first: $n) { totalCount } }', { n: 1 });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { assetRepairs: { totalCount: 0 } } });
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('is taken by GET where it is a query', async () => {
    const query = 'query A { __typename } query B($n: Int) { assetRepairs(first: $n) { totalCount } }';
    const answer = await get({ query, operationName: 'B', variables: '{"n": 1}' });
    expect(answer.body).toEqual({ data: { assetRepairs: { totalCount: 0 } } });
  });

  test('is refused by GET where it is a mutation, and changes nothing', async () => {
    const query = 'mutation { createIndustryType(input: { industry: "Steel" }) { record { id } } }';
    const answer = await get({ query });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect((await gateway.graphql('{ industryTypes { totalCount } }')).body.data.industryTypes.totalCount).toBe(0);
  });

  test('is refused in a batch', async () => {
    const answer = await gateway.rest('POST', '/graphql', [{ query: '{ __typename }' }, { query: '{ __typename }' }]);
    expect(answer.status).toBe(400);
  });

  test.each([['variables'], ['extensions']])('is refused where %s in the query string are no JSON', async (name) => {
    const answer = await get({ query: '{ __typename }', [name]: '{canary' });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.reason).toBe('json_invalid');
    expect(answer.text).not.toContain('canary');
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('is refused by %s', async (method) => {
    const answer = await gateway.rest(method, '/graphql', { query: '{ __typename }' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  test('HEAD is GET without the body, OPTIONS says what there is', async () => {
    const head = await gateway.rest('HEAD', '/graphql?query={__typename}');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('content-length')).toBe(String('{"data":{"__typename":"Query"}}'.length));
    const options = await gateway.rest('OPTIONS', '/graphql', undefined, { authorization: '' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  });

  test('takes any Host header', async () => {
    const answer = await gateway.rest('POST', '/graphql', { query: '{ __typename }' }, { host: '[' });
    expect(answer.status).toBe(200);
  });
});

describe('the HTTP status of GraphQL', () => {
  const unknownId = 'mutation { deleteAssetRepair(id: "asset-repair_00000000000000000000000000") { deletedId } }';

  test.each([[{}], [specific]])('is 200 for an error of a field, whatever its code: %j', async (headers) => {
    const answer = await gateway.graphql(unknownId, {}, headers);
    expect(answer.body.errors[0].extensions.code).toBe('NOT_FOUND');
    expect(answer.status).toBe(200);
  });

  test.each([
    ['a document that cannot be parsed', '{', {}],
    ['a field there is not', '{ nope }', {}],
    ['a variable of the wrong type', 'query ($n: Int) { assetRepairs(first: $n) { totalCount } }', { n: 'x' }],
    ['no operation of that name', 'query A { __typename } query B { __typename }', {}],
  ])('is 400 for %s, and 200 for clients that ask for plain JSON', async (_case, query, variables) => {
    const precise = await gateway.graphql(query, variables, specific);
    expect(precise.status).toBe(400);
    expect(precise.headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
    expect(precise.body).not.toHaveProperty('data');
    expect((await gateway.graphql(query, variables, { accept: 'application/json' })).status).toBeLessThan(500);
  });
});

describe('a query that would harm the parser', () => {
  test.each([
    ['fields', `{a${'{a'.repeat(5000)}`],
    ['lists', `{ a(b: ${'['.repeat(100_000)}`],
    ['objects', `{ a(b: ${'{c:'.repeat(100_000)}`],
    ['types', `query ($a: ${'['.repeat(100_000)}Int`],
    ['behind a comment and a string', `# "\n{ a(b: "\\"") ${'{a'.repeat(5000)}`],
    ['behind a block string', `{ a(b: """ \\""" " """) ${'{a'.repeat(5000)}`],
  ])('is refused quickly and kindly: nested %s', async (_case, query) => {
    const startedAt = performance.now();
    const answer = await gateway.graphql(query);
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX');
  });

  test('is distinguished from brackets in texts', async () => {
    const brackets = '{'.repeat(500);
    const answer = await gateway.graphql(`# ${brackets}\n{ nodes(ids: ["${brackets}", """${brackets}"""]) { id } }`);
    expect(answer.body).toEqual({ data: { nodes: [null, null] } });
  });

  test.each([
    ['a string', `"${'a\\"'.repeat(300_000)}`],
    ['a block string', `"""${'\\"""'.repeat(200_000)}`],
    ['quotes', '"'.repeat(1_000_000)],
  ])('is looked through in no time: unfinished %s', async (_case, text) => {
    const startedAt = performance.now();
    const answer = await gateway.graphql(`{ a(b: ${text}`);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(answer.body.errors[0].extensions.code).toMatch(/GRAPHQL_PARSE_FAILED|BAD_REQUEST/);
  });
});
