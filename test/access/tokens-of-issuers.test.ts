/** The keys of issuers: when they are fetched, and what an issuer that is down or misbehaves does to those who sign in. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createFetchText, keyTimes } from '../../src/features/people/tokens/key-set.js';
import { AddressRules } from '../../src/gateway/outgoing/address-rules.js';
import type { TestGateway } from '../support/gateway.js';
import { TestIssuer, takingTokens } from '../support/issuer.js';
import { bearing, startWithPeople } from './people.js';

const usual = { ...keyTimes };
let issuer: TestIssuer;
let gateway: TestGateway;
beforeEach(async () => {
  issuer = await TestIssuer.start('ES256');
  gateway = await startWithPeople({ env: takingTokens(issuer) });
});
afterEach(async () => {
  Object.assign(keyTimes, usual);
  await gateway.close();
  await issuer.stop();
});

/** The status and the code of an answer to the token. */
async function ask(token: string): Promise<[number, string | undefined]> {
  const { status, body } = await gateway.rest('GET', '/api/crm/industry-type', undefined, bearing(token));
  return [status, body.error?.code];
}

const good = [200, undefined];
const refused = [401, 'token_invalid'];
const unavailable = [503, 'issuer_unavailable'];
const failures = () => gateway.logLines.filter((line) => line.includes('keys of an issuer could not be fetched'));
const untilCool = () => sleep(keyTimes.coolDown + 20);

describe('the keys of an issuer', () => {
  test('are fetched when the first token comes, once for all that come', async () => {
    expect(issuer.fetches).toBe(0);
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, n) => issuer.sign({ sub: `person ${n}` })));
    expect(await Promise.all(tokens.map(ask))).toEqual(tokens.map(() => good));
    expect(issuer.fetches).toBe(1);
  });

  test('are fetched once for a thousand tokens with invented keys, and once more in the next cool-down', async () => {
    const flood = async () => {
      const invented = Array.from({ length: 1000 }, (_, n) =>
        issuer.sign({ header: { kid: `${Math.random()} ${n}` } }),
      );
      const tokens = await Promise.all(invented);
      const answers: unknown[] = [];
      for (let at = 0; at < tokens.length; at += 100)
        answers.push(...(await Promise.all(tokens.slice(at, at + 100).map(ask))));
      // Until the keys may be fetched again, one of them might be a new one.
      for (const answer of answers) expect([refused, unavailable]).toContainEqual(answer);
      expect(answers.at(-1)).toEqual(unavailable);
    };
    await flood();
    expect(issuer.fetches).toBe(1);
    keyTimes.coolDown = 0;
    expect(await ask(await issuer.sign({ header: { kid: 'invented' } }))).toEqual(refused);
    keyTimes.coolDown = usual.coolDown;
    await flood();
    expect(issuer.fetches).toBe(2);
    expect(await ask(await issuer.sign())).toEqual(good);
  });

  test('are fetched again when they were rotated; one that is withdrawn signs no more', async () => {
    keyTimes.coolDown = 100;
    const [early, late] = [await issuer.sign({ sub: 'early' }), await issuer.sign({ sub: 'late' })];
    expect(await ask(early)).toEqual(good);
    await issuer.rotate({ withdrawn: true });
    await untilCool();
    expect(await ask(await issuer.sign({ sub: 'renewed' }))).toEqual(good);
    await untilCool();
    expect(await ask(late)).toEqual(refused);
    expect(issuer.fetches).toBeLessThanOrEqual(3);
  });

  test('are fetched again now and then, so that a withdrawn key ends though nobody names another', async () => {
    const [early = '', later = '', late = ''] = await Promise.all(['a', 'b', 'c'].map((sub) => issuer.sign({ sub })));
    expect(await ask(early)).toEqual(good);
    await issuer.rotate({ withdrawn: true });
    Object.assign(keyTimes, { stale: 0, coolDown: 0 });
    // Those that are known count until the new ones are there.
    expect(await ask(later)).toEqual(good);
    keyTimes.stale = usual.stale;
    await sleep(100);
    expect(issuer.fetches).toBe(2);
    expect(await ask(late)).toEqual(refused);
  });

  test('stay good while the issuer is down; a token of another key is told to come again', async () => {
    expect(await ask(await issuer.sign())).toEqual(good);
    keyTimes.coolDown = 100;
    await issuer.stop();
    await untilCool();
    expect(await ask(await issuer.sign({ sub: 'another' }))).toEqual(good);
    await issuer.rotate();
    const token = await issuer.sign();
    expect(await ask(token)).toEqual(unavailable);
    const answer = await gateway.graphql('{ viewer { keyId } }', {}, bearing(token));
    expect(answer.body.errors[0].extensions).toMatchObject({ code: 'UNAVAILABLE', reason: 'issuer_unavailable' });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(failures().length).toBeGreaterThan(0);
    await issuer.open();
    await untilCool();
    expect(await ask(token)).toEqual(good);
  });

  test('can come late: an issuer that is down at first is asked again', async () => {
    await issuer.stop();
    const token = await issuer.sign();
    expect(await Promise.all(Array.from({ length: 50 }, () => ask(token)))).toEqual(Array(50).fill(unavailable));
    expect(await ask(token)).toEqual(unavailable);
    expect(failures()).toHaveLength(1);
    await issuer.open();
    keyTimes.withoutKeys = 0;
    expect(await ask(token)).toEqual(good);
    expect(issuer.fetches).toBe(1);
  });
});

