import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readBody } from '../../src/gateway/http/read-body.js';
import { createServer, requestRefusal } from '../../src/gateway/http/server.js';

const large = Buffer.alloc(64 * 1024 * 1024, 'x');

// The server of `main`, with a time limit of a second instead of ten.
const routes = express()
  .post('/', async (request, response) => {
    try {
      const body = await readBody({ request, response });
      response.send(`${body?.length} bytes`);
    } catch {
      response.sendStatus(408);
    }
  })
  .post('/refused', (_request, response) => void response.status(403).end())
  .get('/large', ({ query }, response) => void response.end(large.subarray(0, Number(query.of ?? large.length))));
const app: RequestListener = (request, response) => {
  if (requestRefusal(request)) response.writeHead(408).end();
  else routes(request, response);
};
const server = createServer(app, 1000);
/** The ports of clients whose connections have ended. */
const gone = new Set<number | undefined>();
server.on('connection', (socket) => {
  const { remotePort } = socket;
  socket.on('close', () => gone.add(remotePort));
});
/** A server that gives more time to clients of this process, which are late themselves on a busy machine. */
const patient = createServer(app, 6000);
const servers = [server, patient];
beforeAll(() =>
  Promise.all(
    servers.map(async (each) => {
      each.listen(0, '127.0.0.1');
      await once(each, 'listening');
    }),
  ),
);
afterAll(() => {
  for (const each of servers) {
    each.closeAllConnections();
    each.close();
  }
});

async function open(asked = server) {
  const socket = connect((asked.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return { socket, answer: text(socket), openedAt: performance.now() };
}

test.concurrent('the connection of a client that sends nothing is closed in time', async () => {
  const { socket, openedAt } = await open();
  socket.on('error', () => {});
  await once(socket, 'close');
  expect(performance.now() - openedAt).toBeLessThan(20_000);
});

test.concurrent('the connection of a client that never finishes its headers is closed in time', async () => {
  const { socket, answer, openedAt } = await open();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
  const dripping = setInterval(() => socket.write('x'), 50);
  socket.on('error', () => {});
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(dripping);
  expect(performance.now() - openedAt).toBeLessThan(20_000);
});

test.concurrent('the connection of a client that never finishes its body is closed in time', async () => {
  const { socket, answer, openedAt } = await open();
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
  const dripping = setInterval(() => socket.write('x'), 50);
  socket.on('error', () => {});
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(dripping);
  expect(performance.now() - openedAt).toBeLessThan(20_000);
});

test.concurrent('a client that goes on sending after its answer is not listened to for ever', async () => {
  const { socket, answer } = await open();
  const { localPort } = socket;
  socket.write('POST /refused HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n');
  const sending = setInterval(() => socket.write('x'), 50);
  socket.on('error', () => {});
  expect(await answer).toMatch(/^HTTP\/1\.1 403 /);
  await vi.waitUntil(() => gone.has(localPort), { timeout: 60_000 });
  clearInterval(sending);
});

test.concurrent('a client that is slow but in time is answered', async () => {
  const { socket, answer } = await open(patient);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\n');
  for (const letter of 'abc') {
    await new Promise((done) => setTimeout(done, 50));
    socket.write(letter);
  }
  expect(await answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*3 bytes$/);
});

test.concurrent('a client that reads steadily has its whole answer, though the systems keep megabytes of it on the way', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /large?of=7000000 HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  let received = 0;
  // 600 kB in a second: the time limit is over long before the system takes more.
  while (received < 7_000_000) {
    const chunk: Buffer | null = socket.read();
    received += chunk?.length ?? 0;
    expect([received >= 7_000_000 || !socket.readableEnded, received]).toEqual([true, received]);
    await sleep(100);
  }
  socket.destroy();
});

/** What clients send while they should take their answers: how it begins, and what follows every now and then. */
const sent = {
  nothing: ['\r\n', ''],
  'a body that never ends': ['Transfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
  'a request that never ends': ['\r\nGET / HTTP/1.1\r\nX: ', 'x'],
  'no request': ['\r\nno request\r\n\r\n', 'x'],
};

describe.concurrent.each(Object.entries(sent))(
  'an answer of 64 MB to a client that sends %s',
  (_name, [begin, more]) => {
    async function ask(asked = server): Promise<Socket> {
      const socket = connect((asked.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`GET /large HTTP/1.1\r\nHost: x\r\n${begin}`);
      const sending = setInterval(() => socket.write(`${more}`), 50);
      socket.on('close', () => clearInterval(sending));
      await once(socket, 'readable');
      return socket;
    }

    test('is not kept if the client does not read it', async () => {
      const socket = await ask();
      // It has none any more once it notices its end.
      const { localPort } = socket;
      const startedAt = performance.now();
      await vi.waitUntil(() => gone.has(localPort), { timeout: 60_000 });
      expect(performance.now() - startedAt).toBeGreaterThan(400);
      socket.destroy();
    });

    test('is sent completely if the client reads it slowly', async () => {
      const startedAt = performance.now();
      const socket = await ask(patient);
      let taken = 0;
      for await (const chunk of socket) {
        const before = Math.floor(taken / slice);
        taken += chunk.length;
        if (taken > large.length) break;
        if (Math.floor(taken / slice) > before) await sleep(400);
      }
      expect(taken).toBeGreaterThan(large.length);
      expect(performance.now() - startedAt).toBeGreaterThan(6000);
    });
  },
);

/** Read between two pauses. */
const slice = 4 * 1024 * 1024;
