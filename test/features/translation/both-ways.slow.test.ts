/** Calls of REST as operations of GraphQL, and back. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { describeOperation } from '../../../rest/description/describe-operation.js';
import type { Call } from '../../../src/features/translation/pure/curl-line.js';
import { readCurl } from '../../../src/features/translation/pure/curl-line.js';
import { restTwin } from '../../../src/features/translation/pure/rest-twin.js';
import { asCurl } from '../../../src/features/translation/pure/snippets.js';
import { createTranslateCall, typesOf } from '../../../src/features/translation/translate-text.js';
import { restEndpoints, restOperations } from '../../support/rest-operations.js';

const translateCall = createTranslateCall(restEndpoints);
const types = typesOf(restEndpoints);

/** The call of an endpoint with the examples of its description. */
function exampleOf(endpoint: (typeof restOperations)[number]): Call {
  const { requestBody } = describeOperation(endpoint);
  const query = new URLSearchParams();
  let { path } = endpoint;
  const headers: Record<string, string> = {};
  const inOrder = [...endpoint.parameters].sort(
    (one, other) => Number(other.required === true) - Number(one.required === true),
  );
  for (const {
    in: place,
    name,
    required,
    example,
    schema: { default: unless },
  } of inOrder) {
    const value = String(example ?? unless ?? 'record-1');
    if (place === 'path') path = path.replace('{id}', value);
    if (place === 'query' && (required || name === 'limit')) query.set(name, value);
    if (name === 'If-Match') headers['if-match'] = '"3"';
  }
  const body = requestBody?.content['application/json']?.example;
  if (body) headers['content-type'] = 'application/json';
  const isReorder = endpoint.operation === 'reorder';
  return {
    method: endpoint.method,
    origin: '',
    path: query.size > 0 && !isReorder ? `${path}?${query}` : path,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

describe('every endpoint', () => {
  test.each(restOperations.map((endpoint) => [endpoint.name, endpoint] as const))('%s', (name, endpoint) => {
    const call = exampleOf(endpoint);
    const read = readCurl(asCurl({ ...call, origin: 'http://127.0.0.1:4000' }));
    expect(read).toEqual({ ...call, origin: 'http://127.0.0.1:4000' });
    const translated = translateCall(call);
    if ('problem' in translated) throw new Error(translated.problem);
    expect(translated.operation).toBe(name);
    expect(restTwin(translated.document, translated.variables, types)).toEqual(call);
  });

  test('the changes of all records', () => {
    const path = '/api/changes?after=5&limit=2&types=asset-repair%2Cjob-card&actions=create';
    const call: Call = { method: 'GET', origin: '', path, headers: {}, body: undefined };
    const translated = translateCall(call);
    if ('problem' in translated) throw new Error(translated.problem);
    expect(translated.variables).toEqual({
      after: '5',
      limit: 2,
      types: ['ASSET_REPAIR', 'JOB_CARD'],
      actions: ['CREATE'],
    });
    expect(restTwin(translated.document, translated.variables, types)).toEqual(call);
  });
});

describe('an operation of GraphQL that is written by hand', () => {
  test.each<[document: string, variables: Record<string, unknown>, expected: object]>([
    [
      '{ a: assetRepairs(first: 2, offset: 1) { nodes { asset } } }',
      {},
      { path: '/api/assets/asset-repair?limit=2&offset=1' },
    ],
    [
      'query ($n: Int = 3) { assetRepairs(first: $n) { totalCount } }',
      {},
      { path: '/api/assets/asset-repair?limit=3' },
    ],
    [
      '{ assetRepair(id: "a b", asOf: "2026-01-01") { asset } }',
      {},
      { path: '/api/assets/asset-repair/a%20b?as_of=2026-01-01' },
    ],
    ['{ subscriptionSettings { gracePeriod } }', {}, { path: '/api/accounts/subscription-settings' }],
    [
      'subscription ($types: [RecordType!]) { changes(types: $types, after: "5") { position } }',
      { types: ['ASSET_REPAIR'] },
      { path: '/api/events?after=5&types=asset-repair', headers: { accept: 'text/event-stream' } },
    ],
    [
      '{ assetRepair(id: "a", asOf: "2026-01-01") { consumedItems { itemCode } } }',
      {},
      { path: '/api/assets/asset-repair/a?as_of=2026-01-01' },
    ],
    [
      'mutation { deleteAssetRepair(id: "x", expectedVersion: 4) { deleted } }',
      {},
      { method: 'DELETE', path: '/api/assets/asset-repair/x', headers: { 'if-match': '"4"' } },
    ],
    [
      'mutation { createAssetRepair(input: { asset: "A", failureDate: null }) { record { id } } }',
      {},
      {
        method: 'POST',
        path: '/api/assets/asset-repair',
        headers: { 'content-type': 'application/json' },
        body: '{"asset":"A","failure_date":null}',
      },
    ],
  ])('%s', (document, variables, expected) => {
    expect(restTwin(document, variables, types)).toEqual({
      method: 'GET',
      origin: '',
      headers: {},
      body: undefined,
      ...expected,
    });
  });

  test.each<[document: string, problem: RegExp]>([
    ['{ assetRepairs(where: { asset: { eq: "A" } }) { totalCount } }', /nothing for the argument `where`/],
    ['{ assetRepairs { totalCount } jobCards { totalCount } }', /one field/],
    ['{ ...F } fragment F on Query { assetRepairs { totalCount } }', /one field/],
    ['{ createAssetRepair(input: { asset: "A" }) { record { id } } }', /is a field of a mutation/],
    ['subscription { assetRepairs { totalCount } }', /is a field of a query/],
    ['mutation { changes { position } }', /No endpoint/],
    ['{ changes(types: []) { position } }', /empty list of `types`/],
    ['subscription { changes(actions: []) { position } }', /empty list of `actions`/],
    [
      '{ assetRepairs { nodes { ... on AssetRepair { consumedItems { itemCode } } } } }',
      /`consumedItems`: they take a call of their own, GET \/api\/assets\/asset-repair-consumed-item\?parent_id/,
    ],
    ['{ node(id: "x") { id } }', /No endpoint of REST does what the field `node` does/],
    ['mutation { saveAssetRepair(input: {}) { record { id } } }', /No endpoint/],
    ['mutation { createAssetRepair(input: { consumedItems: [] }) { record { id } } }', /by a call of its own/],
    ['mutation { createAssetRepair(input: { nope: 1 }) { record { id } } }', /no field `nope`/],
    ['query ($id: ID!) { assetRepair(id: $id) { id } }', /Give the id/],
    ['query A { assetRepairs { totalCount } } query B { assetRepairs { totalCount } }', /one operation/],
    ['mutation { updateQuotation(id: "x", input: {}) { record { id } } }', /no endpoint to update/],
    ['{ assetRepairs(', /not GraphQL: .*line 1/],
    ['', /not GraphQL/],
  ])('has no twin, or is none: %s', (document, problem) => {
    const quotation = types.map((type) =>
      type.model === 'Quotation'
        ? { ...type, endpoints: type.endpoints.filter(({ operation }) => operation !== 'update') }
        : type,
    );
    expect(restTwin(document, {}, quotation)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test('a singleton that is updated without its id has the path of its only record', () => {
    expect(
      restTwin('mutation { updateSubscriptionSettings(input: { prorate: true }) { record { id } } }', {}, types),
    ).toMatchObject({
      method: 'PATCH',
      path: '/api/accounts/subscription-settings/subscription-settings_default',
    });
  });

  test.each<[method: string, path: string, body: string | undefined, problem: RegExp]>([
    ['GET', '/api/assets/asset-repairs', undefined, /no endpoint GET/],
    ['PUT', '/api/assets/asset-repair', undefined, /no endpoint PUT/],
    ['GET', '/api/assets/asset-repair?limit=0', undefined, /`limit` must be/],
    ['POST', '/api/assets/asset-repair', '[1]', /not a JSON object/],
    ['POST', '/api/assets/asset-repair', '{', /not a JSON object/],
    ['POST', '/api/assets/asset-repair', '{"assett": "A"}', /did you mean `asset`/],
    ['GET', '/api/changes?types=nope', undefined, /which is not known here/],
    ['GET', '/api/events?types=nope', undefined, /which is not known here/],
    ['GET', '/api/events?after=7', undefined, /the header Last-Event-ID: 7/],
    ['GET', '/api/assets/asset-repair?as_of=2026-01-01', undefined, /works for single records only/],
  ])('a call that means nothing is told so: %s %s', (method, path, body, problem) => {
    const call: Call = { method, origin: '', path, headers: {}, body };
    expect(translateCall(call)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

test('a call is parsed as the gateway parses it', () => {
  const read = (method: string, path: string, headers = {}) =>
    translateCall({ method, origin: '', path, headers, body: undefined });
  expect(read('GET', '/api/assets/asset-repair?note=a?b&limit=7')).toMatchObject({ variables: { limit: 7 } });
  expect(read('GET', '/api/events?types=asset-repair&actions=create')).toMatchObject({
    operation: 'Events',
    variables: { types: ['ASSET_REPAIR'], actions: ['CREATE'] },
  });
  expect(read('HEAD', '/api/changes?limit=7')).toMatchObject({ operation: 'Changes', variables: { limit: 7 } });
  expect(read('DELETE', '/api/assets/asset-repair/x', { 'if-match': '"3", "4"' })).toMatchObject({
    variables: { expectedVersion: 3 },
  });
});

test('the curl command of a call sends it to exactly one address, also with brackets and braces', async () => {
  const path = '/api/changes?note=[1-3]&other={a,b}';
  const line = asCurl({ method: 'GET', origin: 'http://127.0.0.1:1', path, headers: {}, body: undefined });
  const asked = await promisify(execFile)('bash', ['-c', `${line.trim()} -s -w '%{url}\\n'`]).catch(({ stdout }) => ({
    stdout,
  }));
  expect(asked.stdout).toBe(`http://127.0.0.1:1${path}\n`);
  expect(readCurl(line)).toMatchObject({ path });
});

test.each(['{a'.repeat(4500), `{a(x:${'['.repeat(9000)}`])('an operation may be nested too deep: %#', (document) => {
  expect(restTwin(document, {}, types)).toEqual({ problem: 'It is nested too deep.' });
});
