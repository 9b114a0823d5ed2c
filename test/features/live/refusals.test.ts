/** Refused subscriptions: the answers by HTTP status and as a stream. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/features/keys/api-keys.js';
import type { Scope } from '../../../src/model/scopes.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { watch } from './watch.js';

const subscription = 'subscription { assetRepairChanged { position notice record { id } } }';
const asStream = { accept: 'text/event-stream' };

describe('a subscription is refused', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ env: { COST_LIMIT: '5000', STREAMS_PER_KEY: '3' } });
  });
  afterAll(() => gateway.close());

  const keyWith = async (...scopes: Scope[]) => (await createKey(gateway.database, { name: 'k', scopes })).secret;
  /** The error that a client of streams gets. */
  const refusal = async (query: string, variables: Record<string, unknown> = {}, key = gateway.key) => {
    const stream = watch({ url: gateway.url, key }, query, variables);
    const error: unknown = await stream.next().catch((reason: unknown) => reason);
    stream.stop();
    return String(error);
  };

  test('as JSON, with what to do', async () => {
    const { status, body } = await gateway.graphql(subscription);
    expect(status).toBe(400);
    expect(body.errors[0].extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
    expect(body.errors[0].message).toContain('Accept: text/event-stream');
  });

  test('with HEAD', async () => {
    const path = `/graphql?query=${encodeURIComponent(subscription)}`;
    expect(
      (await gateway.rest('HEAD', path, undefined, { accept: 'text/event-stream, application/json' })).status,
    ).toBe(400);
    expect((await gateway.rest('HEAD', path, undefined, asStream)).status).toBe(406);
  });

  test.each([
    ['a field there is not', 'subscription { assetRepairChanged { nope } }', {}, 'GRAPHQL_VALIDATION_FAILED'],
    ['no GraphQL', 'subscription {', {}, 'GRAPHQL_PARSE_FAILED'],
    [
      'two streams',
      'subscription { a: assetRepairChanged { position } b: changes { position } }',
      {},
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'a wrong variable',
      'subscription ($id: ID) { assetRepairChanged(id: $id) { position } }',
      { id: [1] },
      'BAD_USER_INPUT',
    ],
    [
      'a filter that follows a link',
      'subscription ($w: JobCardFilter) { jobCardChanged(where: $w) { position } }',
      { w: { not: { serialNoRecord: { status: { eq: 'Active' } } } } },
      'follows a link.*BAD_USER_INPUT',
    ],
    [
      'a condition around the stream',
      'subscription { assetRepairChanged @include(if: true) { position } }',
      {},
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'a condition with a variable around the stream',
      'subscription ($s: Boolean!) { changes @skip(if: $s) { position } }',
      { s: true },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'a directive that there is not around the stream',
      'subscription { ... on Subscription @defer { changes { position } } }',
      {},
      'Unknown directive.*@defer.*GRAPHQL_VALIDATION_FAILED',
    ],
    ['no stream', 'subscription { __typename }', {}, 'OPERATION_RESOLUTION_FAILURE|GRAPHQL_VALIDATION_FAILED'],
    [
      'what no position can be',
      'subscription { changes(after: "90000000000000000") { position } }',
      {},
      'BAD_USER_INPUT',
    ],
    [
      'variables of a megabyte, which it would keep',
      'subscription ($w: AssetRepairFilter) { assetRepairChanged(where: $w) { position } }',
      { w: { description: { eq: 'x'.repeat(900_000) } } },
      'BAD_USER_INPUT',
    ],
    [
      'a measure of groups in its filter',
      'subscription ($w: AssetRepairFilter!) { assetRepairChanged(where: { not: $w }) { position } }',
      { w: { repairCost: { sum: { gt: 1 } } } },
      'BAD_USER_INPUT',
    ],
    ['a long comment', `subscription { changes { position } } #${'x'.repeat(20_000)}`, {}, 'BAD_USER_INPUT'],
    ['a position below 0', 'subscription { changes(after: "-1") { position } }', {}, 'BAD_USER_INPUT'],
    ['a part of a position', 'subscription { changes(after: "0.5") { position } }', {}, 'BAD_USER_INPUT'],
    [
      'a word for a position',
      'subscription ($after: String) { changes(after: $after) { position } }',
      { after: 'soon' },
      'BAD_USER_INPUT',
    ],
    [
      'a costly selection',
      `subscription { assetRepairChanged { ${Array.from({ length: 40 }, (_, i) => `r${i}: record { ... on AssetRepair { consumedItems(limit: 1000) { id } } }`).join(' ')} } }`,
      {},
      'QUERY_TOO_COMPLEX',
    ],
  ])('for %s', async (_, query, variables, code) => {
    expect(await refusal(query, variables)).toMatch(new RegExp(code));
  });

  test('for a scope that the key lacks', async () => {
    const crm = await keyWith('crm:read');
    expect(await refusal(subscription, {}, crm)).toContain('assets:read');
    expect(
      await refusal('subscription { changes(types: [ASSET_REPAIR, INDUSTRY_TYPE]) { position } }', {}, crm),
    ).toContain('assets:read');
    expect(await refusal('subscription { changes { position } }', {}, await keyWith('crm:write'))).toContain(
      'FORBIDDEN',
    );
    expect(await refusal('subscription { changes { position } }', {}, await keyWith('admin'))).toContain('FORBIDDEN');
  });

  test('without a key, by HTTP', async () => {
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { ...asStream, 'content-type': 'application/json' },
      body: JSON.stringify({ query: subscription }),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8']);
  });

  test('in parts, if the client takes only those; parts of an answer with @defer are no stream', async () => {
    const send = async (query: string, accept: string) => {
      const path = `${gateway.url}/graphql?query=${encodeURIComponent(query)}`;
      const answer = await fetch(path, { headers: { authorization: `Bearer ${gateway.key}`, accept } });
      return [answer.status, answer.headers.get('content-type'), await answer.text()];
    };
    const parts = 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"';
    const [status, type, text] = await send('subscription { nope }', 'multipart/mixed; subscriptionSpec="1.0"');
    expect([status, type]).toEqual([200, parts]);
    expect(text).toMatch(
      /^\r\n--graphql\r\nContent-Type: application\/json\r\n\r\n\{"payload":\{"errors":.*\}\r\n--graphql--\r\n$/,
    );
    const asJson = await send('subscription { nope }', `${parts}, application/json`);
    expect(asJson).toMatchObject([200, 'application/json; charset=utf-8', expect.stringContaining('nope')]);
    const deferred = await send(subscription, 'multipart/mixed; deferSpec=20220824, application/json');
    expect(deferred).toMatchObject([400, 'application/json; charset=utf-8', expect.stringContaining('event-stream')]);
    expect((await send('{ assetRepairs { totalCount } }', parts))[0]).toBe(406);
  });

  test('and a query or mutation that takes only a stream', async () => {
    for (const query of [
      '{ assetRepairs { totalCount } }',
      'mutation { createIndustryType(input: { industry: "x" }) { record { id } } }',
    ]) {
      const { status, body } = await gateway.graphql(query, {}, asStream);
      expect([status, body.errors[0].extensions.reason]).toEqual([406, 'not_acceptable']);
    }
    const { body } = await gateway.graphql('{ industryTypes { totalCount } }');
    expect(body.data.industryTypes.totalCount).toBe(0);
  });

  test('beyond the streams of a key, until one ends', async () => {
    const key = await keyWith('assets:read');
    const open = [1, 2, 3].map(() => watch({ url: gateway.url, key }, subscription));
    for (const stream of open) await stream.next();
    const send = () =>
      fetch(`${gateway.url}/graphql?query=${encodeURIComponent(subscription)}`, {
        headers: { ...asStream, authorization: `Bearer ${key}` },
      });
    const refused = await send();
    expect([refused.status, (await refused.json()).errors[0].extensions.reason]).toEqual([429, 'too_many_streams']);
    open[0]?.stop();
    await expect
      .poll(async () => {
        const answer = await send();
        await answer.body?.cancel();
        return answer.status;
      })
      .toBe(200);
    for (const stream of open) stream.stop();
  });
});

