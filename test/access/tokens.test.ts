/** Tokens of people instead of API keys: which are taken, which are refused and how, and what a look at one costs. */
import { createHmac, createPublicKey } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnsecuredJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Seal } from '../../src/common/seal.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { TestIssuer, takingTokens } from '../support/issuer.js';
import { bearing, startWithPeople } from './people.js';
import { rolesFile } from './roles.js';

let issuer: TestIssuer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await TestIssuer.start();
  gateway = await startWithPeople({ env: takingTokens(issuer) });
});
afterAll(async () => {
  await gateway.close();
  await issuer.stop();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const list = '/api/crm/industry-type';
const viewer = '{ viewer { keyId name scopes expiresAt } }';

/** How often a signature is checked from now on. */
const verifications = () => vi.spyOn(crypto.subtle, 'verify');

describe('a good token', () => {
  test('is taken on both surfaces, and says who sends it', async () => {
    const token = await issuer.sign({ sub: 'ada', name: 'Ada Lovelace' });
    expect((await gateway.rest('GET', list, undefined, bearing(token))).status).toBe(200);
    const { body } = await gateway.graphql(viewer, {}, bearing(token));
    expect(body.data.viewer).toMatchObject({
      keyId: `${issuer.issuer}|ada`,
      name: 'Ada Lovelace',
      scopes: ['crm:read', 'crm:write', 'crm:delete'],
    });
    expect(Date.parse(body.data.viewer.expiresAt) - Date.now()).toBeGreaterThan(290_000);
  });

  test.each(['RS512', 'PS256', 'ES256', 'ES384', 'EdDSA'])('may be signed by %s', async (algorithm) => {
    const other = await TestIssuer.start(algorithm);
    const another = await startWithPeople({ env: takingTokens(other) });
    const answer = await another.graphql(viewer, {}, bearing(await other.sign()));
    expect(answer.body.data.viewer.keyId).toBe(`${other.issuer}|ada`);
    await another.close();
    await other.stop();
  });

  test('costs one verification, whatever is asked with it and however often at once', async () => {
    const token = await issuer.sign({ sub: 'many' });
    const verify = verifications();
    const first = await Promise.all(
      Array.from({ length: 20 }, () => gateway.rest('GET', list, undefined, bearing(token))),
    );
    expect(first.map(({ status }) => status)).toEqual(Array(20).fill(200));
    await gateway.graphql(viewer, {}, bearing(token));
    expect(verify).toHaveBeenCalledTimes(1);
  });

  test('may begin up to 30 s from now, by a clock that is ahead of ours', async () => {
    const now = Math.floor(Date.now() / 1000);
    const soon = await issuer.sign({ claims: { nbf: now + 20 } });
    expect((await gateway.graphql(viewer, {}, bearing(soon))).status).toBe(200);
  });

  test('ends when it says, also for what was looked up just before', async () => {
    const token = await issuer.sign({ expiresIn: 2 });
    expect((await gateway.graphql(viewer, {}, bearing(token))).status).toBe(200);
    await sleep(2100);
    const { status, body } = await gateway.graphql(viewer, {}, bearing(token));
    expect([status, body.errors[0].extensions.reason]).toEqual([401, 'token_expired']);
  });

  test('has a name without control characters, and the subject where there is none', async () => {
    const nameOf = async (claims: object) =>
      (await gateway.graphql(viewer, {}, bearing(await issuer.sign({ claims: { ...claims } })))).body.data.viewer.name;
    expect(await nameOf({ name: ' Ada\u0000\nLovelace ' })).toBe('Ada Lovelace');
    expect(await nameOf({ name: ['Ada'] })).toBe('ada');
    expect(await nameOf({ name: 'x'.repeat(300) })).toBe('x'.repeat(100));
  });

  test('is no key: a key is taken as before', async () => {
    expect((await gateway.graphql(viewer)).body.data.viewer.keyId).toBe('environment');
  });
});

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token with another payload and the same signature. */
function forged(token: string, changes: object): string {
  const [header, payload = '', signature] = token.split('.');
  return `${header}.${base64({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...changes })}.${signature}`;
}

/** Signed with the public key, as if it were a secret. */
function hmacSigned(text: string | Buffer): string {
  const parts = `${base64({ alg: 'HS256', kid: issuer.keys[0]?.kid })}.${base64(claims())}`;
  return `${parts}.${createHmac('sha256', text).update(parts).digest('base64url')}`;
}

const claims = () => ({ iss: issuer.issuer, aud: 'records', sub: 'ada', exp: Math.floor(Date.now() / 1000) + 300 });
const pem = () => createPublicKey({ key: issuer.keys[0] ?? {}, format: 'jwk' }).export({ type: 'spki', format: 'pem' });

interface BadToken {
  make(): string | Promise<string>;
  says: RegExp;
  reason?: string;
  /** How often its signature is checked each time that it comes. */
  verifications?: number;
}

const bad: Record<string, BadToken> = {
  'another subject under the same signature': {
    make: async () => forged(await issuer.sign(), { sub: 'eve' }),
    says: /not signed by its issuer/,
    verifications: 1,
  },
  'no algorithm and no signature': { make: () => new UnsecuredJWT(claims()).encode(), says: /not signed by a pair/ },
  'no algorithm, with a key that is there': {
    make: () => `${base64({ alg: 'none', kid: issuer.keys[0]?.kid })}.${base64(claims())}.c2ln`,
    says: /not signed by a pair/,
  },
  'HMAC with the public key as PEM': { make: () => hmacSigned(pem()), says: /not signed by a pair/ },
  'HMAC with the public key as JSON': {
    make: () => hmacSigned(JSON.stringify(issuer.keys[0])),
    says: /not signed by a pair/,
  },
  'another audience': {
    make: () => issuer.sign({ claims: { aud: ['payroll'] } }),
    says: /another audience/,
    verifications: 1,
  },
  'no audience': { make: () => issuer.sign({ claims: { aud: undefined } }), says: /audience/, verifications: 1 },
  'an unknown issuer': {
    make: () => issuer.sign({ claims: { iss: 'https://login.example' } }),
    says: /issuer of this token \(`iss`\) is not one/,
  },
  'no issuer': { make: () => issuer.sign({ claims: { iss: undefined } }), says: /`iss`/ },
  'an expired one': {
    make: () => issuer.sign({ expiresIn: -1 }),
    says: /has expired/,
    reason: 'token_expired',
    verifications: 1,
  },
  'no end': { make: () => issuer.sign({ claims: { exp: undefined } }), says: /`exp`/, verifications: 1 },
  'one for tomorrow': {
    make: () => issuer.sign({ claims: { nbf: Math.floor(Date.now() / 1000) + 86_400 }, expiresIn: 100_000 }),
    says: /not valid yet/,
    verifications: 1,
  },
  'an end that is no time': { make: () => issuer.sign({ claims: { exp: 1e300 } }), says: /`exp`/, verifications: 1 },
  'an end before all times': {
    make: () => issuer.sign({ claims: { exp: -1e300 } }),
    says: /expire/,
    reason: 'token_expired',
    verifications: 1,
  },
  'an end in the year 10000': {
    make: () => issuer.sign({ claims: { exp: 253_402_300_800 } }),
    says: /`exp`/,
    verifications: 1,
  },
  'an end that is no number': {
    make: () => issuer.sign({ claims: { exp: '1' } }),
    says: /value that it may not have|`exp`/,
    verifications: 1,
  },
  'a beginning that never comes': {
    make: () => issuer.sign({ claims: { nbf: 1e300 } }),
    says: /not valid yet/,
    verifications: 1,
  },
  'a beginning that is no number': {
    make: () => issuer.sign({ claims: { nbf: '1' } }),
    says: /`nbf`/,
    verifications: 1,
  },
  'no subject': { make: () => issuer.sign({ claims: { sub: undefined } }), says: /`sub`/, verifications: 1 },
  'a subject with a control character': {
    make: () => issuer.sign({ sub: 'a\nb' }),
    says: /control characters/,
    verifications: 1,
  },
  'a long subject': { make: () => issuer.sign({ sub: 'x'.repeat(256) }), says: /255/, verifications: 1 },
  'a subject that is no text': { make: () => issuer.sign({ claims: { sub: 7 } }), says: /`sub`/, verifications: 1 },
  'something critical that nobody knows': {
    make: async () => {
      const [, payload, signature] = (await issuer.sign()).split('.');
      return `${base64({ alg: 'RS256', kid: issuer.keys[0]?.kid, crit: ['x'], x: 1 })}.${payload}.${signature}`;
    },
    says: /no token that can be read/,
  },
  'garbage in three parts': { make: () => 'abc.def.ghi', says: /no token that can be read/ },
  'a list in the middle': {
    make: () => `${base64({ alg: 'RS256' })}.${base64([])}.x`,
    says: /no token that can be read/,
  },
  'more than 8 kB': { make: () => issuer.sign({ claims: { photo: 'x'.repeat(7000) } }), says: /longer than 8192/ },
};

describe('a bad token', () => {
  test.each(Object.entries(bad))('is refused on both surfaces, without being repeated: %s', async (_, given) => {
    const { make, says, reason = 'token_invalid', verifications: most = 0 } = given;
    const token = await make();
    // The keys are known, and the cool-down has begun.
    await gateway.graphql(viewer, {}, bearing(await issuer.sign({ header: { kid: 'unknown' } })));
    const [fetches, verify] = [issuer.fetches, verifications()];
    const rest = await gateway.rest('GET', list, undefined, bearing(token));
    expect(rest.body.error).toMatchObject({
      type: 'authentication_error',
      code: reason,
      message: expect.stringMatching(says),
    });
    const graphql = await gateway.graphql(viewer, {}, bearing(token));
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: 'UNAUTHENTICATED', reason });
    for (const answer of [rest, graphql]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      for (const part of token.split('.')) if (part.length > 3) expect(answer.text).not.toContain(part);
    }
    expect(verify.mock.calls.length).toBe(2 * most);
    expect(issuer.fetches).toBe(fetches);
    expect(gateway.logLines.some((line) => line.includes(token))).toBe(false);
  });

  test('of 16 kB is refused before anybody looks at it', async () => {
    const { status } = await gateway.rest('GET', list, undefined, bearing(`a.${'b'.repeat(16_384)}.c`));
    expect(status).toBe(431);
  });

  test('in the address is not looked at, and the answer says where it belongs', async () => {
    const token = await issuer.sign();
    const verify = verifications();
    const answer = await gateway.rest('GET', `${list}?access_token=${token}`, undefined, { authorization: '' });
    expect([answer.status, answer.body.error.code]).toEqual([401, 'api_key_missing']);
    expect(answer.body.error.message).toMatch(/^No API key and no token\..*not in the address/);
    expect(answer.text).not.toContain(token);
    expect(verify).not.toHaveBeenCalled();
  });

  test('of an unknown issuer is only an unknown key where no issuer is named', async () => {
    const plain = await startGateway();
    const { status, body } = await plain.rest('GET', list, undefined, bearing(await issuer.sign()));
    expect([status, body.error.code]).toEqual([401, 'api_key_invalid']);
    await plain.close();
  });
});

