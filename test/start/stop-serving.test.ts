/** The connections of a server that stops. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createServer as createGatewayServer } from '../../src/gateway/http/server.js';
import { stopServing } from '../../src/gateway/start/listen.js';

test('what never finishes is cut off after the time it is given', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const hanging = fetch(`http://127.0.0.1:${port}`);
  const cut = expect(hanging).rejects.toThrow();
  await once(server, 'request');
  const startedAt = performance.now();
  await stopServing(server, 200);
  await cut;
  expect(performance.now() - startedAt).toBeGreaterThan(190);
});

test('an answer that ends after the stop has begun keeps its connection no longer', async () => {
  let stopped: Promise<void> | undefined;
  const server = createGatewayServer((_, response) => {
    response.writeHead(200, ['Content-Length', '4']);
    stopped = stopServing(server, 600_000);
    setImmediate(() => response.end('told'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`);
  expect(await answer.text()).toBe('told');
  await stopped;
}, 20_000);

test('of a worker that was replaced, such an answer keeps its connection for the request that its client may have sent', async () => {
  let stopped: Promise<void> | undefined;
  const server = createGatewayServer((_, response) => {
    if (stopped) return void response.writeHead(200, ['Content-Length', '5', 'Connection', 'close']).end('again');
    response.writeHead(200, ['Content-Length', '4']);
    stopped = stopServing(server, 600_000, () => true);
    setImmediate(() => response.end('told'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.setEncoding('utf8').on('data', (more: string) => {
    // The client sends its next request as soon as it has the answer, which did not have `Connection: close`.
    if (more.endsWith('told')) setTimeout(() => socket.write(asked), 20);
    received += more;
  });
  const asked = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';
  socket.write(asked);
  await once(socket, 'close');
  expect(received).toMatch(/told.*again$/s);
  await stopped;
});
