/** The end of streams: when the gateway stops, when the key ends, and when the client does not read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Provider } from '../../../src/database/migrations/migration-history.js';
import { createKey, revokeKey } from '../../../src/features/keys/api-keys.js';
import { ensureFirstKey } from '../../../src/gateway/access/authenticator.js';
import { createRepair, repairInput, upTo } from '../../graphql/asset-repairs.js';
import { databaseInTurn } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { type Stream, watch } from './watch.js';

const events = 'position notice version record { ... on AssetRepair { description } }';
const subscription = `subscription ($id: ID, $after: String) { assetRepairChanged(id: $id, after: $after) { ${events} } }`;

const gateways: TestGateway[] = [];
const streams: Stream[] = [];
const sockets: Socket[] = [];
const start = async (env: Record<string, string> = {}, database: Provider = 'sqlite') => {
  const gateway = await startGateway({ database, env });
  gateways.push(gateway);
  return gateway;
};
const open = (gateway: Pick<TestGateway, 'url' | 'key'>, variables: Record<string, unknown> = {}) => {
  const stream = watch(gateway, subscription, variables);
  streams.push(stream);
  return stream;
};
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.stop();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const gateway of gateways.splice(0)) await gateway.close();
});

/** A stream as bytes, from a client that reads only when it is told to. */
async function raw(gateway: TestGateway, query = subscription, variables: object = {}): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  await once(socket, 'connect');
  const body = JSON.stringify({ query, variables });
  const head = [
    'POST /graphql HTTP/1.1',
    'Host: x',
    'Accept: text/event-stream',
    'Content-Type: application/json',
    `Authorization: Bearer ${gateway.key}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

test.each(databaseInTurn(import.meta.filename))(
  'a drain on %s ends each stream with its position; another process continues there',
  async (database) => {
    const gateway = await start({}, database);
    const [one, other] = [open(gateway), await raw(gateway)];
    await one.next();
    // Wait until both are open, because a stream requested during the drain is refused.
    if (other.readableLength === 0) await once(other, 'readable');
    const { id } = await createRepair(gateway);
    const { position } = await one.next();
    const from = performance.now();
    gateway.drain();
    expect(await one.next()).toMatchObject({ notice: 'CLOSING', position });
    await expect(one.next()).rejects.toThrow('ended');
    const text = await textOf(other);
    expect(performance.now() - from).toBeLessThan(2_000);
    expect(text).toContain(`retry: 1000\nid: `);
    expect(text).toMatch(/"notice":"CLOSING".*\n\nretry: 1000\nevent: complete\ndata:\n\n/s);
    await expect(open(gateway).next()).rejects.toThrow('503');
    const next = await start({ DATABASE_URL: gateway.config.databaseUrl }, database);
    await next.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'x' });
    const resumed = open(next, { after: position });
    await resumed.next();
    expect(await resumed.next()).toMatchObject({ version: 2 });
  },
);

const ends = databaseInTurn(import.meta.filename).flatMap((database) =>
  (['revoked', 'expired'] as const).map((how) => ({ database, how })),
);

test.each(ends)(
  'a key that is $how ends its streams within five seconds on $database, and no others',
  async ({ database, how }) => {
    const gateway = await start({}, database);
    const { client } = gateway.database;
    // Late enough that a busy machine can open the stream; then the expiry is moved closer.
    const expiresAt = how === 'expired' ? new Date(Date.now() + 600_000) : null;
    const { apiKey, secret } = await createKey(gateway.database, { name: 'k', scopes: ['assets:read'], expiresAt });
    const [ended, kept] = [open({ url: gateway.url, key: secret }), open(gateway)];
    await ended.next();
    await kept.next();
    const from = performance.now();
    if (how === 'revoked') await revokeKey(gateway.database, apiKey.id);
    else await client.apiKey.update({ where: { id: apiKey.id }, data: { expiresAt: new Date() } });
    await expect(ended.next()).rejects.toThrow('api_key_invalid');
    expect(performance.now() - from).toBeLessThan(5_000);
    await createRepair(gateway);
    expect(await kept.next()).toMatchObject({ notice: null });
  },
);

test('another API_KEY ends the streams of the one before, in every process', async () => {
  const gateway = await start();
  const { secret } = await createKey(gateway.database, { name: 'k', scopes: ['assets:read'], expiresAt: null });
  const [ended, kept] = [open(gateway), open({ url: gateway.url, key: secret })];
  await ended.next();
  await kept.next();
  const from = performance.now();
  // Like another process at its start.
  await ensureFirstKey(gateway.database, 'another-key-of-the-environment');
  await expect(ended.next()).rejects.toThrow('api_key_invalid');
  expect(performance.now() - from).toBeLessThan(5_000);
  const { id } = await createRepair({
    graphql: (query, variables) =>
      gateway.graphql(query, variables, { authorization: 'Bearer another-key-of-the-environment' }),
  });
  expect(id).toBeTruthy();
  expect(await kept.next()).toMatchObject({ notice: null });
});

test('a client that does not read is closed with its position, while others get every change', async () => {
  const gateway = await start({ STREAMS_AT_ONCE: '2' });
  const { id } = await createRepair(gateway);
  const fast = open(gateway, { id });
  await fast.next();
  const slow = await raw(gateway, subscription, { id });
  await once(slow, 'readable');
  slow.pause();
  const isClosed = async () => {
    const another = await fetch(`${gateway.url}/api/events`, { headers: { authorization: `Bearer ${gateway.key}` } });
    await another.body?.cancel();
    return another.status === 200;
  };
  const description = 'x'.repeat(100_000);
  let count = 0;
  let read: Promise<string> | undefined;
  for (let left = 10; left > 0; left -= read ? 1 : 0) {
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { description: `${++count} ${description}` });
    expect(await fast.next()).toMatchObject({ version: count + 1 });
    // A client that does not read the end of the stream either is disconnected after ten seconds.
    read ??= (await isClosed()) ? textOf(slow) : undefined;
    expect(count).toBeLessThan(300);
  }
  const text = (await read) ?? '';
  const told = [...text.matchAll(/^id: (\d+)/gm)].map(([, position]) => Number(position));
  const [last] = told.slice(-1);
  expect(text).toContain(`{"position":"${last}","notice":"CLOSING"`);
  expect(told.length).toBeLessThan(count);
  const resumed = open(gateway, { id, after: last });
  await resumed.next();
  const missed = [];
  while (missed.at(-1) !== count + 1) missed.push((await resumed.next()).version);
  expect(missed.length + told.length - 2).toBe(count);
}, 60_000);

test('a client that goes away gives its place back, also in the middle of catching up', async () => {
  const gateway = await start({ STREAMS_AT_ONCE: '5' });
  const { id } = await createRepair(gateway, repairInput());
  const first = open(gateway);
  const { position } = await first.next();
  for (const number of upTo(50)) await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: `${number}` });
  for (let round = 0; round < 10; round++) {
    const left = await Promise.all(upTo(4).map(() => raw(gateway, subscription, { after: position })));
    await Promise.all(left.map((socket) => once(socket, 'data')));
    for (const socket of left) socket.destroy();
    await expect
      .poll(async () => {
        const probe = await raw(gateway);
        const [answer] = await once(probe, 'data');
        probe.destroy();
        return String(answer).slice(9, 12);
      })
      .toBe('200');
    await sleep(5);
  }
}, 30_000);
