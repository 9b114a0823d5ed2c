/** Messages are signed as Standard Webhooks 1.0 says; its own package verifies them. */
import { createPublicKey, verify } from 'node:crypto';
import { inspect } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../../src/features/webhooks/delivery/message.js';
import { SigningKeys } from '../../../src/features/webhooks/signing-keys.js';

const master = 'a-master-key-of-the-tests-with-32-letters';
const keys = new SigningKeys(master, 'wh_1', 1);
const newer = new SigningKeys(master, 'wh_1', 2);
const message = { id: 'msg_wh_1_42', body: '{"type":"AssetRepair.update","data":{"name":"Größe"}}' };
const now = () => new Date();

const accepts = (secret: string, body: string, headers: Record<string, string>) => {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
};

/** Whether one of the `v1a` signatures is by the public key. */
function acceptsPublic(publicKey: string, body: string, headers: Record<string, string>): boolean {
  const raw = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64');
  expect(raw).toHaveLength(32);
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return (headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((each) => each.startsWith('v1a,'))
    .some((each) => verify(null, Buffer.from(text), key, Buffer.from(each.slice(4), 'base64')));
}

test('a message is accepted by its secret and its public key', () => {
  const headers = signedHeaders(message, [keys], now());
  expect(headers['webhook-id']).toBe(message.id);
  expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1a,[\w+/]{86}==$/);
  expect(keys.reveal()).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(accepts(keys.reveal(), message.body, headers)).toBe(true);
  expect(acceptsPublic(keys.publicKey, message.body, headers)).toBe(true);
});

test.each<[string, (headers: Record<string, string>) => { body: string; headers: Record<string, string> }]>([
  ['body', (headers) => ({ body: message.body.replace('update', 'delete'), headers })],
  ['id', (headers) => ({ body: message.body, headers: { ...headers, 'webhook-id': 'msg_wh_1_43' } })],
  [
    'time',
    (headers) => ({
      body: message.body,
      headers: { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
    }),
  ],
  [
    'version of the signature',
    (headers) => ({
      body: message.body,
      headers: {
        ...headers,
        'webhook-signature': String(headers['webhook-signature']).replace('v1,', 'v2,').replace('v1a,', 'v1,'),
      },
    }),
  ],
])('a message with another %s is refused', (_, tamper) => {
  const { body, headers } = tamper(signedHeaders(message, [keys], now()));
  expect(accepts(keys.reveal(), body, headers)).toBe(false);
  expect(acceptsPublic(keys.publicKey, body, headers)).toBe(false);
});

test('a message older than five minutes is refused', () => {
  const ago = (seconds: number) => signedHeaders(message, [keys], new Date(Date.now() - seconds * 1000));
  expect(accepts(keys.reveal(), message.body, ago(290))).toBe(true);
  expect(accepts(keys.reveal(), message.body, ago(310))).toBe(false);
});

test('while keys are rotated both are accepted, afterwards the new one alone', () => {
  const during = signedHeaders(message, [newer, keys], now());
  const after = signedHeaders(message, [newer], now());
  for (const each of [keys, newer]) {
    expect(accepts(each.reveal(), message.body, during)).toBe(true);
    expect(acceptsPublic(each.publicKey, message.body, during)).toBe(true);
  }
  expect([keys, newer].map((each) => accepts(each.reveal(), message.body, after))).toEqual([false, true]);
  expect([keys, newer].map((each) => acceptsPublic(each.publicKey, message.body, after))).toEqual([false, true]);
});

test('keys follow from the master key, the webhook and the rotation, and from nothing else', () => {
  expect(new SigningKeys(master, 'wh_1', 1).reveal()).toBe(keys.reveal());
  const others = [new SigningKeys(`${master}.`, 'wh_1', 1), new SigningKeys(master, 'wh_2', 1), newer];
  for (const other of others) {
    expect(other.reveal()).not.toBe(keys.reveal());
    expect(other.publicKey).not.toBe(keys.publicKey);
    expect(other.fingerprint).not.toBe(keys.fingerprint);
  }
});

test('keys do not show in what is logged of them', () => {
  const secret = keys.reveal().slice(6);
  for (const shown of [JSON.stringify(keys), inspect(keys, { depth: 9, showHidden: true })]) {
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(Buffer.from(secret, 'base64').toString('hex').slice(0, 12));
  }
});
