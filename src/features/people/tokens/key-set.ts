/** The public keys of an issuer, from a file or fetched from its address. */
import { createPublicKey } from 'node:crypto';
import { createLocalJWKSet, type JWK, type JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { readJson } from '../../../common/read-json.js';
import { isUnknownKey, tokenRefusals } from './token-refusals.js';

/** Finds the key that the header of a token names. @throws what `isUnknownKey` knows, and `issuer_unavailable` */
export type FindKey = JWTVerifyGetKey;

/** The keys in a JSON Web Key Set with which signatures can be checked, and what is wrong with the others. */
export function keysIn(value: unknown): { keys: JWK[]; problems: string[] } {
  const set = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }).safeParse(value);
  if (!set.success) return { keys: [], problems: ['it is no JSON Web Key Set: {"keys": [{"kty": …}]} is expected'] };
  const problems: string[] = [];
  const keys = set.data.keys.filter((key, index) => {
    const problem = keyProblem(key);
    if (problem) problems.push(`\`keys.${index + 1}\` ${problem}`);
    return !problem;
  });
  if (keys.length + problems.length === 0) problems.push('it holds no key');
  return { keys, problems };
}

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

export const fixedKeys = (keys: JWK[]): FindKey => createLocalJWKSet({ keys });

/** Reads what is at the address. @throws Error that says why it cannot be used */
export type FetchText = (url: string) => Promise<string>;

export const keyTimes = {
  /** Milliseconds from one fetch to the next that an unknown key may cause. */
  coolDown: 30_000,
  /** The same while there are no keys at all. */
  withoutKeys: 5_000,
  /** Milliseconds after which keys are fetched again, so that one which the issuer has withdrawn does not count for ever. */
  stale: 10 * 60_000,
};

/**
 * Keys that are fetched when a token first needs them, and again for a key that is not among them: once per cool-down for
 * all callers together, so that tokens with invented keys cost next to nothing (RFC 8725). While the issuer does not answer,
 * the keys that are known stay good.
 */
export class FetchedKeys {
  #find: FindKey | undefined;
  #fetching: Promise<void> | undefined;
  #begunAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;

  constructor(
    private readonly url: string,
    private readonly fetchText: FetchText,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  readonly find: FindKey = async (header, token) => {
    if (this.#find) {
      if (this.#left(keyTimes.stale) === 0) this.#begin();
      try {
        return await this.#find(header, token);
      } catch (error) {
        if (!isUnknownKey(error)) throw error;
      }
    }
    const pause = () => this.#left(this.#find ? keyTimes.coolDown : keyTimes.withoutKeys);
    if (pause() === 0) this.#begin();
    await this.#fetching;
    try {
      if (this.#find) return await this.#find(header, token);
    } catch (error) {
      if (!isUnknownKey(error) || !this.#hasFailed) throw error;
    }
    throw tokenRefusals.issuerUnavailable(Math.max(1, Math.ceil(pause() / 1000)));
  };

  /** Milliseconds until the last fetch began so long ago. */
  #left(pause: number): number {
    return Math.max(0, this.#begunAt + pause - performance.now());
  }

  #begin(): void {
    if (this.#fetching) return;
    this.#begunAt = performance.now();
    this.#fetching = this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
  }

  /** Never rejects. */
  async #fetch(): Promise<void> {
    try {
      const { keys } = keysIn(readJson(await this.fetchText(this.url)));
      if (keys.length === 0) throw new Error('it holds no key with which signatures can be checked');
      this.#find = fixedKeys(keys);
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      this.onFailure(error);
    }
  }
}