describe('an issuer that answers badly', () => {
  const keysOf = () => JSON.stringify({ keys: issuer.keys });
  test.each<[string, number, object, () => string]>([
    ['with an error', 500, {}, keysOf],
    ['with what is no JSON', 200, {}, () => '<html>'],
    ['with what are no keys', 200, {}, () => '{"keys": {}}'],
    ['with a secret', 200, {}, () => '{"keys": [{"kty": "oct", "k": "c2VjcmV0"}]}'],
    ['with more than 100 kB', 200, {}, () => JSON.stringify({ keys: issuer.keys, more: 'x'.repeat(110_000) })],
    ['with half an answer', 200, { 'content-length': 100_000 }, keysOf],
  ])('is as good as down: %s', async (_, status, headers, body) => {
    issuer.answer = (_request, response) => {
      response.writeHead(status, { ...headers });
      response.write(body());
      if (status === 200 && 'content-length' in headers) setTimeout(() => response.destroy(), 50);
      else response.end();
    };
    expect(await ask(await issuer.sign())).toEqual(unavailable);
  });

  test('sends nobody elsewhere: redirects are not followed', async () => {
    let visits = 0;
    const elsewhere = createServer((_, response) => {
      visits++;
      response.end(keysOf());
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    onTestFinished(() => void elsewhere.close());
    const { port } = elsewhere.address() as AddressInfo;
    issuer.answer = (_, response) => void response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    expect(await ask(await issuer.sign())).toEqual(unavailable);
    expect(visits).toBe(0);
  });

  test('is not waited for longer than five seconds', async () => {
    issuer.answer = () => undefined;
    const fetching = createFetchText(new AddressRules(['127.0.0.1']))(`${issuer.issuer}/keys`);
    await expect(fetching).rejects.toThrow('timeout');
  });

  test('at a private address is not asked unless ISSUERS_ALLOW names it', async () => {
    await expect(createFetchText(new AddressRules([]))(`${issuer.issuer}/keys`)).rejects.toThrow('address_refused');
    expect(issuer.fetches).toBe(0);
    const { ISSUERS } = takingTokens(issuer);
    await expect(startWithPeople({ env: { ISSUERS } })).rejects.toThrow(/`1\.keys` must begin with https/);
  });
});
