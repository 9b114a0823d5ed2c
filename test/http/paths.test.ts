import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

/** The answer to an unusual request. */
async function raw(head: string): Promise<string> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  // The gateway may have answered and closed the connection before all of the request is written.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.end(head.replaceAll('\n', '\r\n'));
  return text(socket);
}

describe('an unknown path', () => {
  test.each([
    '/nowhere',
    '/graphql/',
    '/GraphQL',
    '/graphql/more',
    '/Healthz',
    '/schema',
    '/records/asset-repair',
    '/pages',
    '/pages/manifest.json',
    '/pages/nothing.js',
    '/pages/%E0%A4%A',
    '/pages/..%2f..%2fpackage.json',
    '/.env',
    '/API/assets/asset-repair',
    '/favicon.ico',
  ])('is 404 in the shape of REST errors: %s', async (path) => {
    const answer = await gateway.rest('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({
      error: {
        type: 'invalid_request_error',
        code: 'route_not_found',
        message: expect.any(String),
        param: null,
        errors: [],
        request_id: answer.headers.get('x-request-id'),
      },
    });
  });

  test('answers as a problem where that is asked for', async () => {
    const answer = await gateway.rest('GET', '/nowhere', undefined, { accept: 'application/problem+json' });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toMatchObject({ status: 404, code: 'route_not_found' });
  });

  test('never repeats what was asked for', async () => {
    const answer = await gateway.rest('GET', '/canary?canary=<script>canary</script>');
    expect(answer.text).not.toContain('canary');
  });
});

describe('an unusual request', () => {
  const key = () => `Authorization: Bearer ${gateway.key}\nConnection: close`;

  test.each([
    ['a path that climbs', 'GET /api/../../etc/passwd HTTP/1.1\nHost: x'],
    ['two slashes', 'GET //nowhere//at/all HTTP/1.1\nHost: x'],
    ['a whole address', 'GET http://elsewhere.example/nowhere HTTP/1.1\nHost: x'],
    ['an address of nothing', 'OPTIONS * HTTP/1.1\nHost: x'],
    ['a Host that is none', 'GET /nowhere HTTP/1.1\nHost: [<'],
  ])('finds nothing, and breaks nothing: %s', async (_case, head) => {
    expect(await raw(`${head}\n${key()}\n\n`)).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('gets GraphQL whatever its Host header says', async () => {
    expect(await raw(`GET /graphql?query={__typename} HTTP/1.1\nHost: [<\n${key()}\n\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('gets the start page without its Host header repeated', async () => {
    const answer = await raw('GET / HTTP/1.1\nHost: "><script>\nConnection: close\nAccept: text/html\n\n');
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toContain('"><script>');
  });
});