describe('what people lack', () => {
  test('is said in words for people: scopes, and webhooks, which only keys manage', async () => {
    const reader = { scopes: ['crm:read', 'webhooks'], types: { IndustryType: { read: true } } };
    const roles = await startWithPeople({ env: { ...takingTokens(issuer), ROLES: rolesFile({ clerk: reader }) } });
    const as = bearing(await issuer.sign({ sub: 'reader' }));
    const { status, body } = await roles.rest('POST', list, { industry: 'Mining' }, as);
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
    expect(body.error.message).toBe('Your roles do not give you the scope `crm:write`, which this needs.');
    const roleless = await roles.rest('GET', list, undefined, bearing(await issuer.sign({ roles: ['Chefs'] })));
    expect(roleless.body.error.message).toMatch(/`crm:read`, which this needs\. Your token holds no role that counts/);
    const made = await roles.graphql(
      'mutation { createWebhook(input: { name: "a", url: "https://a.example" }) { secret } }',
      {},
      as,
    );
    expect(made.body.errors[0]).toMatchObject({
      message: expect.stringMatching(/Webhooks are managed with API keys only/),
      extensions: { code: 'FORBIDDEN' },
    });
    const key = await roles.graphql(
      'mutation { createApiKey(input: { name: "a", scopes: ["*"] }) { secret } }',
      {},
      as,
    );
    expect(key.body.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['admin'] });
    await roles.close();
  });
});

