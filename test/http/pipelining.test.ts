/**
 * Requests sent without waiting for answers: they are answered in order, and the next one begins when the previous
 * answer has been sent.
 */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createServer } from '../../src/gateway/http/server.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

interface Begun {
  url: string;
  response: ServerResponse;
}

async function serve(answer: (begun: Begun) => void): Promise<{ begun: Begun[]; open(): Promise<Socket> }> {
  const begun: Begun[] = [];
  const server = createServer((request, response) => {
    const one = { url: request.url ?? '', response };
    begun.push(one);
    if (request.url === '/healthz') response.end('ok');
    else request.resume().on('end', () => answer(one));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close().closeAllConnections());
  return {
    begun,
    async open() {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      ends.push(() => socket.destroy());
      await once(socket, 'connect');
      return socket;
    },
  };
}

const requests = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `GET /${from + index} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);

test('a request waits for the answer to the one before it', async () => {
  const { begun, open } = await serve(() => undefined);
  const socket = await open();
  socket.write(requests(20));
  for (let answered = 0; answered < 20; answered++) {
    await expect.poll(() => begun.length).toBe(answered + 1);
    await sleep(5);
    expect(begun.map(({ url }) => url)).toEqual(numbers(answered + 1));
    begun[answered]?.response.end('x');
  }
});

test('all are answered in order, also those with bodies and those that come later', async () => {
  const { begun, open } = await serve(({ url, response }) => void setTimeout(() => response.end(`[${url}]`), 1));
  const socket = await open();
  let text = '';
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  socket.write(requests(300));
  const body = 'x'.repeat(100_000);
  socket.write(`POST /300 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await expect.poll(() => begun.length, { timeout: 20_000 }).toBeGreaterThan(100);
  socket.write(requests(300, 301));
  await expect.poll(() => text.match(/\[\/\d+\]/g)?.length, { timeout: 20_000 }).toBe(601);
  expect(text.match(/(?<=\[)\/\d+(?=\])/g)).toEqual(numbers(601));
});

test('a client that reads nothing has one request worked on, and others are served meanwhile', async () => {
  const large = 'x'.repeat(200_000);
  const { begun, open } = await serve(({ response }) => void response.end(large));
  const clients = await Promise.all(Array.from({ length: 10 }, open));
  for (const client of clients) client.pause().write(requests(500));
  const other = await open();
  let answers = 0;
  other.on('data', () => answers++);
  for (let round = 1; round <= 5; round++) {
    other.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => answers).toBe(round);
  }
  await sleep(300);
  // The number of answers that the buffers of the operating system hold for each client, plus one.
  expect(begun.length).toBeLessThan(10 * 60);
  for (const client of clients) client.destroy();
  await sleep(50);
  const left = begun.length;
  await sleep(100);
  expect(begun.length).toBe(left);
});

test('after an answer that closes the connection no request begins', async () => {
  const { begun, open } = await serve(({ response }) => void response.setHeader('Connection', 'close').end('x'));
  const socket = await open();
  socket.resume().write(requests(5));
  await once(socket, 'close');
  await sleep(20);
  expect(begun).toHaveLength(1);
});

test('no header is dropped, however many there are', async () => {
  let found: string | string[] | undefined;
  const { open } = await serve(({ response }) => {
    found = response.req.headers['if-match'];
    response.end('x');
  });
  const socket = await open();
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(2_200)}If-Match: "9"\r\n\r\n`);
  await once(socket, 'data');
  expect(found).toBe('"9"');
});
