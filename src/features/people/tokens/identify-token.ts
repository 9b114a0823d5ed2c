/** Says who sends a request with a token: it is verified when it is first seen, and looked up from then on. */
import { hash } from 'node:crypto';
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type { Identity } from '../../../change/context.js';
import { type Current, sharedWhileDone, WeighedCache } from '../../../common/kept.js';
import { Seal } from '../../../common/seal.js';
import type { IdentifyToken } from '../../../gateway/access/authenticator.js';
import { type CurrentGrants, claimIn } from '../../../gateway/access/grants.js';
import { longestGivenName } from '../../../model/limits.js';
import type { Issuer, Issuers } from './issuers.js';
import { tokenRefusalOf, tokenRefusals } from './token-refusals.js';

/** Characters of a token, which are looked at before anything of it is parsed. */
const longestToken = 8 * 1024;
/** Milliseconds after which a token is verified again, because its issuer may have withdrawn the key that signed it. */
const verifiedFor = 10 * 60_000;
/** Thousands of characters of known tokens: what is kept of one, the values of rules among it, grows with its claims. */
const mostKnown = 4_000;
/** A webhook delivers with the scopes of its maker when nobody has the claims of a person. */
const forKeysOnly = 'webhooks';

interface KnownToken {
  /** With what the roles give at the moment. */
  identity: Current<Identity>;
  /** From then on it is verified again. */
  until: number;
  expiresAt: Date;
  weight: number;
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
      const why = roles.length > 0 ? whyNone : 'Your token holds no role that counts here.';
      return Object.freeze({ ...person, scopes: allowed, rights, whyNone: why, seal });
    });
    return { identity, until: Date.now() + verifiedFor, expiresAt, weight: Math.ceil(token.length / 1_000) };
  };
  const known = issuers.derive((taken) => {
    const tokens = new WeighedCache<KnownToken>(mostKnown, (_, { weight }) => weight);
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

/** Seconds by which the clock of an issuer may be ahead of ours. */
const clockTolerance = 30;
/** Those with a pair of keys: with a common secret whoever verifies could sign, and a public key could be taken for one. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Verifies a token. A token of an unknown issuer causes no fetch. The tolerance is for clocks at the beginning of a token;
 * its end is when it says, for everything that asks. @throws `token_invalid`, `token_expired`, `issuer_unavailable`
 */
async function verifyToken(token: string, issuers: Issuers) {
  try {
    const issuer = issuers.get(String(decodeJwt(token).iss));
    if (!issuer)
      throw tokenRefusals.invalid('The issuer of this token (`iss`) is not one whose tokens are taken here.');
    const { payload } = await jwtVerify(token, issuer.keys, {
      algorithms,
      clockTolerance,
      issuer: issuer.issuer,
      audience: issuer.audience,
      requiredClaims: ['exp', 'sub'],
    });
    return verified(issuer, payload);
  } catch (error) {
    throw tokenRefusalOf(error);
  }
}

/** What a verified token says of whom it is about; the roles are ours, for those of the issuer. */
function verified({ issuer, claims: names, roles }: Issuer, claims: JWTPayload) {
  const { sub, exp = 0 } = claims;
  if (typeof sub !== 'string' || !subjects.test(sub))
    throw tokenRefusals.invalid(
      'This token names whom it is about (`sub`) by other than 1 to 255 characters, or with control characters.',
    );
  const expiresAt = new Date(exp * 1000);
  if (!(expiresAt.getTime() < Date.UTC(10_000)))
    throw tokenRefusals.invalid('This token expires (`exp`) at no time before the year 10000.');
  if (expiresAt.getTime() <= Date.now()) throw tokenRefusals.expired();
  const theirs = [claimIn(claims, names.roles)].flat();
  const ours = theirs.flatMap((role) => (typeof role === 'string' ? (roles.get(role) ?? []) : []));
  const name = nameIn(claimIn(claims, names.name)) ?? nameIn(sub) ?? sub;
  return { keyId: `${issuer}|${sub}`, name, roles: [...new Set(ours)], claims, expiresAt };
}

/** Without control characters and halves of characters, which no database could store as they are. */
const subjects = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** A name as logs and histories can show it; undefined if there is none. */
function nameIn(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const text = claim.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return [...text].slice(0, longestGivenName).join('') || undefined;
}
