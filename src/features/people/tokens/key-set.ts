/** The public keys of an issuer, from a file or fetched from its address. */
import { createPublicKey } from 'node:crypto';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type JWK,
  type JWTVerifyGetKey,
  errors as joseErrors,
} from 'jose';
import * as z from 'zod';
import { readJson } from '../../../common/read-json.js';
import type { AddressRules } from '../../../gateway/outgoing/address-rules.js';
import { createSender } from '../../../gateway/outgoing/sender.js';
import { tokenRefusals } from './token-refusals.js';

/** Finds the key that the header of a token names. @throws errors of `jose`, and `issuer_unavailable` */
export type FindKey = JWTVerifyGetKey;

const publicKey = z.looseObject({ kty: z.string() }).superRefine((key, context) => {
  const problem = keyProblem(key);
  if (problem) context.addIssue(problem);
});

function keyProblem(key: JWK & { kty: string }): string | undefined {
  if (key.kty === 'oct') return 'is a secret, with which its holders could sign; use the public key of a pair';
  if ('d' in key) return 'is a private key; leave out all members but those of the public key, and replace the pair';
  try {
    const { asymmetricKeyDetails: details } = createPublicKey({ key, format: 'jwk' });
    return (details?.modulusLength ?? shortestModulus) < shortestModulus
      ? `is shorter than ${shortestModulus} bits; use a longer key`
      : undefined;
  } catch {
    return 'is no public key that can be read';
  }
}

/** Shorter keys of RSA are not taken (RFC 7518). */
const shortestModulus = 2048;

/** A JSON Web Key Set in a file, of which every key can check signatures. */
export const keySet = z
  .object({ keys: z.array(publicKey).min(1, 'holds no key') }, 'it must be a JSON Web Key Set: {"keys": [{"kty": …}]}')
  .transform(({ keys }): FindKey => createLocalJWKSet({ keys }));

/** One that an issuer sends: of other keys there may be some. */
const sentKeySet = z.object({ keys: z.array(publicKey.nullable().catch(null)) });

export const keyTimes = {
  /** Milliseconds from one fetch to the next that an unknown key may cause. */
  coolDown: 30_000,
  /** The same while there are no keys at all. */
  withoutKeys: 5_000,
  /** Milliseconds after which keys are fetched again, so that one which the issuer has withdrawn does not count for ever. */
  stale: 10 * 60_000,
};

/** Bytes that an issuer may send, and milliseconds that it may take. */
const largestKeys = 100 * 1024;
const longestFetch = 5_000;

/** Reads what is at an address that the rules permit, in bounded time and size, without following redirects. */
export function createFetchText(rules: AddressRules): (url: string) => Promise<string> {
  const sender = createSender(rules);
  return async (url) => {
    const { status, failure, body } = await sender.send({
      url,
      headers: { accept: 'application/jwk-set+json, application/json' },
      kept: largestKeys,
      signal: AbortSignal.timeout(longestFetch),
    });
    if (failure) throw new Error(failure === 'broken_off' ? 'timeout' : failure);
    if (status !== 200) throw new Error(`the issuer answered ${status}`);
    if (!body) throw new Error(`the answer was broken off, or is larger than ${largestKeys} bytes`);
    return body.toString();
  };
}

/**
 * Keys that are fetched when a token first needs them, and again for a key that is not among them: once per cool-down for
 * all callers together, so that tokens with invented keys cost next to nothing (RFC 8725). While the issuer does not answer,
 * the keys that are known stay good. A key is unknown only if the keys were fetched since its token came: until they may be,
 * the token may be good. `failed` hears why a fetch has failed.
 */
export function fetchedKeys(
  url: string,
  fetchText: (url: string) => Promise<string>,
  failed: (reason: string) => void,
): FindKey {
  let begunAt = Number.NEGATIVE_INFINITY;
  let areKnown = false;
  const left = () => begunAt + (areKnown ? keyTimes.coolDown : keyTimes.withoutKeys) - performance.now();
  const unavailable = () => tokenRefusals.issuerUnavailable(Math.max(1, Math.ceil(left() / 1000)));
  const fetching = async () => {
    if (left() > 0) throw unavailable();
    begunAt = performance.now();
    try {
      const sent = sentKeySet.parse(readJson(await fetchText(url)));
      const keys = sent.keys.filter((key) => key !== null);
      if (keys.length === 0) throw new Error('there is no key with which signatures can be checked');
      areKnown = true;
      return Response.json({ keys });
    } catch (error) {
      failed(error instanceof z.ZodError ? 'what the issuer sent is no JSON Web Key Set' : String(error));
      throw unavailable();
    }
  };
  // It would await the keys that are stale, and count no fetch that has failed.
  const times = { cooldownDuration: 0, cacheMaxAge: Number.POSITIVE_INFINITY };
  const set = createRemoteJWKSet(new URL(url), { ...times, [customFetch]: fetching });
  return async (header, token) => {
    const now = performance.now();
    if (areKnown && now - begunAt >= keyTimes.stale) set.reload().catch(() => undefined);
    try {
      return await set(header, token);
    } catch (error) {
      throw error instanceof joseErrors.JWKSNoMatchingKey && begunAt < now ? unavailable() : error;
    }
  };
}
