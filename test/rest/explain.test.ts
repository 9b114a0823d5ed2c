/** `?_explain=graphql` performs nothing, skips no check, and reveals no secrets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { databaseInTurn } from '../support/database.js';
import { type Answer, startGateway, type TestGateway } from '../support/gateway.js';

const repairs = '/api/assets/asset-repair';
const repair = { asset: 'LATHE-7', failure_date: '2026-11-20' };
const explain = '_explain=graphql';

describe.each(databaseInTurn(import.meta.filename))('an explanation on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database, env: { RATE_LIMIT: '1000' } });
  });
  afterAll(() => gateway.close());

  const create = async () => (await gateway.rest('POST', repairs, repair)).body.id;
  const count = async () => (await gateway.rest('GET', repairs)).body.total;

  test('names the operation of a call, its variables and its cost', async () => {
    const { status, body, headers } = await gateway.rest('GET', `${repairs}?limit=2&offset=1&status=x&${explain}`);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body.explanation).toMatchObject({
      endpoint: `GET ${repairs}`,
      operation: 'AssetRepairList',
      kind: 'query',
      variables: { limit: 2, offset: 1 },
      cost: { limit: 100_000 },
      way: 'sql',
      statements: [expect.stringMatching(/FROM "AssetRepair"/)],
    });
    expect(headers.get('x-ignored-parameters')).toBe('status');
  });

  test('performs no write, whatever the value, however often it is given and however it is spelled', async () => {
    const id = await create();
    const before = await count();
    const writes: [string, string, object?][] = [
      ['POST', repairs, repair],
      ['PATCH', `${repairs}/${id}`, { asset: 'other' }],
      ['DELETE', `${repairs}/${id}`],
      ['POST', `${repairs}/${id}/submit`],
    ];
    for (const [method, path, body] of writes) {
      expect((await gateway.rest(method, `${path}?${explain}`, body)).status).toBe(200);
      expect((await gateway.rest(method, `${path}?%5Fexplain=graphql`, body)).status).toBe(200);
      for (const wrong of ['_explain', '_explain=', '_explain=sql', '_explain=GraphQL', `${explain}&${explain}`]) {
        const refusal = await gateway.rest(method, `${path}?${wrong}`, body);
        expect([wrong, refusal.status, refusal.body.error?.param]).toEqual([wrong, 400, '_explain']);
      }
      for (const name of ['_EXPLAIN', '_explain[]', '_explain ', '__explain', 'explain', 'Explain']) {
        const refusal = await gateway.rest(method, `${path}?${encodeURIComponent(name)}=graphql`, body);
        expect([refusal.status, refusal.body.error?.param]).toEqual([400, '_explain']);
        expect(refusal.body.error.message).toContain('`_explain=graphql`');
      }
    }
    expect(await count()).toBe(before);
    expect((await gateway.rest('GET', `${repairs}/${id}`)).body).toMatchObject({ ...repair, status: 'draft' });
  });

  test('uses up no Idempotency-Key, and is no answer to be repeated', async () => {
    const headers = { 'idempotency-key': 'explained first' };
    const before = await count();
    const key = { 'idempotency-key': 'explained-first' };
    expect((await gateway.rest('POST', `${repairs}?${explain}`, repair, headers)).body.error.code).toBe(
      'idempotency_key_invalid',
    );
    const explained = await gateway.rest('POST', `${repairs}?${explain}`, repair, key);
    expect(explained.body.explanation.way).toBe('resolvers');
    const performed = await gateway.rest('POST', repairs, repair, key);
    expect([performed.status, performed.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const again = await gateway.rest('POST', `${repairs}?${explain}`, repair, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(await count()).toBe(before + 1);
    expect(gateway.logLines.some((line) => JSON.parse(line).way === 'resolvers')).toBe(true);
  });

  test('is refused where the call would be refused before it is performed', async () => {
    const id = await create();
    const reader = await callerWith(gateway, 'assets:read');
    const writer = await callerWith(gateway, 'assets:write');
    const refusal = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      return [status, body.error.code];
    };
    expect(await refusal(reader.rest('POST', `${repairs}?${explain}`, repair))).toEqual([403, 'forbidden']);
    expect(await refusal(reader.rest('GET', `/api/crm/industry-type?${explain}`))).toEqual([403, 'forbidden']);
    // Like the call itself: this PATCH submits.
    for (const query of ['', explain]) {
      const patch = writer.rest('PATCH', `${repairs}/${id}?${query}`, { status: 'submitted' });
      expect(await refusal(patch)).toEqual([403, 'forbidden']);
    }
    expect(await refusal(gateway.rest('GET', `${repairs}?limit=0&${explain}`))).toEqual([400, 'parameter_invalid']);
    expect(await refusal(gateway.rest('POST', `${repairs}?${explain}`, { asset: 7 }))).toEqual([
      400,
      'parameter_missing',
    ]);
    expect(await refusal(gateway.rest('POST', `${repairs}?${explain}`, '{'))).toEqual([400, 'json_invalid']);
    expect(await refusal(gateway.rest('GET', `/api/nothing?${explain}`))).toEqual([404, 'route_not_found']);
    expect(await refusal(gateway.rest('PUT', `${repairs}?${explain}`))).toEqual([405, 'method_not_allowed']);
    const unknown = { authorization: 'Bearer unknown' };
    expect(await refusal(gateway.rest('GET', `${repairs}?${explain}`, undefined, unknown))).toEqual([
      401,
      'api_key_invalid',
    ]);
  });

  test('counts against the rate limit, and answers HEAD and OPTIONS as any call', async () => {
    const left = async (path: string) => Number((await gateway.rest('GET', path)).headers.get('ratelimit-remaining'));
    expect(await left(`${repairs}?${explain}`)).toBeLessThan((await left(repairs)) + 2);
    const head = await gateway.rest('HEAD', `${repairs}?${explain}`);
    expect([head.status, head.text]).toEqual([200, '']);
    const options = await gateway.rest('OPTIONS', `${repairs}?${explain}`);
    expect([options.status, options.text]).toEqual([204, '']);
  });

  test('explains history, records of the past and the list of changes', async () => {
    const id = await create();
    await gateway.rest('PATCH', `${repairs}/${id}`, { asset: 'MILL-1' });
    const now = encodeURIComponent(new Date().toISOString());
    const calls = [`${repairs}/${id}/history?limit=1`, `${repairs}/${id}?as_of=${now}`, '/api/changes?limit=2'];
    for (const call of calls) {
      const rest = await gateway.rest('GET', call);
      expect([call, rest.status]).toEqual([call, 200]);
      const { document, variables, way, operation } = (await gateway.rest('GET', `${call}&${explain}`)).body
        .explanation;
      expect([operation, way]).toEqual([rest.headers.get('x-graphql-operation'), 'resolvers']);
      const { data, errors } = (await gateway.graphql(document, variables)).body;
      expect(errors).toBeUndefined();
      const { history, record, changes } = data;
      const { _version, ...past } = record ?? {};
      const { pageInfo, ...versions } = history ?? {};
      // GraphQL has positions as texts.
      const feed = changes && JSON.parse(JSON.stringify(changes).replaceAll(/"position":"(\d+)"/g, '"position":$1'));
      expect(rest.body).toEqual(feed ?? (history ? { ...versions, ...pageInfo } : past));
    }
    const nobody = await callerWith(gateway, 'assets:write');
    expect((await nobody.rest('GET', `/api/changes?${explain}`)).status).toBe(403);
    const several = { 'if-match': '"1", "2"' };
    const patch = await gateway.rest('PATCH', `${repairs}/${id}?${explain}`, {}, several);
    expect(patch.body.explanation.variables.expectedVersion).toBe(1);
    expect((await gateway.rest('GET', '/api/changes?_explain=sql')).body.error.param).toBe('_explain');
  });

  test('explains a stream of events as a subscription', async () => {
    const call = '/api/events?types=asset-repair&actions=update&after=0';
    const { status, body, headers } = await gateway.rest('GET', `${call}&${explain}`, undefined, { accept: '*/*' });
    expect([status, headers.get('x-graphql-operation')]).toEqual([200, 'Events']);
    const { document, variables, ...names } = body.explanation;
    expect(names).toMatchObject({ endpoint: 'GET /api/events', operation: 'Events', kind: 'subscription' });
    expect(variables).toEqual({ types: ['ASSET_REPAIR'], actions: ['UPDATE'] });
    const stream = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${gateway.key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'last-event-id': '0',
      },
      body: JSON.stringify({ query: document, variables }),
    });
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await stream.body?.cancel();

    const nobody = await callerWith(gateway, 'crm:read');
    expect((await nobody.rest('GET', `${call}&${explain}`)).status).toBe(403);
    expect((await gateway.rest('GET', '/api/events?_explain=sql')).body.error.param).toBe('_explain');
    expect((await gateway.rest('GET', '/api/events?types=x&_explain=graphql')).body.error.param).toBe('types');
  });

  test('shows a key that may not read the document without the fields of the record', async () => {
    const writer = await callerWith(gateway, 'assets:write');
    const { document } = (await writer.rest('POST', `${repairs}?${explain}`, repair)).body.explanation;
    expect(document).not.toContain('asset_name');
    expect(
      (await writer.graphql(document, { input: { asset: 'A', failureDate: '2026' } })).body.errors,
    ).toBeUndefined();
  });

  test('shows nothing of what is stored, and keeps a credential out of the address', async () => {
    const settings = '/api/accounts/currency-exchange-settings';
    const { id } = (
      await gateway.rest('PATCH', `${settings}/currency-exchange-settings_default`, {
        access_key: 'stored-credential',
      })
    ).body;
    const { text, body } = await gateway.rest('PATCH', `${settings}/${id}?${explain}`, {
      access_key: 'sent-credential',
      disabled: true,
    });
    expect(text).not.toContain('stored-credential');
    expect(body.explanation.variables.input).toEqual({ accessKey: 'sent-credential', disabled: true });
    expect(body.explanation.graphiql).not.toContain('sent-credential');
    expect(gateway.logLines.join('')).not.toContain('sent-credential');
    expect((await gateway.rest('GET', `${settings}?${explain}`)).text).not.toContain('stored-credential');
  });

  test('has no address where it would be too long to open', async () => {
    const long = { ...repair, description: 'x'.repeat(100_000) };
    expect((await gateway.rest('POST', `${repairs}?${explain}`, long)).body.explanation.graphiql).toBeNull();
  });
});
