/**
 * What Node would answer by itself: it cannot read the request, waits for it in vain, or has no handler for it. Every such
 * answer has our form, our headers and a line in the log.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { securityHeaders } from '../../src/gateway/http/answer/headers.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const path = '/api/crm/industry-type';
const create = () => `POST ${path} HTTP/1.1\nHost: x\nContent-Type: application/json\n${key()}`;
const mutation = () => `POST /graphql HTTP/1.1\nHost: x\nContent-Type: application/json\n${key()}`;
const key = () => `Authorization: Bearer ${gateway.key}\n`;
const chunked = 'Transfer-Encoding: chunked\n\n';
const canary = 'canary'.repeat(5);

/** What the gateway sends until it closes the connection. */
async function answersTo(request: string, rest = '', wait = 0): Promise<Answer[]> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const [first, second] = [request, rest].map((each) => each.replaceAll('\n', '\r\n'));
  if (wait === 0) socket.write(`${first}${second}`);
  else {
    socket.write(`${first}`);
    // Where the answer closes the connection, nobody takes this.
    socket.on('error', () => {});
    setTimeout(() => socket.write(`${second}`), wait);
  }
  const received = await text(socket);
  return received.split(/(?=HTTP\/1\.1 \d)/).map((each) => {
    const [head = '', body = ''] = each.split('\r\n\r\n');
    const [status = '', ...lines] = head.split('\r\n');
    return { status: Number(status.split(' ')[1]), headers: new Map(lines.map(headerOf)), body };
  });
}

interface Answer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

const headerOf = (line: string): [string, string] => {
  const end = line.indexOf(':');
  return [line.slice(0, end).toLowerCase(), line.slice(end + 1).trim()];
};

/** The error of an answer in either form, and whether the answer is complete. */
function errorIn({ status, headers, body }: Answer) {
  const parsed = JSON.parse(body);
  const { code, request_id } = parsed.error ?? {
    code: parsed.errors[0].extensions.reason,
    request_id: parsed.errors[0].extensions.requestId,
  };
  const expected = securityHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  expect([...headers.keys()]).toEqual(expect.arrayContaining([...expected, 'x-request-id', 'cache-control']));
  expect(headers.get('x-request-id')).toBe(request_id);
  expect(body).not.toContain('canary');
  return { status, code, isGraphql: parsed.errors !== undefined, request_id };
}

async function lineOf(requestId: string) {
  await vi.waitUntil(() => gateway.logLines.some((line) => line.includes(requestId)), { timeout: 60_000 });
  const line = gateway.logLines.find((each) => each.includes(requestId)) ?? '';
  expect(line).not.toContain('canary');
  return JSON.parse(line);
}

const requests: [name: string, request: () => string, status: number, code: string][] = [
  ['another expectation', () => `${create()}Expect: ${canary}\nContent-Length: 2\n\n{}`, 417, 'expectation_failed'],
  ['another expectation, GraphQL', () => `${mutation()}Expect: x\nContent-Length: 2\n\n{}`, 417, 'expectation_failed'],
  ['two expectations', () => `${create()}Expect: 100-continue, x\nContent-Length: 2\n\n`, 417, 'expectation_failed'],
  ['long extensions of a chunk', () => `${create()}${chunked}2;${canary.repeat(1000)}`, 413, 'body_too_large'],
  ['the same, GraphQL', () => `${mutation()}${chunked}2;${canary.repeat(1000)}`, 413, 'body_too_large'],
  ['a chunk that is none', () => `${create()}${chunked}${canary}\n`, 400, 'request_malformed'],
  ['the same, GraphQL', () => `${mutation()}${chunked}2\n{}\n${canary}\n`, 400, 'request_malformed'],
  ['long headers', () => `${create()}X: ${canary.repeat(1000)}\n\n`, 431, 'headers_too_large'],
  ['an unknown method', () => `${canary.toUpperCase()} / HTTP/1.1\nHost: x\n\n`, 400, 'request_malformed'],
  ['what is no request', () => `${canary}\n\n`, 400, 'request_malformed'],
  ['what is none of HTTP', () => '\x16\x03\x01\x02', 400, 'request_malformed'],
  ['two lengths', () => `${create()}Content-Length: 2\n${chunked}`, 400, 'request_malformed'],
  ['a broken header', () => `GET / HTTP/1.1\nHost: x\n${canary} : x\n\n`, 400, 'request_malformed'],
  ['no host', () => `GET ${path} HTTP/1.1\n${key()}Connection: close\n\n`, 400, 'host_invalid'],
  ['CONNECT', () => `CONNECT ${canary}:443 HTTP/1.1\nHost: x\n\n`, 405, 'method_not_allowed'],
];

