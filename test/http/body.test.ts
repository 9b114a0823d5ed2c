import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const megabyte = 1024 * 1024;

/** A body of exactly `size` bytes that asks GraphQL for `__typename`. */
function operationOfSize(size: number): string {
  const body = JSON.stringify({ query: '{ __typename }', variables: { padding: '' } });
  return body.replace('""', `"${'x'.repeat(size - body.length)}"`);
}

describe.each([
  ['REST', '/api/assets/asset-repair', (answer: { body: { error: { code: string } } }) => answer.body.error.code],
  [
    'GraphQL',
    '/graphql',
    (answer: { body: { errors: [{ extensions: { reason: string } }] } }) => answer.body.errors[0].extensions.reason,
  ],
] as const)('a body sent to %s', (_surface, path, reasonOf) => {
  test.each([
    ['with its length announced', 'x'.repeat(megabyte + 1)],
    ['of 25 MB', 'x'.repeat(25 * megabyte)],
  ])('that is over 1 MB is refused: %s', async (_case, body) => {
    const answer = await gateway.rest('POST', path, body);
    expect(answer.status).toBe(413);
    expect(reasonOf(answer)).toBe('body_too_large');
    // So that nothing is sent behind a body that is thrown away for longer than a request may take.
    expect(answer.headers.get('connection')).toBe('close');
  });

  test('that is over 1 MB is refused while it is still being sent in chunks', async () => {
    const { outgoing, answered } = sendInChunks(path);
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let sent = 0;
    outgoing.on('response', () => outgoing.end());
    while (!outgoing.writableEnded && sent < 100 * megabyte) {
      if (!outgoing.write(chunk)) await Promise.race([once(outgoing, 'drain'), answered]);
      sent += chunk.length;
      await new Promise(setImmediate);
    }
    expect((await answered).statusCode).toBe(413);
    expect(sent).toBeLessThan(20 * megabyte);
  });

  test('that waits to be told to go on is refused before it is sent', async () => {
    const outgoing = request(gateway.url + path, {
      method: 'POST',
      headers: { ...jsonHeaders(), 'content-length': 25 * megabyte, expect: '100-continue' },
    });
    let told = false;
    outgoing.on('continue', () => {
      told = true;
    });
    outgoing.flushHeaders();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    outgoing.destroy();
    expect(answer.statusCode).toBe(413);
    expect(told).toBe(false);
  });

  test.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/graphql'],
    ['application/jsonp'],
    ['application/json; charset=latin1'],
    ['application/json, text/plain'],
  ])('as %s is refused', async (type) => {
    const answer = await gateway.rest('POST', path, '{"query":"{ __typename }"}', { 'content-type': type });
    expect(answer.status).toBe(415);
    expect(reasonOf(answer)).toBe('content_type_unsupported');
  });

  test('that is compressed is refused rather than unpacked', async () => {
    const answer = await gateway.rest('POST', path, 'x', { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(415);
  });

  test.each([
    ['cut off', '{"canary": "of the body"'],
    ['not JSON at all', 'canary of the body'],
    ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['with a trailing comma', '{"canary": 1,}'],
    ['two values', '{"canary": 1}{"canary": 2}'],
  ])('that is malformed is refused and not repeated: %s', async (_case, body) => {
    const response = await fetch(gateway.url + path, { method: 'POST', headers: jsonHeaders(), body });
    const answer = await response.text();
    expect(response.status).toBe(400);
    expect(reasonOf({ body: JSON.parse(answer) })).toBe('json_invalid');
    expect(answer).not.toContain('canary');
  });
});

describe('a body sent to GraphQL', () => {
  test('of exactly 1 MB is taken', async () => {
    const answer = await gateway.rest('POST', '/graphql', operationOfSize(megabyte));
    expect(answer.body).toEqual({ data: { __typename: 'Query' } });
  });

  test('is taken with a charset and whatever case, after being told to go on', async () => {
    const body = '{"query":"{ __typename }"}';
    const outgoing = request(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: {
        ...jsonHeaders(),
        'content-type': 'Application/JSON; Charset="UTF-8"',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(JSON.parse(await text(answer))).toEqual({ data: { __typename: 'Query' } });
  });

  test.each([
    ['{}'],
    ['[]'],
    ['null'],
    ['5'],
    ['"{ __typename }"'],
    ['{"query": 5}'],
    ['[{"query":"{ __typename }"}]'],
  ])('that is JSON but no operation is refused: %s', async (body) => {
    const answer = await gateway.rest('POST', '/graphql', body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.code).toBe('BAD_REQUEST');
  });

  test('is missing: refused', async () => {
    const answer = await gateway.rest('POST', '/graphql', undefined, { 'content-type': 'application/json' });
    expect(answer.status).toBe(400);
  });
});

function jsonHeaders(): Record<string, string> {
  return { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' };
}

function sendInChunks(path: string) {
  const outgoing = request(gateway.url + path, { method: 'POST', headers: jsonHeaders() });
  outgoing.on('error', () => {});
  const answered = once(outgoing, 'response').then(([answer]) => answer as IncomingMessage);
  return { outgoing, answered };
}

test('a body as a merge patch is taken by PATCH, and by nothing else', async () => {
  const merge = { 'content-type': 'application/merge-patch+json; charset=utf-8' };
  const settings = '/api/accounts/subscription-settings';
  const { id } = (await gateway.rest('GET', settings)).body;
  const patched = await gateway.rest('PATCH', `${settings}/${id}`, '{"grace_period": 7}', merge);
  expect([patched.status, patched.body.grace_period]).toEqual([200, 7]);
  expect((await gateway.rest('POST', '/api/crm/industry-type', '{"industry": "Ships"}', merge)).status).toBe(415);
  expect((await gateway.rest('POST', '/graphql', '{"query":"{ __typename }"}', merge)).status).toBe(415);
});
