/** Says who sends a request with a token: it is verified when it is first seen, and looked up from then on. */
import { hash } from 'node:crypto';
import type { Identity } from '../../../change/context.js';
import { type Current, sharedWhileDone, WeighedCache } from '../../../common/kept.js';
import { Seal } from '../../../common/seal.js';
import type { IdentifyToken } from '../../../gateway/access/authenticator.js';
import type { CurrentGrants } from '../../../gateway/access/grants.js';
import type { Issuers } from './issuers.js';
import { tokenRefusals } from './token-refusals.js';
import { verifyToken } from './verify-token.js';

/** Characters of a token, which are looked at before anything of it is parsed. */
const longestToken = 8 * 1024;
/** Milliseconds after which a token is verified again, because its issuer may have withdrawn the key that signed it. */
const verifiedFor = 10 * 60_000;
/** Known tokens, each of which takes some kilobytes: an identity, and the values of the rules. */
const mostKnown = 4_000;
/** A webhook delivers with the scopes of its maker when nobody has the claims of a person. */
const forKeysOnly = 'webhooks';
const noRole = 'Your token holds no role that counts here.';

interface KnownToken {
  /** With what the roles give at the moment. */
  identity: Current<Identity>;
  /** From then on it is verified again. */
  until: number;
  expiresAt: Date;
}

/**
 * Tokens are known by their SHA-256, until the issuers are replaced. `answerKey` seals stored answers: by person, so that a
 * renewed token opens them.
 */
export function createIdentifyToken(
  issuers: Current<Issuers>,
  grants: CurrentGrants,
  answerKey: string,
): IdentifyToken {
  const verified = async (token: string, taken: Issuers): Promise<KnownToken> => {
    const { claims, ...person } = await verifyToken(token, taken);
    const { keyId, roles, expiresAt } = person;
    const seal = new Seal(answerKey, keyId);
    const identity = grants.derive((current) => {
      const { scopes, rights, whyNone } = current.granted(roles, { subject: keyId, claims });
      const allowed = scopes.filter((scope) => scope !== forKeysOnly);
      const why = roles.length > 0 ? whyNone : noRole;
      return Object.freeze({ ...person, scopes: allowed, rights, whyNone: why, seal });
    });
    return { identity, until: Date.now() + verifiedFor, expiresAt };
  };
  const known = issuers.derive((taken) => {
    const tokens = new WeighedCache<KnownToken>(mostKnown, () => 1);
    const verifyOnce = sharedWhileDone(async (key: string, token: string) => {
      const made = await verified(token, taken);
      tokens.set(key, made);
      return made.identity;
    });
    return { tokens, verifyOnce };
  });
  return (token) => {
    if (token.length > longestToken)
      throw tokenRefusals.invalid(
        `This token is longer than ${longestToken} characters. Ask the issuer for fewer claims.`,
      );
    const key = hash('sha256', token);
    return () => {
      const { tokens, verifyOnce } = known.value;
      const found = tokens.get(key);
      const now = Date.now();
      // In the same turn, as streams expect it.
      if (found && found.expiresAt.getTime() <= now) throw tokenRefusals.expired();
      if (found && found.until > now) return found.identity.value;
      return verifyOnce(key, token).then((identity) => identity.value);
    };
  };
}
