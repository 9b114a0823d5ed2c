import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashOf, newSecret } from '../../src/gateway/access/authenticator.js';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const list = '/api/assets/asset-repair';
const operation = { query: '{ assetRepairs { totalCount } }' };

/** A key in the database. */
async function makeKey(dates: { expiresAt?: Date; revokedAt?: Date } = {}) {
  const { id, secret } = newSecret();
  const row = { id, name: 'a test', hash: hashOf(secret), scopes: '*', createdAt: new Date(), ...dates };
  await gateway.database.client.apiKey.create({ data: row });
  return { id, secret };
}

const as = (authorization: string) => ({ authorization, 'x-request-id': 'the-same' });

describe('a request without a key', () => {
  test.each([
    ['no header', ''],
    ['another scheme', 'Basic dXNlcjpwYXNzd29yZA=='],
    ['a scheme alone', 'Bearer'],
  ])('is refused as api_key_missing on both surfaces: %s', async (_case, authorization) => {
    const rest = await gateway.rest('GET', list, undefined, { authorization });
    expect(rest.status).toBe(401);
    expect(rest.body.error).toMatchObject({ type: 'authentication_error', code: 'api_key_missing' });
    expect(rest.headers.get('www-authenticate')).toMatch(/^Bearer\b/);

    const graphql = await gateway.rest('POST', '/graphql', operation, { authorization });
    expect(graphql.status).toBe(401);
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'api_key_missing' });
    expect(graphql.body.data).toBeUndefined();
    expect(graphql.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
  });
});

describe('a bad key', () => {
  test('gets the same bytes as answer, whatever is wrong with it', async () => {
    const known = await makeKey();
    const bad = {
      unknown: newSecret().secret,
      foreign: 'sk_live_of_some_other_service',
      'wrong secret behind a known beginning': `${known.secret.slice(0, -1)}${known.secret.endsWith('0') ? '1' : '0'}`,
      'a known beginning alone': known.id,
      expired: (await makeKey({ expiresAt: new Date(Date.now() - 1000) })).secret,
      revoked: (await makeKey({ revokedAt: new Date() })).secret,
      'the hash itself': hashOf(known.secret),
      'the id of the row of API_KEY': 'environment',
    };
    const answers = { rest: new Set<string>(), graphql: new Set<string>() };
    for (const [what, secret] of Object.entries(bad)) {
      const rest = await gateway.rest('GET', list, undefined, as(`Bearer ${secret}`));
      expect(rest.status, what).toBe(401);
      answers.rest.add(everythingButDate(rest));
      const graphql = await gateway.rest('POST', '/graphql', operation, as(`Bearer ${secret}`));
      expect(graphql.status, what).toBe(401);
      answers.graphql.add(everythingButDate(graphql));
    }
    expect(answers.rest.size).toBe(1);
    expect(answers.graphql.size).toBe(1);
    expect([...answers.rest][0]).toContain('api_key_invalid');
    expect([...answers.graphql][0]).toContain('api_key_invalid');
  });

  test.each([
    ['POST', '/graphql', '{ not json'],
    ['POST', '/graphql', '{"query":"{ notAField }"}'],
    ['POST', '/graphql', '{"query":"{ assetRepair { nme } }"}'],
    ['POST', '/graphql', '{"query":"{ __schema { types { name } } }"}'],
    ['DELETE', '/graphql', undefined],
    ['POST', list, '{ not json'],
    ['GET', '/api/no/such/path', undefined],
    ['PUT', list, undefined],
  ])('is refused before anything else is looked at: %s %s %s', async (method, path, body) => {
    for (const authorization of ['Bearer wrong-key-wrong-key', '']) {
      const answer = await gateway.rest(method, path, body, as(authorization));
      expect(answer.status).toBe(401);
      expect(answer.text).not.toMatch(/did you mean|notAField|assetRepair/i);
    }
  });
});

describe('a good key', () => {
  test('works on both surfaces, whatever the case of the scheme', async () => {
    const { secret } = await makeKey();
    expect((await gateway.rest('GET', list, undefined, as(`bearer ${secret}`))).status).toBe(200);
    const graphql = await gateway.rest('POST', '/graphql', operation, as(`BEARER  ${secret}`));
    expect(graphql.body.data.assetRepairs.totalCount).toBe(0);
  });

  test('no longer works a second after it was revoked', async () => {
    const { id, secret } = await makeKey();
    expect((await gateway.rest('GET', list, undefined, as(`Bearer ${secret}`))).status).toBe(200);
    await gateway.database.client.apiKey.update({ where: { id }, data: { revokedAt: new Date() } });
    await sleep(1000);
    expect((await gateway.rest('GET', list, undefined, as(`Bearer ${secret}`))).status).toBe(401);
  });

  test('does not work from the moment it expires, even if it was used just before', async () => {
    const expiresAt = new Date(Date.now() + 2000);
    const { secret } = await makeKey({ expiresAt });
    expect((await gateway.rest('GET', list, undefined, as(`Bearer ${secret}`))).status).toBe(200);
    await sleep(expiresAt.getTime() - Date.now() + 5);
    expect((await gateway.rest('GET', list, undefined, as(`Bearer ${secret}`))).status).toBe(401);
  });

  test('is looked up once for all requests of a moment', async () => {
    const { secret } = await makeKey();
    const before = gateway.statements.length;
    const startedAt = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => gateway.rest('GET', '/api/no/such/path', undefined, as(`Bearer ${secret}`))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(404));
    const moments = Math.ceil((performance.now() - startedAt) / 500);
    const lookups = gateway.statements.slice(before).filter((sql) => /^SELECT.*ApiKey/s.test(sql));
    expect(lookups.length).toBeGreaterThan(0);
    expect(lookups.length).toBeLessThanOrEqual(moments);
  });
});

function everythingButDate({ status, headers, text }: { status: number; headers: Headers; text: string }): string {
  return JSON.stringify([status, [...headers].filter(([name]) => name !== 'date'), text]);
}
