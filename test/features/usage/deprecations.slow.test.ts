/** Deprecated endpoints: the headers of their answers, and which keys they refuse. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/common/config-error.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { createKey } from '../../../src/features/keys/api-keys.js';
import { readDeprecations } from '../../../src/features/usage/deprecations.js';
import { callerOf, callerWith } from '../../access/keys.js';
import { databaseInTurn, emptyDatabaseUrl, freshDatabaseUrl, freshFolder } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { startProcess } from '../../support/process.js';
import { restOperations } from '../../support/rest-operations.js';
import { sharedGateway } from '../../support/shared-gateway.js';

function fileOf(content: unknown): string {
  const path = join(freshFolder(), 'deprecations.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const past = '2026-01-31';
const future = '2126-05-01';

describe.each(databaseInTurn(import.meta.filename))('on %s', (database) => {
  let gateway: TestGateway;
  let named: Awaited<ReturnType<typeof keyIn>>;

  const keyIn = async (url: string) => {
    const opened = await openDatabase({ url, migrate: false });
    const key = await createKey(opened, { name: 'still on REST', scopes: ['*'] });
    await opened.close();
    return key;
  };

  beforeAll(async () => {
    const url = await freshDatabaseUrl(database);
    named = await keyIn(url);
    const DEPRECATIONS = fileOf([
      {
        endpoints: ['AssetRepair*', 'Events'],
        deprecated: '2026-01-01',
        sunset: past,
        ended: [named.apiKey.id],
        documentation: 'https://example.com/moving?a=1',
      },
      {
        endpoints: ['IndustryTypeList', 'Changes'],
        deprecated: '2026-01-01T12:00:00Z',
        sunset: future,
        ended: ['*'],
      },
      { endpoints: ['IndustryTypeCreate'], deprecated: future },
    ]);
    gateway = await startGateway({ env: { DATABASE_URL: url, DEPRECATIONS, CORS_ORIGINS: '*' } });
  });
  afterAll(() => gateway.close());

  const told = (headers: Headers) => ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));

  test('answers say since when, until when, and what replaces the endpoint', async () => {
    const { status, headers } = await gateway.rest('GET', '/api/assets/asset-repair');
    expect(status).toBe(200);
    expect(told(headers)).toEqual([
      '@1767225600',
      'Sat, 31 Jan 2026 00:00:00 GMT',
      '<https://example.com/moving?a=1>; rel="deprecation", <https://example.com/moving?a=1>; rel="sunset", </operations/AssetRepairList.graphql>; rel="successor-version"; type="application/graphql"',
    ]);
    const list = await gateway.rest('GET', '/api/crm/industry-type');
    expect(told(list.headers)).toEqual([
      '@1767268800',
      'Wed, 01 May 2126 00:00:00 GMT',
      '</docs>; rel="deprecation", </docs>; rel="sunset", </operations/IndustryTypeList.graphql>; rel="successor-version"; type="application/graphql"',
    ]);
    const create = await gateway.rest('POST', '/api/crm/industry-type', {});
    expect([create.status, ...told(create.headers)]).toEqual([
      400,
      `@${Date.UTC(2126, 4, 1) / 1000}`,
      null,
      '</docs>; rel="deprecation", </operations/IndustryTypeCreate.graphql>; rel="successor-version"; type="application/graphql"',
    ]);
    expect(told((await gateway.rest('GET', '/api/changes')).headers)[0]).toBe('@1767268800');
    expect(told((await gateway.rest('GET', '/api/crm/quotation')).headers)).toEqual([null, null, null]);
  });

  test('the addresses that they name are there: the document is the one that the endpoint performs', async () => {
    const created = await gateway.rest('POST', '/api/assets/asset-repair', { asset: 'A', failure_date: past });
    const link = created.headers.get('link') ?? '';
    const successor = /<([^>]+)>; rel="successor-version"/.exec(link)?.[1] ?? '';
    const document = await gateway.rest('GET', successor, undefined, { authorization: '' });
    expect([document.status, document.headers.get('content-type')]).toEqual([
      200,
      'application/graphql; charset=utf-8',
    ]);
    const input = { asset: 'B', failureDate: past };
    const { body } = await gateway.graphql(document.text, { input });
    const { id: _, created_at: __, updated_at: ___, ...record } = created.body;
    expect(body.data.record.record).toMatchObject({ ...record, asset: 'B' });
    for (const name of ['Changes', 'Events', 'IndustryTypeHistory']) {
      const { text } = await gateway.rest('GET', `/operations/${name}.graphql`, undefined, { authorization: '' });
      expect(print(parse(text))).toBe(text.trimEnd());
      const { body } = await gateway.rest('GET', `/operations/${name}.json`, undefined, { authorization: '' });
      expect(body).toMatchObject({ name, document: text.trimEnd() });
    }
    expect((await gateway.rest('GET', '/operations/Nothing.graphql')).status).toBe(404);
    expect((await gateway.rest('GET', '/operations/constructor')).status).toBe(404);
    const docs = await gateway.rest('GET', '/docs', undefined, { authorization: '', accept: 'text/html' });
    expect(docs.status).toBe(200);
  });

  test('a listed key is refused from the end on, before any other check; other keys are served', async () => {
    const caller = callerOf(gateway, named.secret);
    const attempts: [method: string, path: string, body?: unknown, headers?: Record<string, string>][] = [
      ['GET', '/api/assets/asset-repair'],
      ['HEAD', '/api/assets/asset-repair'],
      ['GET', '/api/assets/asset-repair/none'],
      ['GET', '/api/assets/asset-repair?as_of=2026-01-01'],
      ['POST', '/api/assets/asset-repair', { asset: 'C', failure_date: past }],
      ['POST', '/api/assets/asset-repair', { asset: 'C', failure_date: past }, { 'idempotency-key': 'once' }],
      ['POST', '/api/assets/asset-repair', '{'],
      ['DELETE', '/api/assets/asset-repair/none'],
      ['GET', '/api/assets/asset-repair-consumed-item?parent_id=none'],
      ['GET', '/api/events'],
    ];
    for (const [method, path, body, headers] of attempts) {
      const answer = await caller.rest(method, path, body, headers);
      expect([method, path, answer.status]).toEqual([method, path, 410]);
      expect(told(answer.headers)).not.toContain(null);
      const operation = answer.headers.get('x-graphql-operation');
      await expect
        .poll(() => JSON.parse(gateway.logLines.at(-1) ?? '{}'))
        .toMatchObject({ operation, reason: 'endpoint_ended' });
    }
    const { body } = await caller.rest('GET', '/api/assets/asset-repair');
    expect(body.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'endpoint_ended',
      message: expect.stringContaining('AssetRepairList'),
      sunset: '2026-01-31T00:00:00.000Z',
      successor: '/operations/AssetRepairList.graphql',
    });
    const problem = await caller.rest('GET', '/api/assets/asset-repair', undefined, {
      accept: 'application/problem+json',
    });
    expect(problem.body).toMatchObject({ status: 410, code: 'endpoint_ended' });
    expect((await caller.rest('GET', '/api/crm/industry-type')).status).toBe(200);
    expect((await gateway.rest('GET', '/api/assets/asset-repair')).status).toBe(200);
    const { total } = (await gateway.rest('GET', '/api/assets/asset-repair')).body;
    expect((await caller.graphql('{ assetRepairs(where: { asset: { eq: "C" } }) { totalCount } }')).body.data).toEqual({
      assetRepairs: { totalCount: 0 },
    });
    expect(total).toBeGreaterThan(0);
  });

  test('a stream that is open when its endpoint ends gets an error and ends', async () => {
    const sunset = new Date(Date.now() + 3_000).toISOString();
    const ended = [named.apiKey.id];
    const DEPRECATIONS = fileOf([{ endpoints: ['Events'], deprecated: past, sunset, ended }]);
    const { databaseUrl: DATABASE_URL } = gateway.config;
    const other = await startGateway({ database, env: { DATABASE_URL, DEPRECATIONS } });
    try {
      const headers = { authorization: `Bearer ${named.secret}`, accept: 'text/event-stream' };
      const stream = await fetch(`${other.url}/api/events`, { headers });
      expect(stream.status).toBe(200);
      const [error = ''] = /^event: refused\ndata: .*$/m.exec(await stream.text()) ?? [];
      expect(JSON.parse(error.split('data: ')[1] ?? '')).toMatchObject({ error: { code: 'endpoint_ended', sunset } });
    } finally {
      await other.close();
    }
  });

  test('a refused key can still ask what to do instead', async () => {
    const caller = callerOf(gateway, named.secret);
    const { status, body } = await caller.rest('GET', '/api/assets/asset-repair?_explain=graphql');
    expect([status, body.explanation.operation]).toEqual([200, 'AssetRepairList']);
    const wrong = await caller.rest('POST', '/api/assets/asset-repair?_explain=no', { asset: 'C', failure_date: past });
    expect(wrong.status).toBe(400);
  });

  test('a rotated key is another key, and an unknown one learns nothing', async () => {
    const stranger = callerOf(gateway, 'not-a-key-of-this-gateway');
    const { status, headers } = await stranger.rest('GET', '/api/assets/asset-repair');
    expect([status, ...told(headers)]).toEqual([401, null, null, null]);
  });

  test('pages of other origins may read the headers', async () => {
    const { headers } = await gateway.rest('GET', '/api/crm/industry-type', undefined, {
      origin: 'https://app.example',
    });
    for (const name of ['Deprecation', 'Sunset', 'Link']) {
      expect(headers.get('access-control-expose-headers')?.split(', ')).toContain(name);
    }
  });

  test('the description says it, and names no key', async () => {
    const { body, text } = await gateway.rest('GET', '/openapi.json', undefined, { authorization: '' });
    const list = body.paths['/api/assets/asset-repair'].get;
    expect(list).toMatchObject({ deprecated: true, 'x-sunset': '2026-01-31T00:00:00.000Z' });
    expect(list.description).toContain('](operations/AssetRepairList.graphql)');
    expect(Object.keys(list.responses)).toContain('410');
    expect(Object.keys(list.responses[200].headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']));
    expect(body.paths['/api/changes'].get.deprecated).toBe(true);
    expect(body.paths['/api/events'].get.description).toMatch(/^Server-sent events.*Deprecated from 2026-01-01 on/s);
    const other = body.paths['/api/crm/quotation'].get;
    expect([other.deprecated, Object.keys(other.responses).includes('410')]).toEqual([undefined, false]);
    expect(Object.keys(other.responses[200].headers ?? {})).not.toContain('Sunset');
    expect(text).not.toContain(named.apiKey.id);
  });

  test('keys that still have to move are reported with what to move to', async () => {
    const caller = await callerWith(gateway, '*');
    await caller.rest('GET', '/api/assets/asset-repair');
    await caller.rest('GET', '/api/crm/quotation');
    await gateway.settle();
    const query = `query ($keyId: ID) {
      apiUses(keyId: $keyId, onlyDeprecated: true) { name callable { deprecatedAt sunsetAt replacement } }
      apiDeprecations { callable { name } keys calls lastAt }
    }`;
    const { data } = (await gateway.graphql(query, { keyId: caller.id })).body;
    expect(data.apiUses).toEqual([
      {
        name: 'AssetRepairList',
        callable: {
          deprecatedAt: '2026-01-01T00:00:00.000Z',
          sunsetAt: '2026-01-31T00:00:00.000Z',
          replacement: expect.stringContaining('query AssetRepairList'),
        },
      },
    ]);
    const byName = new Map<string, object>(
      data.apiDeprecations.map((each: { callable: { name: string } }) => [each.callable.name, each]),
    );
    expect(byName.get('AssetRepairCancel')).toMatchObject({ keys: 0, calls: 0, lastAt: null });
    expect(byName.get('AssetRepairList')).toMatchObject({ keys: 3 });
    expect(byName.has('QuotationList')).toBe(false);
  });
});

describe('a file that cannot be used', () => {
  const names = ['AssetRepairList', 'AssetRepairCreate', 'Changes'];
  const entry = { endpoints: ['AssetRepairList'], deprecated: '2026-01-01' };
  test.each<[what: string, content: unknown, problem: RegExp]>([
    ['is no JSON', '{', /not valid JSON/],
    ['is no list', {}, /must be of the type array/],
    [
      'has a sunset before the deprecation',
      [{ ...entry, sunset: '2025-12-31' }],
      /entry 1 has a `sunset` before its `deprecated`/,
    ],
    ['names no endpoint', [{ ...entry, endpoints: [] }], /`1.endpoints`/],
    ['names an unknown endpoint', [{ ...entry, endpoints: ['AssetRepairLists'] }], /did you mean `AssetRepairList`\?$/],
    [
      'names none by a pattern',
      [{ ...entry, endpoints: ['Quotation*'] }],
      /names Quotation\*, which is the name of no endpoint/,
    ],
    [
      'names an endpoint twice',
      [entry, { ...entry, endpoints: ['AssetRepair*'] }],
      /entry 2 names AssetRepairList, which an earlier entry names too/,
    ],
    ['has a wrong date', [{ ...entry, deprecated: '2026-02-30' }], /`deprecated` that must name a day/],
    ['ends for keys at no time', [{ ...entry, ended: ['*'] }], /without a `sunset`/],
    ['has an unknown name', [{ ...entry, sunset_at: '2027-01-01' }], /sunset_at/],
    [
      'has an address that would break the header',
      [{ ...entry, documentation: 'https://x/>; rel="next"' }],
      /documentation/,
    ],
  ])('%s', (_, content, problem) => {
    const messages = () => {
      try {
        readDeprecations(fileOf(content), names);
        return [];
      } catch (error) {
        return error instanceof ConfigError ? error.problems : [String(error)];
      }
    };
    expect(messages()).toEqual([expect.stringMatching(problem)]);
  });

  test('does not show a secret that it names in the place of an id', () => {
    const secret = 'brg_0123456789ab_'.padEnd(69, 'x');
    const path = fileOf([{ ...entry, sunset: '2027-01-01', ended: [secret] }]);
    expect(() => readDeprecations(path, names)).toThrow(/must be the id of a key/);
    expect(() => readDeprecations(path, names)).not.toThrow(secret);
  });

  test('keeps the gateway from starting, says why, and leaves the database as it was', async () => {
    const DATABASE_URL = await emptyDatabaseUrl('sqlite');
    const gateway = startProcess({ DEPRECATIONS: fileOf([{ ...entry, endpoints: ['Nope'] }]), DATABASE_URL });
    expect(await gateway.ended).toBe(2);
    expect(gateway.log()).toMatch(/DEPRECATIONS names .*entry 1 names Nope/);
    expect(existsSync(DATABASE_URL.slice('file:'.length))).toBe(false);
  });

  test('a file that begins with a byte order mark is read as any other', () => {
    expect(readDeprecations(fileOf(`\uFEFF${JSON.stringify([entry])}`), names).size).toBe(1);
  });

  test('patterns name what begins, ends and holds', () => {
    const file = (endpoints: string[]) => [...readDeprecations(fileOf([{ ...entry, endpoints }]), names).keys()];
    expect(file(['*'])).toEqual(names);
    expect(file(['*List'])).toEqual(['AssetRepairList']);
    expect(file(['A*R*C*e'])).toEqual(['AssetRepairCreate']);
    expect(() => file(['AssetRepairList*AssetRepairList'])).toThrow();
  });
});

describe('the page on moving to GraphQL', () => {
  const page = readFileSync('docs/moving-to-graphql.md', 'utf8');

  test('shows a file that can be used', () => {
    const [, json = ''] = /<!-- deprecations -->\n```json\n(.*?)```/s.exec(page) ?? [];
    const found = readDeprecations(
      fileOf(json),
      restOperations.map(({ name }) => name),
    );
    expect(found.get('AssetRepairSubmit')?.ended).toEqual(new Set(['brg_0123456789ab']));
  });

  test('shows an operation that lists the keys that still have to move', async () => {
    const [, query = ''] = /```graphql admin\n(.*?)```/s.exec(page) ?? [];
    const gateway = await sharedGateway('sqlite', true);
    expect((await gateway.graphql(query)).body).toEqual({ data: { apiDeprecations: [], apiUses: [] } });
  });
});
