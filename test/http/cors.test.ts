/** CORS_ORIGINS: pages of the listed origins may use the gateway. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headers as headersOfAnswers } from '../../rest/description/responses.js';
import { securityHeaders } from '../../src/gateway/http/answer/headers.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const app = 'https://app.example';
const preflight = (origin: string, method: string, names: string) => ({
  authorization: '',
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': names,
});

/** Headers that a browser sets by itself, or that need no leave. */
const ofTheBrowser = new Set([
  'accept',
  'accept-encoding',
  'access-control-request-method',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'origin',
  'sec-fetch-site',
  'transfer-encoding',
  'user-agent',
  // Set by proxies.
  'x-forwarded-for',
]);

/** Named in the documentation, but no header of a request, nor of an answer that a page needs. */
const ofOthers = new Set(['cache-control', 'strict-transport-security', 'x-accel-buffering', 'yyyy-mm-dd']);

/** The names of the request headers that a source text reads. */
const namesRead = (text: string): string[] =>
  [
    ...[...text.matchAll(/headers(?:\.|\['|: \{ ')([a-z]+(?:-[a-z]+)*)(?='|: | \}|\)|;|,|\?)/g)].map(
      ([, name = '']) => name,
    ),
    ...[...text.matchAll(/'([a-z]+(?:-[a-z]+)+)': \w+(?:,| =| \})/g)].map(([, name = '']) => name),
  ].filter((name) => !['push', 'js', 'get', 'length'].includes(name));

function* sourceTexts(folders: string[]) {
  for (const folder of folders) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (file.endsWith('.ts') && !file.startsWith('description/')) yield readFileSync(`${folder}/${file}`, 'utf8');
    }
  }
}

const docs = () =>
  ['README.md', ...readdirSync('docs').map((file) => `docs/${file}`)]
    .filter((file) => file.endsWith('.md'))
    .map((file) => readFileSync(file, 'utf8'));

function corsHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

describe('pages of the origins in CORS_ORIGINS', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ env: { CORS_ORIGINS: `${app},http://localhost:3000`, RATE_LIMIT: '1000' } });
  });
  afterAll(() => gateway.close());

  test.each(['/api/assets/asset-repair', '/graphql'])('may ask before they send to %s, without a key', async (path) => {
    const answer = await gateway.rest('OPTIONS', path, undefined, preflight(app, 'POST', 'authorization,content-type'));
    expect([answer.status, answer.text]).toEqual([204, '']);
    const { 'access-control-expose-headers': _exposed, ...headers } = corsHeaders(answer.headers);
    expect(headers).toEqual({
      'access-control-allow-origin': app,
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Read-After, X-GraphQL-Cost, X-Request-Id, baggage, traceparent, tracestate',
      'access-control-max-age': '86400',
    });
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  test('may send and read every header that the documentation, the code or a trace needs', async () => {
    const asked = await gateway.rest('OPTIONS', '/graphql', undefined, preflight(app, 'POST', 'authorization'));
    const listed = (name: string) => asked.headers.get(name)?.toLowerCase().split(', ') ?? [];
    const [taken, exposed] = [listed('access-control-allow-headers'), listed('access-control-expose-headers')];

    // What W3C's trace context and baggage are sent in.
    const traced = ['traceparent', 'tracestate', 'baggage'];
    const read = [...sourceTexts(['src/gateway', 'src/features/usage', 'rest'])].flatMap(namesRead);
    expect(read).toEqual(expect.arrayContaining(['if-match', 'last-event-id', 'x-request-id', 'read-after']));
    expect([...traced, ...read].filter((name) => !taken.includes(name) && !ofTheBrowser.has(name))).toEqual([]);
    expect(Object.keys(headersOfAnswers).filter((name) => !exposed.includes(name.toLowerCase()))).toEqual([]);

    // Each header that is named somewhere is taken, or exposed, or none of a page's business.
    const named = docs().flatMap((text) => [...text.matchAll(/`([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+)(?:: [^`]*)?`/g)]);
    const names = new Set(named.map(([, name = '']) => name.toLowerCase()));
    expect(names.size).toBeGreaterThan(20);
    const ours = new Set(securityHeaders.map((name) => name.toLowerCase()));
    const unknown = [...names].filter(
      (name) => ![taken, exposed].some((list) => list.includes(name)) && !ours.has(name),
    );
    expect(unknown.filter((name) => !ofTheBrowser.has(name) && !ofOthers.has(name))).toEqual([]);
  });

  test('may read answers and refusals, and of their headers those that clients need', async () => {
    const headers = { origin: 'http://localhost:3000' };
    const answers = [
      await gateway.rest(
        'POST',
        '/api/crm/industry-type',
        { industry: 'Steel' },
        { ...headers, 'idempotency-key': 'a' },
      ),
      await gateway.rest(
        'POST',
        '/api/crm/industry-type',
        { industry: 'Steel' },
        { ...headers, 'idempotency-key': 'a' },
      ),
      await gateway.graphql('{ __typename }', {}, headers),
      await gateway.rest('GET', '/api/nowhere', undefined, headers),
      await gateway.rest('DELETE', '/graphql', undefined, headers),
      await gateway.graphql('{ __typename }', {}, { ...headers, authorization: 'Bearer wrong' }),
      await gateway.rest('GET', '/healthz', undefined, headers),
    ];
    const names = new Set<string>();
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('http://localhost:3000');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(', ') ?? [];
      for (const name of exposed) if (answer.headers.has(name)) names.add(name);
    }
    expect([...names].sort()).toEqual([
      'allow',
      'etag',
      'idempotent-replayed',
      'location',
      'ratelimit-limit',
      'ratelimit-policy',
      'ratelimit-remaining',
      'ratelimit-reset',
      'www-authenticate',
      'x-graphql-operation',
      'x-request-id',
    ]);
  });

  test.each(['https://evil.example', 'https://app.example.evil', 'http://app.example', 'null'])(
    'are no others: %s is told nothing',
    async (origin) => {
      const asked = await gateway.rest('OPTIONS', '/graphql', undefined, preflight(origin, 'POST', 'authorization'));
      const sent = await gateway.graphql('{ __typename }', {}, { origin });
      expect([corsHeaders(asked.headers), corsHeaders(sent.headers)]).toEqual([{}, {}]);
      // A cache must not give this answer to an admitted page.
      expect(sent.headers.get('vary')).toContain('Origin');
    },
  );
});

test('CORS_ORIGINS=* admits every page, and no answer depends on the origin', async () => {
  const gateway = await startGateway({ env: { CORS_ORIGINS: '*' } });
  const answer = await gateway.graphql('{ __typename }', {}, { origin: 'https://any.example' });
  const asked = await gateway.rest('OPTIONS', '/api/x', undefined, preflight('null', 'PATCH', 'if-match'));
  await gateway.close();
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.get('vary')).toBeNull();
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
});

test('without CORS_ORIGINS no page of another origin is admitted', async () => {
  const gateway = await startGateway();
  const asked = await gateway.rest(
    'OPTIONS',
    '/api/crm/industry-type',
    undefined,
    preflight(app, 'GET', 'authorization'),
  );
  const answer = await gateway.graphql('{ __typename }', {}, { origin: app });
  await gateway.close();
  expect(asked.status).toBe(401);
  expect([corsHeaders(asked.headers), corsHeaders(answer.headers)]).toEqual([{}, {}]);
});