describe.each(providers)('the stored answer of a person, on %s', (provider) => {
  const create = { query: 'mutation { createIndustryType(input: { industry: "Mining" }) { record { id } } }' };
  const send = async (to: TestGateway, token: string) =>
    to.rest('POST', '/graphql', create, { ...bearing(token), 'Idempotency-Key': 'once' });

  test('is opened by a renewed token, and by another process with the same ANSWER_KEY; nobody else has it', async () => {
    const env = { ...takingTokens(issuer), ANSWER_KEY: 'k'.repeat(32) };
    const one = await startWithPeople({ database: provider, env });
    const first = await send(one, await issuer.sign({ sub: 'ada' }));
    expect(first.body.data.createIndustryType.record.id).toBeTruthy();
    const again = await send(one, await issuer.sign({ sub: 'ada', claims: { jti: 'another' } }));
    expect([again.headers.get('idempotent-replayed'), again.body]).toEqual(['true', first.body]);
    const other = await send(one, await issuer.sign({ sub: 'bob' }));
    expect(other.headers.get('idempotent-replayed')).toBeNull();

    const DATABASE_URL = one.config.databaseUrl;
    const same = await startWithPeople({ env: { ...env, DATABASE_URL } });
    expect((await send(same, await issuer.sign({ sub: 'ada' }))).body).toEqual(first.body);
    const ownKey = await startWithPeople({ env: { ...takingTokens(issuer), DATABASE_URL } });
    const sealed = await send(ownKey, await issuer.sign({ sub: 'ada' }));
    expect([sealed.status, sealed.body.errors[0].extensions.reason]).toEqual([409, 'idempotency_answer_sealed']);
    for (const each of [one, same, ownKey]) await each.close();
  });
});

test('what is sealed for one person is opened for no other, by the same secret', () => {
  const sealed = new Seal('k'.repeat(32), 'https://login.example|ada').close('a text');
  expect(new Seal('k'.repeat(32), 'https://login.example|ada').open(sealed)).toBe('a text');
  expect(new Seal('k'.repeat(32), 'https://login.example|bob').open(sealed)).toBeUndefined();
});