test('beyond the streams of all keys, until one ends', async () => {
  const gateway = await startGateway({ env: { STREAMS_AT_ONCE: '2' } });
  const path = `/graphql?query=${encodeURIComponent(subscription)}`;
  const open = [watch(gateway, subscription), watch(gateway, subscription)];
  for (const stream of open) await stream.next();
  const refused = await gateway.rest('GET', path, undefined, asStream);
  expect([refused.status, refused.body.errors[0].extensions.reason]).toEqual([503, 'busy']);
  expect((await gateway.rest('GET', '/api/events')).status).toBe(503);
  open[0]?.stop();
  const again = watch(gateway, subscription);
  await expect.poll(() => again.next().then(() => 'open', String)).toBe('open');
  for (const stream of [...open, again]) stream.stop();
  await gateway.close();
});

test('the other ways of sending an operation', async () => {
  const gateway = await startGateway();
  /** The status and the beginning of the answer. */
  const begin = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
    const answer = await fetch(gateway.url + path, {
      method,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...asStream, ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    const text = (await reader?.read())?.value ?? '';
    await reader?.cancel();
    return { status: answer.status, text };
  };
  const opened = { status: 200, text: expect.stringContaining('"notice":"OPENED"') };
  const sha256Hash = createHash('sha256').update(subscription).digest('hex');
  const extensions = { persistedQuery: { version: 1, sha256Hash } };
  expect(await begin('POST', '/graphql', {}, { extensions })).toMatchObject({
    text: expect.stringContaining('PERSISTED_QUERY_NOT_FOUND'),
  });
  expect(await begin('POST', '/graphql', {}, { query: subscription, extensions })).toMatchObject(opened);
  expect(await begin('POST', '/graphql', {}, { extensions })).toMatchObject(opened);
  expect(await begin('GET', `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`, {})).toMatchObject(
    opened,
  );
  // No answer is stored for an Idempotency-Key, because a stream is no answer.
  const key = { 'idempotency-key': 'a-stream' };
  for (const _ of [1, 2]) expect(await begin('POST', '/graphql', key, { query: subscription })).toMatchObject(opened);
  const batch = await begin('POST', '/graphql', {}, [{ query: subscription }, { query: subscription }]);
  expect(batch.text).not.toContain('OPENED');
  expect(batch.text).toContain('errors');
  const named = 'query Q { __typename } subscription S { changes { position notice } }';
  expect(await begin('POST', '/graphql', {}, { query: named, operationName: 'S' })).toMatchObject(opened);
  const deferred = 'subscription { changes { position ... @defer { notice } } }';
  expect((await begin('POST', '/graphql', {}, { query: deferred })).text).toContain('GRAPHQL_VALIDATION_FAILED');
  await gateway.close();
});

test('without a journal there are no streams, and the error says why', async () => {
  const gateway = await startGateway({ env: { JOURNAL: 'false' } });
  await expect(watch(gateway, subscription).next()).rejects.toThrow('JOURNAL=false');
  for (const path of ['/api/events', '/api/events?_explain=graphql']) {
    const { status, body } = await gateway.rest('GET', path, undefined, { accept: 'text/event-stream' });
    expect([status, body.error.code]).toEqual([400, 'operation_unknown']);
  }
  await gateway.close();
});
