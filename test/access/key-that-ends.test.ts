/** A key that ends after the headers of a request have come in with it: while the body is sent, or while the work waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { createKey, revokeKey } from '../../src/features/keys/api-keys.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { lockIndustryTypes } from '../support/locked-industry-types.js';
import { aSecond, created, industry, path, requests, sendSlowly } from './slow-requests.js';

describe.each(providers)('a key that ends while the body is sent, on %s', (provider) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database: provider, env: { RATE_LIMIT: '1000' } });
  });
  afterAll(() => gateway.close());

  const makeKey = (input: { scopes?: string[]; expiresAt?: Date } = {}) =>
    createKey(gateway.database, { name: 'a test', scopes: ['*'], ...input });
  const industries = () => gateway.database.client.industryType.count({ where: { industry } });

  test('does not count for a request on either surface: revoked', async () => {
    const { apiKey, secret } = await makeKey();
    const slow = await Promise.all(Object.values(requests).map((request) => sendSlowly(gateway.url, secret, request)));
    await revokeKey(gateway.database, apiKey.id);
    await sleep(aSecond);
    const answers = await Promise.all(slow.map((finish) => finish()));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [401, expect.stringContaining('"api_key_invalid"')]),
    );
    expect(await industries()).toBe(0);
  });

  test('does not count for a request on either surface: expired', async () => {
    const expiresAt = new Date(Date.now() + 1500);
    const { secret } = await makeKey({ expiresAt });
    const slow = await Promise.all(Object.values(requests).map((request) => sendSlowly(gateway.url, secret, request)));
    await sleep(expiresAt.getTime() - Date.now() + 5);
    const answers = await Promise.all(slow.map((finish) => finish()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(await industries()).toBe(0);
  });

  test('has the scopes that it has when the body is there', async () => {
    const { apiKey, secret } = await makeKey();
    const slow = await Promise.all(Object.values(requests).map((request) => sendSlowly(gateway.url, secret, request)));
    await gateway.database.client.apiKey.update({ where: { id: apiKey.id }, data: { scopes: 'stock:read' } });
    await sleep(aSecond);
    const answers = await Promise.all(slow.map((finish) => finish()));
    expect(answers.map(({ body }) => (/forbidden/i.test(body) ? 'forbidden' : body))).toEqual(
      answers.map(() => 'forbidden'),
    );
    expect(await industries()).toBe(0);
  });

  test('counts once against the rate limit, and is looked up no more often than the cache needs', async () => {
    const { secret } = await makeKey();
    const before = gateway.statements.length;
    const finish = await sendSlowly(gateway.url, secret, { path, body: { industry: 'of a valid key' } });
    const { status, head } = await finish();
    expect(status).toBe(201);
    expect(/^RateLimit-Remaining: (\d+)/m.exec(head)?.[1]).toBe('999');
    const lookups = gateway.statements.slice(before).filter((sql) => /^SELECT.*ApiKey/s.test(sql));
    expect(lookups).toHaveLength(1);
  });
});

describe.each(providers)('a key that ends while the work waits, on %s', (provider) => {
  test('ends the work: nothing of it is done when its turn comes', async () => {
    const url = await freshDatabaseUrl(provider);
    const gateway = await startGateway({ env: { DATABASE_URL: url, ...roomToWait } });
    const expiresAt = new Date(Date.now() + 2000);
    const { secret } = await createKey(gateway.database, { name: 'a test', scopes: ['*'], expiresAt });
    const authorization = `Bearer ${secret}`;
    const release = await lockIndustryTypes(url, provider);
    const asked = whileLocked[provider].map((ask) => ask(gateway, { authorization }));
    const answers = await Promise.all(asked);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
    await release();
    expect(answers.map(({ status, text }) => [status, text])).toEqual(
      answers.map(() => [401, expect.stringContaining('api_key_invalid')]),
    );
    await sleep(300); // what was stopped has its turn now
    expect(await gateway.database.client.industryType.count()).toBe(0);
    await gateway.close();
  });
});

/** A minute, which the lock would last if the key did not end. */
const roomToWait = { REQUEST_TIMEOUT: '60' };

type Ask = (gateway: TestGateway, headers: Record<string, string>) => ReturnType<TestGateway['rest']>;
/** Requests that wait until the lock is released: on SQLite only writes do. */
const whileLocked: Record<Provider, Ask[]> = {
  sqlite: [
    (gateway, headers) => gateway.rest('POST', path, { industry }, headers),
    (gateway, headers) => gateway.graphql(created, {}, headers),
    (gateway, headers) => gateway.graphql(created, {}, { ...headers, 'Idempotency-Key': 'once' }),
  ],
  postgresql: [
    (gateway, headers) => gateway.rest('GET', path, undefined, headers),
    (gateway, headers) => gateway.graphql('{ industryTypes { nodes { industry } } }', {}, headers),
  ],
};

test('while the database hangs, requests with one key wait for one look-up', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const gateway = await startGateway({ env: { DATABASE_URL: url } });
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE "ApiKey" IN ACCESS EXCLUSIVE MODE');
  const answers: ReturnType<TestGateway['rest']>[] = [];
  for (let n = 0; n < 3; n++) {
    answers.push(gateway.rest('GET', path));
    await sleep(700);
  }
  expect(gateway.statements.filter((sql) => /^SELECT.*ApiKey/s.test(sql))).toHaveLength(1);
  await holder.end();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  // Those that had waited have made sure by another one that the key still counts.
  expect(gateway.statements.filter((sql) => /^SELECT.*ApiKey/s.test(sql)).length).toBeGreaterThan(1);
  await gateway.close();
});
