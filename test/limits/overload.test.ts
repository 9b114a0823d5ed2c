/** Too many simultaneous requests are refused at once. */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { Current } from '../../src/common/kept.js';
import { RequestLog } from '../../src/common/output.js';
import { Seal } from '../../src/common/seal.js';
import { noGrants } from '../../src/gateway/access/grants.js';
import { arrivalOf, Calls } from '../../src/gateway/call.js';
import { watchEventLoop } from '../../src/gateway/http/deadline.js';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

test('beyond REQUESTS_AT_ONCE requests are answered 503 busy, at once and without their work', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const gateway = await startGateway({ env: { DATABASE_URL: url, REQUESTS_AT_ONCE: '3' } });
  await gateway.rest('GET', '/api/crm/industry-type');
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE "IndustryType" IN ACCESS EXCLUSIVE MODE');
  const waiting = Array.from({ length: 3 }, () => gateway.rest('GET', '/api/crm/industry-type'));
  const another = () => gateway.rest('GET', '/api/stock/serial-no');
  await expect.poll(async () => (await another()).status).toBe(503);
  const rest = await another();
  const graphql = await gateway.graphql('{ __typename }');
  const health = await gateway.rest('GET', '/healthz');
  await holder.end();
  expect(rest.status).toBe(503);
  expect(rest.headers.get('retry-after')).toBe('1');
  expect(rest.body.error).toMatchObject({ type: 'api_error', code: 'busy' });
  expect(graphql.status).toBe(503);
  expect(graphql.headers.get('retry-after')).toBe('1');
  expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'UNAVAILABLE', reason: 'busy' });
  expect(health.status).toBe(200);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await gateway.rest('GET', '/api/stock/serial-no')).status).toBe(200);
  await gateway.close();
});

test('what the process cannot do in time is refused before it begins', async () => {
  const gateway = await startGateway();
  let isLate = true;
  const log = pino({ level: 'silent' });
  const arrival = arrivalOf({
    changes: { rules: {}, observers: [], locksSubmitted: false, writers: [], journal: false },
    database: gateway.database,
    identity,
    requestId: 'x',
    log: new RequestLog(log, 'x'),
  });
  const { work } = new Calls(
    { ...arrival, grants: Current.of(noGrants) },
    gateway.config,
    log,
    undefined,
    () => isLate,
  );
  let begun = 0;
  const attempt = async () => work(arrival, async () => ++begun);
  await expect(attempt()).rejects.toMatchObject({ code: 'UNAVAILABLE', details: { reason: 'busy' } });
  expect(begun).toBe(0);
  isLate = false;
  expect(await attempt()).toBe(1);
  await gateway.close();
});

test('the event loop is late when it is late again and again, and not after one long step', async () => {
  const isLate = watchEventLoop({ every: 10, late: 20 });
  const step = async (milliseconds: number) => {
    const until = performance.now() + milliseconds;
    while (performance.now() < until);
    await sleep(1);
  };
  await sleep(30);
  await step(300);
  expect(isLate()).toBe(false);
  for (let count = 0; count < 10; count++) await step(60);
  expect(isLate()).toBe(true);
  await vi.waitUntil(() => !isLate(), { timeout: 60_000 });
});

const identity = { keyId: 'x', name: 'x', scopes: [], seal: new Seal('x') };
