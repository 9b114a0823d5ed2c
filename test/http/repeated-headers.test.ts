/**
 * Headers that may occur only once, sent twice: nothing is dropped silently, because a proxy in front may have used the
 * other one.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const paths = ['/api/crm/industry-type', '/graphql?query={__typename}', '/healthz', '/', '/nowhere'];
const key = () => `Authorization: Bearer ${gateway.key}`;

/** The answer to a request of these lines, as it comes over the wire. */
async function answerTo(...lines: string[]): Promise<string> {
  const { port } = new URL(gateway.url);
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
  // The gateway may have answered and closed the connection before all of the request is written.
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  await once(socket, 'end');
  return answer;
}

const status = (answer: string) => Number(answer.split(' ')[1]);

describe.each(paths)('%s', (path) => {
  test('with two hosts is 400, and says so', async () => {
    for (const hosts of [
      ['Host: a', 'Host: b'],
      ['Host: a', 'host: a'],
      ['Host: a, b'],
      ['Host: a', 'X: y', 'HOST: '],
    ]) {
      const answer = await answerTo(`GET ${path} HTTP/1.1`, ...hosts, key());
      expect([hosts, status(answer)]).toEqual([hosts, 400]);
      expect(answer).toMatch(/"(code|reason)":"host_invalid"/);
    }
  });

  test('with one is answered, and without any 400', async () => {
    expect(status(await answerTo(`GET ${path} HTTP/1.1`, 'Host: a', key()))).not.toBe(400);
    expect(status(await answerTo(`GET ${path} HTTP/1.1`, key()))).toBe(400);
  });
});

test('a write with two hosts writes nothing', async () => {
  const body = '{"industry": "mining"}';
  const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const lines = ['POST /api/crm/industry-type HTTP/1.1', 'Host: a', 'Host: b', key(), ...type, 'Connection: close'];
  expect(status(await answerTo(...lines, '', body))).toBe(400);
  expect((await gateway.rest('GET', '/api/crm/industry-type')).body.total).toBe(0);
});

test('two keys open nothing, whichever is the good one', async () => {
  const wrong = 'Authorization: Bearer wrong';
  for (const keys of [
    [key(), wrong],
    [wrong, key()],
  ]) {
    expect(status(await answerTo('GET /api/crm/industry-type HTTP/1.1', 'Host: a', ...keys))).toBe(401);
  }
});

test('a request target with the origin in front is the same request', async () => {
  for (const target of [
    'http://a/api/crm/industry-type',
    'http://a/healthz',
    'http://a?x',
    'HTTP://a/graphql?query={__typename}',
  ]) {
    const answer = await answerTo(`GET ${target} HTTP/1.1`, 'Host: a', key(), 'Accept: application/json, text/html');
    expect([target, status(answer)]).toEqual([target, 200]);
  }
});

test('a body in a transfer coding that is not read is refused', async () => {
  const lines = [`POST /api/crm/industry-type HTTP/1.1`, 'Host: a', key(), 'Content-Type: application/json'];
  const answer = await answerTo(...lines, 'Transfer-Encoding: gzip, chunked');
  expect(status(answer)).toBe(415);
});