test.each(requests)('%s', async (_name, request, status, code) => {
  const [answer, ...further] = await answersTo(request());
  expect(further).toEqual([]);
  if (!answer) throw new Error('There is no answer');
  const found = errorIn(answer);
  expect(found).toMatchObject({ status, code, isGraphql: request().startsWith('POST /graphql') });
  expect(answer.headers.get('connection')).toBe('close');
  if (!request().startsWith('CONNECT'))
    expect(await lineOf(found.request_id)).toMatchObject({ msg: 'request', status });
});

test('what is broken behind another request is refused after its answer, in their order', async () => {
  const first = `GET ${path} HTTP/1.1\nHost: x\n${key()}\n`;
  const answers = await answersTo(`${first}${first}${canary}\n\n`);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  expect(answers.slice(-1).map(errorIn)).toMatchObject([{ code: 'request_malformed' }]);
});

describe('behind a request that is answered at once, later, with a refusal or for long, what is broken', () => {
  const firsts: [string, () => string, number][] = [
    ['at once', () => 'GET /healthz HTTP/1.1\nHost: x\n\n', 200],
    ['later', () => `GET ${path} HTTP/1.1\nHost: x\n${key()}\n`, 200],
    ['without a key', () => `GET ${path} HTTP/1.1\nHost: x\n\n`, 401],
    ['for its host', () => `GET ${path} HTTP/1.1\n${key()}\n`, 400],
    ['for what it expects', () => `GET ${path} HTTP/1.1\nHost: x\nExpect: x\n${key()}\n`, 417],
    ['to be upgraded', () => `GET ${path} HTTP/1.1\nHost: x\nConnection: Upgrade\nUpgrade: x\n${key()}\n`, 200],
  ];
  const broken: [string, string][] = [
    ['is no request', `${canary}\n\n`],
    ['is no request twice', `${canary}\n\n${canary}\n\n`],
    ['asks for a connection', `CONNECT ${canary}:443 HTTP/1.1\nHost: x\n\n`],
    ['has long headers', `GET / HTTP/1.1\nX: ${canary.repeat(1000)}\n\n`],
  ];
  const cases = firsts.flatMap(([first, request, status]) =>
    broken.flatMap(([name, rest]) => [0, 1, 20].map((wait) => ({ first, request, status, name, rest, wait }))),
  );

  test.each(cases)('$name, after $first and $wait ms, ends no process', async ({ request, status, rest, wait }) => {
    const answers = await answersTo(request(), rest, wait);
    expect(answers[0]?.status).toBe(status);
    expect(answers.length).toBeLessThanOrEqual(2);
    for (const refused of answers.slice(1)) errorIn(refused);
    expect((await gateway.rest('GET', '/healthz')).status).toBe(200);
  });
});

describe('a client that is too slow', () => {
  test.concurrent.each([
    ['headers', () => `GET ${path} HTTP/1.1\nHost: x\nX: `, false],
    ['body', () => `${create()}Content-Length: 20\n\n{`, false],
    ['body, GraphQL', () => `${mutation()}${chunked}1\n{\n`, true],
  ])('is told: %s', async (_name, request, isGraphql) => {
    const [answer] = await answersTo(request());
    if (!answer) throw new Error('There is no answer');
    const found = errorIn(answer);
    expect(found).toMatchObject({ status: 408, code: 'request_timeout', isGraphql });
    expect(await lineOf(found.request_id)).toMatchObject({ status: 408 });
  });
});
