/** What verifications have found: a token is verified when it is first seen, and looked up from then on. */
import { sharedWhileDone, WeighedCache } from '../../../common/kept.js';
import type { MaybePromise } from '../../../common/maybe-promise.js';
import { GatewayError } from '../../../model/errors/gateway-error.js';
import { tokenRefusals } from './token-refusals.js';
import type { VerifiedToken } from './verify-token.js';

export const knownTimes = {
  /** Milliseconds after which a token is verified again, because its issuer may have withdrawn the key that signed it. */
  accepted: 10 * 60_000,
  /** Milliseconds for which a refusal stays, so that a client that insists costs little. */
  refused: 5_000,
};
/** Bytes that accepted tokens may take, and the number of refused ones. */
const mostKnown = { accepted: 32 * 1024 * 1024, refused: 1_000 };
/** What a person takes besides the claims: an identity, and the values of the rules. */
const ofPerson = 8 * 1024;

interface Accepted {
  found: VerifiedToken;
  weight: number;
  until: number;
}

/**
 * Tokens by their SHA-256. Refused ones are kept apart, so that many of them do not push out accepted ones. An accepted one
 * never counts after it has expired, and is then refused synchronously.
 */
export class KnownTokens {
  readonly #accepted = new WeighedCache<Accepted>(mostKnown.accepted, (_, { weight }) => weight);
  readonly #refused = new WeighedCache<{ error: GatewayError; until: number }>(mostKnown.refused, () => 1);
  readonly #verifyOnce = sharedWhileDone((hash: string, token: string) => this.#verify(hash, token));

  constructor(private readonly verify: (token: string) => Promise<VerifiedToken>) {}

  /** @throws what `verify` throws */
  find(hash: string, token: string): MaybePromise<VerifiedToken> {
    const now = Date.now();
    const known = this.#accepted.get(hash);
    if (known) {
      if (known.found.expiresAt.getTime() <= now) throw tokenRefusals.expired();
      if (known.until > now) return known.found;
    }
    const refused = this.#refused.get(hash);
    if (refused && refused.until > now) throw refused.error;
    return this.#verifyOnce(hash, token);
  }

  async #verify(hash: string, token: string): Promise<VerifiedToken> {
    try {
      const found = await this.verify(token);
      this.#accepted.set(hash, { found, weight: token.length + ofPerson, until: Date.now() + knownTimes.accepted });
      return found;
    } catch (error) {
      // Where the keys could not be fetched, nothing is known of the token.
      if (error instanceof GatewayError && error.code === 'UNAUTHENTICATED') {
        this.#accepted.delete(hash);
        this.#refused.set(hash, { error, until: Date.now() + knownTimes.refused });
      }
      throw error;
    }
  }
}
