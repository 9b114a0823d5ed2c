/**
 * Clients that read only after they have sent everything. What is answered before that reaches them, also where the
 * answer closes the connection: to close it with bytes that nobody has read would make the system send a reset.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

/** More than a body may have, and more than the system keeps of what nobody has read. */
const size = 8 * 1024 * 1024;

const key = () => `Authorization: Bearer ${gateway.key}\r\n`;
const json = 'Content-Type: application/json\r\n';

const refusals: Record<number, () => string> = {
  401: () => `POST /graphql HTTP/1.1\r\nHost: x\r\n${json}`,
  404: () => `POST /nothing HTTP/1.1\r\nHost: x\r\n${key()}${json}`,
  413: () => `POST /api/assets/asset-repair HTTP/1.1\r\nHost: x\r\n${key()}${json}`,
  415: () => `POST /graphql HTTP/1.1\r\nHost: x\r\n${key()}Content-Type: text/plain\r\n`,
};

describe.each([
  ['closes the connection because the client asks for it', 'Connection: close\r\n'],
  ['closes the connection because the client did not wait to be told to go on', 'Expect: 100-continue\r\n'],
  ['closes the connection only if the body is too long', ''],
])('an answer to a body that is still being sent, which %s', (_case, header) => {
  test.concurrent.each(Object.keys(refusals))('arrives: %s', async (status) => {
    const socket = await open(gateway.url);
    socket.write(`${refusals[Number(status)]?.()}${header}Content-Length: ${size}\r\n\r\n`);
    await sendAll(socket);
    expect(await answerOf(socket)).toContain(`HTTP/1.1 ${status} `);
  });
});

test('an answer to what is no request arrives though more of it is being sent', async () => {
  const socket = await open(gateway.url);
  socket.write('no request\r\n\r\n');
  await sendAll(socket);
  expect(await answerOf(socket)).toMatch(/^HTTP\/1\.1 400 /);
});

test('what follows on a connection that is being closed is not carried out', async () => {
  const body = JSON.stringify({ asset: 'FOLLOWS', failure_date: '2026-11-20' });
  const socket = await open(gateway.url);
  socket.write(`${refusals[413]?.()}Connection: close\r\nContent-Length: ${size}\r\n\r\n`);
  await sendAll(socket);
  socket.write(`${refusals[413]?.()}Content-Length: ${body.length}\r\n\r\n${body}`);
  expect((await answerOf(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
  const { body: list } = await gateway.rest('GET', '/api/assets/asset-repair');
  expect(list.data).toEqual([]);
});

async function open(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends the body, most of it after the gateway has answered, and takes nothing meanwhile. */
async function sendAll(socket: Socket): Promise<void> {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < size; sent += chunk.length) {
    if (sent === chunk.length) await sleep(50);
    if (!socket.write(chunk)) await once(socket, 'drain');
  }
}

/** What the gateway has sent until it closes the connection, or has answered on one that stays open. */
async function answerOf(socket: Socket): Promise<string> {
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (!/connection: close|^HTTP\/1\.1 400/i.test(answer)) break;
  }
  socket.destroy();
  return answer;
}
