/** A key that somebody sends in a wrong place stands neither in the log nor in what else is written of a request. */
import { IncomingMessage, request } from 'node:http';
import { Socket } from 'node:net';
import { type Attributes, INVALID_SPAN_CONTEXT, trace } from '@opentelemetry/api';
import { expect, onTestFinished, test } from 'vitest';
import { decodedWords } from '../../src/common/output.js';
import { requestSpan } from '../../src/features/tracing/tracing.js';
import { storedUserAgent } from '../../src/features/usage/usage.js';
import { newSecret } from '../../src/gateway/access/authenticator.js';
import { freshDatabaseUrl } from '../support/database.js';
import { startProcess } from '../support/process.js';

const encoded = (text: string, sign = '%') =>
  [...text].map((letter) => `${sign}${letter.charCodeAt(0).toString(16)}`).join('');

/** How a client, a proxy or an attacker may write a key in a path. */
const ways: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  'in capitals': (secret) => secret.toUpperCase(),
  'its underscores encoded': (secret) => secret.replaceAll('_', '%5F'),
  'every character encoded': (secret) => encoded(secret),
  'in capitals, every character encoded in capitals': (secret) => encoded(secret.toUpperCase()).toUpperCase(),
  'every second character encoded': (secret) => [...secret].map((c, at) => (at % 2 ? c : encoded(c))).join(''),
  'encoded twice': (secret) => encoded(secret, '%25'),
  'encoded four times': (secret) => encoded(secret, '%252525'),
  'all of what encodes it encoded': (secret) => encoded(encoded(secret)),
  'the digits of what encodes it encoded': (secret) => encoded(secret).replace(/[0-9a-f]/g, (digit) => encoded(digit)),
};

/** Decodes as often as there is something to decode, and knows nothing of what the gateway does. */
function read(text: string): string {
  const next = text.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
  return next === text ? text.toLowerCase() : read(next);
}

test('its secret part is left out of every line', async () => {
  const { id, secret } = newSecret();
  const gateway = startProcess({ DATABASE_URL: await freshDatabaseUrl('sqlite'), API_KEY: secret });
  onTestFinished(() => void gateway.child.kill('SIGKILL'));
  const address = await gateway.ready();
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'x-request-id': secret };
  const written = Object.values(ways).map((way) => way(secret));
  // By node:http, because fetch writes some addresses anew.
  const ask = (path: string, more = {}) =>
    new Promise((resolve, reject) => {
      const asked = request(`${address}/`, { path, headers: more }, (answer) => answer.resume().on('end', resolve));
      asked.on('error', reject).end();
    });
  for (const each of written) {
    for (const place of [`/key=${each}`, `/api/${each}`, `/api/crm/industry-type/${each}`, `/${each}y`])
      await ask(place);
    await ask('/api/crm/industry-type', { ...headers, 'user-agent': each, referer: `http://x/${each}` });
    await ask(`/?query=${each}`, { 'x-request-id': each });
  }
  await fetch(`${address}/graphql`, { method: 'POST', headers, body: `{"query": "query ${secret} { __typename }"}` });
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  expect(gateway.log().match(new RegExp(`${id}_…`, 'gi'))?.length).toBeGreaterThanOrEqual(4 * written.length);
  const lines = gateway.log().trim().split('\n');
  expect(lines.filter((line) => read(line).includes(secret.slice(id.length + 1)))).toEqual([]);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
});

test.each(Object.keys(ways))('it is left out of spans and of stored user agents: %s', (name) => {
  const { id, secret } = newSecret();
  const text = ways[name]?.(secret) ?? '';
  const spans: Attributes[] = [];
  const span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
  Object.assign(span, { setAttributes: (given: Attributes) => spans.push(given) });
  const tracer = Object.assign(trace.getTracer('test'), { startSpan: () => span });
  const details = { method: 'GET', status: 404, milliseconds: 1, isAborted: false, keyId: undefined };
  const asked = { ...details, path: `/${text}`, requestId: text, observation: { operation: text } };
  requestSpan(tracer, new IncomingMessage(new Socket())).end(asked);
  expect(spans).toHaveLength(1);
  for (const kept of [JSON.stringify(spans), storedUserAgent(`Tool/1 ${text} of ${text}`)]) {
    expect(read(kept)).not.toContain(secret.slice(id.length + 1));
  }
});

test('decoding takes one pass, however often a text is encoded, and leaves what is no word', () => {
  expect(decodedWords('50% of %22a%20b%2F %zz %6')).toBe('50% of %22a%20b%2F %zz %6');
  const often = `%${'25'.repeat(100_000)}61`;
  expect(decodedWords(`${often} ${'%'.repeat(100_000)}`)).toBe(`a ${'%'.repeat(100_000)}`);
});
