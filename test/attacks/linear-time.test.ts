/** Headers and bodies of the largest size in harmful forms: twice the length takes at most twice the time. */
import { beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../input/raw-request.js';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';
import { isChosen } from '../support/thorough.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

/** Each header that is parsed, with a beginning that its parser accepts. */
const headers: Record<string, string> = {
  accept: 'text/html',
  'accept-encoding': 'gzip;q=0',
  authorization: 'Bearer ',
  'content-type': 'application/json',
  'idempotency-key': 'k',
  'if-match': '"9"',
  'if-none-match': 'W/"9"',
  origin: 'http://',
  'x-request-id': 'r',
};
const parts = [' ', '\t', ',', ', ', ';', '"', '",', ';"', '=', 'a', 'a,', 'W/"1",', '0', '\\', '/*,'];
const requests: [string, string, string | undefined][] = [
  ['POST', '/api/crm/industry-type', '{}'],
  ['GET', '/api/crm/industry-type?limit=1', undefined],
  ['POST', '/graphql', '{"query":"{__typename}"}'],
  ['GET', '/', undefined],
];

/** Milliseconds the gateway takes for what `send` sends, at best. */
async function best(send: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let tries = 0; tries < 3; tries++) {
    const start = performance.now();
    await send();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

/**
 * Whether a request of full length takes long, and much more than twice as long as half of it, in every attempt,
 * because a busy machine is slow now and then.
 */
async function isSlow(long: number, send: (share: number) => Promise<unknown>): Promise<boolean> {
  const start = performance.now();
  await send(1);
  if (performance.now() - start < long) return false;
  for (let look = 0; look < 4; look++) {
    const whole = await best(() => send(1));
    if (whole <= long || whole <= 2.8 * (await best(() => send(0.5)))) return false;
  }
  return true;
}

describe.each(Object.keys(headers))('the header %s', (name) => {
  test('is read in linear time', async () => {
    const slow: string[] = [];
    for (const [method, path, body] of requests) {
      for (const part of parts.filter((_, index) => isChosen(index, 3))) {
        const send = (share: number) => {
          const value = `${headers[name]}${part.repeat((14_000 * share) / part.length)}!`;
          return rawRequest(gateway, { method, path, body, headers: { [name]: value } });
        };
        if (await isSlow(100, send)) slow.push(`${method} ${path} ${JSON.stringify(part)}`);
      }
    }
    expect(slow).toEqual([]);
  });
});

/** Bodies of about so many characters. */
const bodies: Record<string, (length: number) => string> = {
  'names that are not known': (length) =>
    `{${Array.from({ length: length / 20 }, (_, index) => `"failure_date${index}":0`).join()}}`,
  'the same name again': (length) => `{${'"asset":"x",'.repeat(length / 12)}"asset":"y"}`,
  'one long name': (length) => `{"${'a'.repeat(length)}":1}`,
  'one long number': (length) => `{"repair_cost":${'9'.repeat(length)}}`,
  'blanks alone': (length) => ' '.repeat(length),
  'escaped quotes': (length) => `{"asset":"${'\\"'.repeat(length / 2)}"}`,
  'brackets within strings': (length) => `{"asset":"${'[{'.repeat(length / 2)}"}`,
  'lists that are not closed': (length) => '['.repeat(length),
  'no JSON': (length) => `{"asset":"x"${'}'.repeat(length)}`,
};
/** Operations of about so many characters. */
const operations: Record<string, (length: number) => string> = {
  'a comment': (length) => `{__typename}#${'#'.repeat(length)}`,
  'a long name': (length) => `{${'a'.repeat(length)}}`,
  'a long text': (length) => `{assetRepair(id:"${'a'.repeat(length)}"){id}}`,
  'a block of text': (length) => `{assetRepair(id:"""${' a'.repeat(length / 2)}"""){id}}`,
  'fields that are not known': (length) => `{${'assetRepare '.repeat(Math.min(length / 12, 9000))}}`,
  'what is no GraphQL': (length) => `{${' '.repeat(length)}%`,
};

test.each(Object.entries(bodies))('a body of %s is read in linear time', async (_, make) => {
  const path = '/api/assets/asset-repair';
  const send = (share: number) => rawRequest(gateway, { method: 'POST', path, body: make(900_000 * share) });
  expect(await isSlow(300, send)).toBe(false);
});

test.each(Object.entries(operations))('an operation of %s is read in linear time', async (_, make) => {
  const send = (share: number) => {
    const body = JSON.stringify({ query: make(900_000 * share) });
    return rawRequest(gateway, { method: 'POST', path: '/graphql', body });
  };
  expect(await isSlow(300, send)).toBe(false);
});
