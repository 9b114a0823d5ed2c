import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { describe, expect, onTestFinished, test } from 'vitest';
import { health } from '../../src/gateway/http/health.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { gate } from '../support/sqlite.js';

const get = (path: string) => gateway.rest('GET', path, undefined, { authorization: '' });

let gateway: TestGateway;

async function start(): Promise<void> {
  gateway = await startGateway();
  onTestFinished(() => gateway.close());
}

test('a running gateway is alive and ready, to whoever asks', async () => {
  await start();
  for (const path of ['/healthz', '/readyz']) {
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }]);
  }
});

test('a gateway without its database is alive but not ready', async () => {
  await start();
  await gateway.database.close();
  expect((await get('/healthz')).status).toBe(200);
  const answer = await get('/readyz');
  expect([answer.status, answer.body]).toEqual([503, { status: 'database_unavailable' }]);
});

test('without its database both surfaces say so, and that it may pass', async () => {
  await start();
  await gateway.database.close();
  const rest = await gateway.rest('GET', '/api/assets/asset-repair');
  expect([rest.status, rest.body.error.code]).toEqual([503, 'database_unavailable']);
  expect(rest.headers.get('retry-after')).toBe('1');
  const graphql = await gateway.graphql('{ __typename }');
  expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([503, 'UNAVAILABLE']);
  expect(graphql.headers.get('retry-after')).toBe('1');
});

test('a draining gateway is alive, not ready, still answers, and closes each connection it has answered', async () => {
  await start();
  gateway.drain();
  expect((await get('/healthz')).status).toBe(200);
  const ready = await get('/readyz');
  expect([ready.status, ready.body]).toEqual([503, { status: 'draining' }]);
  const answer = await gateway.rest('GET', '/api/assets/asset-repair');
  expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
});

describe.each(providers)('the database is asked whether it is there, on %s,', (database) => {
  const questions = (of: TestGateway) =>
    of.statements.filter((sql) => sql.includes('SELECT 1 FROM "_prisma_migrations"')).length;
  const headers = { authorization: '' };

  test('once for all who ask /readyz within a second, and again for those who ask later', async () => {
    const asked = await startGateway({ database });
    const ready = () => asked.rest('GET', '/readyz', undefined, headers);
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, ready));
    const seconds = (performance.now() - start) / 1000;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const first = questions(asked);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(1 + Math.floor(seconds));
    await expect.poll(async () => (await ready()) && questions(asked)).toBeGreaterThan(first);
    await asked.database.close();
    await expect.poll(async () => (await ready()).status).toBe(503);
    await asked.close();
  });

  test('and a drain is seen at once, whatever it has answered', async () => {
    const asked = await startGateway({ database });
    const ready = () => asked.rest('GET', '/readyz', undefined, headers);
    expect((await ready()).status).toBe(200);
    asked.drain();
    expect((await ready()).body).toEqual({ status: 'draining' });
    await asked.close();
  });
});

test('a drain that begins while the database is being asked is seen too', async () => {
  const { opened, open } = gate();
  let isDraining = false;
  const app = express().use(health({ ping: () => opened }, () => isDraining));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const waiting = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`);
  await once(server, 'request');
  isDraining = true;
  open();
  const answer = await waiting;
  expect([answer.status, await answer.json()]).toEqual([503, { status: 'draining' }]);
  server.close();
});
