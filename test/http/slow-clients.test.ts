import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBody } from '../../src/http/body.js';
import { createServer } from '../../src/http/server.js';

// The server of `main`, with a time limit of half a second instead of ten.
const app = express().post('/', async (request, response) => {
  const body = await readBody(request, response);
  response.send(`${body?.length} bytes`);
});
const server = createServer(app, 500);
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function open() {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return { socket, answer: text(socket), openedAt: performance.now() };
}

test('a client that never finishes its headers is cut off in time', async () => {
  const { socket, answer, openedAt } = await open();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  const dripping = setInterval(() => socket.write('x'), 50);
  socket.on('error', () => {});
  expect(await answer.catch(() => 'HTTP/1.1 408 reset')).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(dripping);
  expect(performance.now() - openedAt).toBeLessThan(3000);
});

test('a client that never finishes its body is cut off in time', async () => {
  const { socket, answer, openedAt } = await open();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const dripping = setInterval(() => socket.write('x'), 50);
  socket.on('error', () => {});
  expect(await answer.catch(() => 'HTTP/1.1 408 reset')).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(dripping);
  expect(performance.now() - openedAt).toBeLessThan(3000);
});

test('a client that is slow but in time is answered', async () => {
  const { socket, answer } = await open();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\n');
  for (const letter of 'abc') {
    await new Promise((done) => setTimeout(done, 50));
    socket.write(letter);
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*3 bytes$/);
});
