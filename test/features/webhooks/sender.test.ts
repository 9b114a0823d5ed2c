/** One request of a webhook: where it may go, how long it may take, and how bad answers are treated. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AddressRules } from '../../../src/gateway/outgoing/address-rules.js';
import { askNameServers, createSender, type Outgoing, sendTimes } from '../../../src/gateway/outgoing/sender.js';
import { startNameServer } from './name-server.js';
import { startReceiver } from './receiver.js';

const allowed = new AddressRules(['127.0.0.1']);
const quick = { ...sendTimes, answer: 400, body: 100 };

function to(url: string, more: Partial<Outgoing> = {}): Outgoing {
  return {
    url,
    headers: { 'webhook-id': 'msg_1' },
    body: '{"type":"x"}',
    signal: new AbortController().signal,
    ...more,
  };
}

function senderWith(...parameters: Parameters<typeof createSender>) {
  const sender = createSender(...parameters);
  onTestFinished(() => {
    sender.close();
  });
  return sender;
}

/** A server that does with a connection what `handle` does. Resolves with its URL. */
async function startRaw(handle: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    handle(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) void socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A name that the name server resolves to each of `answers` in turn, the last for ever. */
async function startNames(...answers: string[][]) {
  let asked = 0;
  const names = await startNameServer(() => answers[Math.min(asked++, answers.length - 1)] ?? []);
  onTestFinished(() => {
    names.close();
  });
  return { resolve: (host: string) => askNameServers(host, [names.address]), asked: () => asked };
}

test('a request has the headers and the body, and its status is returned', async () => {
  const receiver = await startReceiver();
  expect(await senderWith(allowed).send(to(receiver.url))).toMatchObject({ status: 204, failure: null });
  const [{ headers, text } = { headers: {}, text: '' }] = receiver.received;
  expect(headers).toMatchObject({ 'webhook-id': 'msg_1', 'content-length': '12' });
  expect(text).toBe('{"type":"x"}');
});

test('connections are used again', async () => {
  const receiver = await startReceiver();
  const sender = senderWith(allowed);
  for (let count = 0; count < 5; count++) expect((await sender.send(to(receiver.url))).status).toBe(204);
  expect(receiver.connections).toBe(1);
});

test('a connection that the receiver closed while it was idle is no failure', async () => {
  const receiver = await startReceiver();
  const sender = senderWith(allowed);
  receiver.answer = (_, response) => {
    response.writeHead(200, { 'content-length': 0 }).end();
    setTimeout(() => response.socket?.resetAndDestroy(), 30);
  };
  for (let count = 0; count < 20; count++) {
    expect((await sender.send(to(receiver.url))).failure).toBeNull();
    await sleep(28);
  }
});

test.each([301, 302, 303, 307, 308])('a %i is not followed', async (status) => {
  const other = await startReceiver();
  const receiver = await startReceiver((_, response) => void response.writeHead(status, { location: other.url }).end());
  expect((await senderWith(allowed).send(to(receiver.url))).status).toBe(status);
  expect(other.received).toEqual([]);
});

test('proxies of the environment are not used', async () => {
  const proxy = await startReceiver();
  const receiver = await startReceiver();
  for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']) process.env[name] = proxy.url;
  onTestFinished(() => {
    for (const name of ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY']) delete process.env[name];
  });
  expect((await senderWith(allowed).send(to(receiver.url))).status).toBe(204);
  expect(proxy.received).toEqual([]);
});

describe('an address that webhooks may not be sent to', () => {
  test('is refused where the URL holds it', async () => {
    const receiver = await startReceiver();
    const { failure } = await senderWith(new AddressRules([])).send(to(receiver.url));
    expect([failure, receiver.connections]).toEqual(['address_refused', 0]);
  });

  test('is refused where a name leads to it', async () => {
    const receiver = await startReceiver();
    const { resolve } = await startNames(['127.0.0.1']);
    const { failure } = await senderWith(new AddressRules([]), { resolve }).send(
      to(receiver.url.replace('127.0.0.1', 'hooks.example.com')),
    );
    expect([failure, receiver.connections]).toEqual(['address_refused', 0]);
  });

  test('is refused where it is one of several', async () => {
    const receiver = await startReceiver();
    const { resolve } = await startNames(['93.184.215.14', '127.0.0.1']);
    const { failure } = await senderWith(new AddressRules([]), { resolve }).send(
      to(receiver.url.replace('127.0.0.1', 'hooks.example.com')),
    );
    expect([failure, receiver.connections]).toEqual(['address_refused', 0]);
  });

  test('is refused where a name leads to it from the second look-up on', async () => {
    const receiver = await startReceiver();
    // An address reserved for documentation: nobody answers there, and the first request ends by its timeout.
    const { resolve, asked } = await startNames(['127.0.0.1'], ['127.0.0.2'], ['10.0.0.1']);
    const sender = senderWith(new AddressRules(['127.0.0.1']), { resolve, times: quick });
    const url = receiver.url.replace('127.0.0.1', 'hooks.example.com');
    receiver.answer = (_, response) => void response.writeHead(204, { connection: 'close' }).end();
    expect((await sender.send(to(url))).status).toBe(204);
    expect((await sender.send(to(url))).failure).toBe('address_refused');
    expect((await sender.send(to(url))).failure).toBe('address_refused');
    expect(asked()).toBe(3);
    expect(receiver.connections).toBe(1);
  });

  test('is refused once more where a connection leads to it in spite of the look-up', async () => {
    const receiver = await startReceiver();
    let asked = 0;
    // Permits the address that was looked up, and not the one that was connected to.
    const rules = new (class extends AddressRules {
      override permits(): boolean {
        return asked++ === 0;
      }
    })([]);
    const { resolve } = await startNames(['127.0.0.1']);
    const { failure } = await senderWith(rules, { resolve }).send(
      to(receiver.url.replace('127.0.0.1', 'hooks.example.com')),
    );
    expect([failure, receiver.received]).toEqual(['address_refused', []]);
  });
});

describe('a bad receiver', () => {
  test('that does not answer is given up in time', async () => {
    const url = await startRaw(() => {});
    const { failure, milliseconds } = await senderWith(allowed, { times: quick }).send(to(url));
    expect(failure).toBe('timeout');
    expect(milliseconds).toBeGreaterThanOrEqual(quick.answer - 5);
  });

  test('that answers byte by byte is given up in time', async () => {
    const url = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect((await senderWith(allowed, { times: quick }).send(to(url))).failure).toBe('timeout');
  });

  test('whose body comes byte by byte has answered with its status', async () => {
    const url = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const drip = setInterval(() => socket.write('1\r\nx\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const { status, milliseconds } = await senderWith(allowed, { times: { ...quick, answer: 60_000 } }).send(to(url));
    expect(status).toBe(200);
    expect(milliseconds).toBeLessThan(30_000);
  });

  test('that changes to another protocol has answered with its status', async () => {
    const url = await startRaw((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
      ),
    );
    expect(await senderWith(allowed, { times: quick }).send(to(url))).toMatchObject({ status: 101 });
  });

  test('that breaks off its body has answered with its status', async () => {
    const url = await startRaw((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', () =>
          setTimeout(() => socket.resetAndDestroy(), 50),
        );
      }),
    );
    const { status, milliseconds } = await senderWith(allowed, { times: { ...quick, body: 5_000 } }).send(to(url));
    expect(status).toBe(200);
    expect(milliseconds).toBeLessThan(5_000);
  });

  test('whose body has no end is not read to it', async () => {
    let sent = 0;
    const url = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      socket.on('drain', more);
      more();
    });
    expect((await senderWith(allowed, { times: { ...quick, body: 60_000 } }).send(to(url))).status).toBe(200);
    expect(sent).toBeLessThan(50_000_000);
  });

  test.each([
    ['that breaks off', (socket: Socket) => socket.on('data', () => socket.resetAndDestroy()), 'connection_failed'],
    ['that closes', (socket: Socket) => socket.on('data', () => socket.end()), 'connection_failed'],
    ['that does not speak HTTP', (socket: Socket) => socket.end('SSH-2.0-OpenSSH\r\n'), 'answer_invalid'],
    [
      'whose headers are too long',
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}\r\n\r\n`),
      'answer_invalid',
    ],
  ])('%s has failed', async (_, handle, failure) => {
    const url = await startRaw(handle);
    expect((await senderWith(allowed, { times: quick }).send(to(url))).failure).toBe(failure);
  });

  test('whose name is unknown has failed', async () => {
    const { resolve } = await startNames([]);
    const { failure } = await senderWith(allowed, { resolve }).send(to('https://hooks.example.com/'));
    expect(failure).toBe('name_unknown');
  });

  test('that is not there has failed', async () => {
    const { failure } = await senderWith(allowed).send(to('http://127.0.0.1:1/'));
    expect(failure).toBe('connection_failed');
  });
});

test('a request is broken off when it is told to', async () => {
  const url = await startRaw(() => {});
  const end = new AbortController();
  const sent = senderWith(allowed).send(to(url, { signal: end.signal }));
  setTimeout(() => end.abort(), 50);
  expect((await sent).failure).toBe('broken_off');
});
