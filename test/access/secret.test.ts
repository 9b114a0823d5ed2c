/** The secrets of keys: what they are made of, what is kept of them, how they are compared. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashOf, newSecret, publicIdOf } from '../../src/gateway/access/authenticator.js';
import { nodesOf, typescriptIn } from '../house/files.js';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const secrets = Array.from({ length: 2000 }, newSecret);

/** The bytes behind the public part, of which the last character holds one bit. */
function bytesOf(secret: string): number[] {
  const bits = [...secret.slice(17)].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return (bits.slice(0, 256).match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}

test('a secret is its public id and 32 bytes, each of which may be anything', () => {
  for (const { id, secret } of secrets) {
    expect(secret).toMatch(/^brg_[0-9a-hjkmnp-tv-z]{12}_[0-9a-hjkmnp-tv-z]{52}$/);
    expect(publicIdOf(secret)).toBe(id);
  }
  const bytes = secrets.map(({ secret }) => bytesOf(secret));
  for (let place = 0; place < 32; place++) {
    expect(new Set(bytes.map((row) => row[place])).size).toBeGreaterThan(240);
  }
  expect(new Set(secrets.map(({ id }) => id)).size).toBe(secrets.length);
});

test('what is kept of it is a SHA-256 of the whole', () => {
  const { secret } = newSecret();
  expect(hashOf(secret)).toBe(createHash('sha256').update(secret).digest('hex'));
});

test('nothing compares a secret or its hash but in constant time', () => {
  const files = typescriptIn('src/gateway/access', 'src/features/idempotency');
  const compared = files.flatMap((file) =>
    [...nodesOf(file)]
      .filter(({ type, operator }) => type === 'BinaryExpression' && /^[!=]==?$/.test(String(operator)))
      .map(({ start, end }) => file.text.slice(start, end))
      .filter((text) => text.split(/[!=]==?/).some((side) => /\b(secret|hash)$/i.test(side.trim()))),
  );
  expect(compared).toEqual([]);
  const [authenticate] = files.filter(({ path }) => path === 'src/gateway/access/authenticator.ts');
  expect(authenticate?.text).toMatch(/timingSafeEqual\(left, right\)/);
});
