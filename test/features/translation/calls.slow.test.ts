/** Calls of REST, from a line of curl to the operation of GraphQL. */
import { describe, expect, test } from 'vitest';
import { describeOperation } from '../../../rest/description/describe-operation.js';
import { shellQuoted } from '../../../src/common/shell-quoted.js';
import type { Call } from '../../../src/features/translation/pure/curl-line.js';
import { readCurl } from '../../../src/features/translation/pure/curl-line.js';
import { createTranslateCall } from '../../../src/features/translation/translate-text.js';
import { restEndpoints, restOperations } from '../../support/rest-operations.js';

const translateCall = createTranslateCall(restEndpoints);

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
    const read = readCurl(lineOf(call));
    expect(read).toEqual({ ...call, origin: 'http://127.0.0.1:4000' });
    const translated = translateCall(call);
    if ('problem' in translated) throw new Error(translated.problem);
    expect(translated).toMatchObject({ operation: name, document: endpoint.text });
    const { input, ...others } = translated.variables;
    const given = JSON.stringify([input, others]);
    const sent = [...call.path.matchAll(/=([^&]+)/g)].map(([, value = '']) => decodeURIComponent(value));
    const values = [...sent, ...Object.values(JSON.parse(call.body ?? '{}')).flat(), call.headers['if-match'] ? 3 : []];
    for (const value of values.flat()) expect(given.toLowerCase()).toContain(String(value).toLowerCase());
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
  });
});

describe('a call', () => {
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
  ])('that means nothing is told so: %s %s', (method, path, body, problem) => {
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

/** The line of curl that makes a call. */
function lineOf({ method, path, headers, body }: Call): string {
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', shellQuoted(`${name}: ${value}`)]);
  if (body !== undefined) words.push('--data-raw', shellQuoted(body));
  return `curl -X ${method} ${shellQuoted(`http://127.0.0.1:4000${path}`)} ${words.join(' ')}`;
}
