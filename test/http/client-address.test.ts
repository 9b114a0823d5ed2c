import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

const assets = '/api/assets/asset-repair';
let gateway: TestGateway;
let number = 0;

/** What the log names as the client of a request from 127.0.0.1 with these headers. */
async function loggedClient(headers: Record<string, string>, path = assets, of = gateway): Promise<unknown> {
  const requestId = `client-${number++}`;
  const stopped = new AbortController();
  const answer = await fetch(of.url + path, {
    headers: { authorization: `Bearer ${of.key}`, 'x-request-id': requestId, ...headers },
    signal: stopped.signal,
  });
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) stopped.abort();
  else await answer.text();
  const line = () => of.logLines.map((json) => JSON.parse(json)).find((each) => each.requestId === requestId);
  await expect.poll(line).toMatchObject({ msg: 'request' });
  return line().client;
}

describe('behind proxies that are trusted', () => {
  beforeAll(async () => {
    gateway = await startGateway({ env: { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8,fd00::/8' } });
  });
  afterAll(() => gateway.close());

  test.each([
    ['a client', '198.51.100.7', '198.51.100.7'],
    ['a client by IPv6', '2001:db8::7', '2001:db8::7'],
    ['what the client has sent itself before it', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['other proxies behind it', '203.0.113.9,198.51.100.7, fd00::1 ,10.1.2.3', '198.51.100.7'],
    ['an IPv4 address in the form of IPv6', '203.0.113.9, 198.51.100.7, ::ffff:10.1.2.3', '198.51.100.7'],
    ['ports', '203.0.113.9, [2001:db8::7]:4711, 10.1.2.3:80', '2001:db8::7'],
    ['proxies only: the first of them', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['no address: the proxy that wrote it', '198.51.100.7, canary, 10.0.0.2', '10.0.0.2'],
    ['nothing', '', '127.0.0.1'],
    ['a zone', '198.51.100.7, fe80::1%canary', '127.0.0.1'],
    ['nearly an address', '198.51.100.7, 10.0.0.256', '127.0.0.1'],
  ])('the log has the client of a header with %s', async (_what, forwarded, client) => {
    expect(await loggedClient({ 'x-forwarded-for': forwarded })).toBe(client);
  });

  test.each([
    ['a refused key', { authorization: 'Bearer not-a-key-of-this-gateway' }, assets],
    ['a stream', {}, '/api/events'],
    ['a page', { accept: 'text/html' }, '/'],
    ['a path that leads nowhere', {}, '/nowhere'],
  ])('the log has the client of %s', async (_what, headers, path) => {
    expect(await loggedClient({ ...headers, 'x-forwarded-for': '198.51.100.7' }, path)).toBe('198.51.100.7');
  });
});

test.each([
  ['by a caller that is no trusted proxy is ignored', { TRUSTED_PROXIES: '10.0.0.0/8' }, '127.0.0.1'],
  ['without the setting is ignored, and no address logged', {}, undefined],
])('the header sent %s', async (_what, env, client) => {
  const other = await startGateway({ env });
  try {
    expect(await loggedClient({ 'x-forwarded-for': '198.51.100.7, 10.0.0.1' }, assets, other)).toBe(client);
    expect(other.logLines.join('')).not.toContain('198.51.100.7');
  } finally {
    await other.close();
  }
});
