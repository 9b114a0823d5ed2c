/** Verifies a token: who signed it, for whom, until when. */
import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { type Claims, claimIn } from '../../../gateway/access/grants.js';
import { longestGivenName } from '../../../model/limits.js';
import type { Issuer, Issuers } from './issuers.js';
import { tokenRefusalOf, tokenRefusals } from './token-refusals.js';

/** What a token says that was verified. */
export interface VerifiedToken {
  /** `<issuer>|<subject>` */
  keyId: string;
  name: string;
  /** Ours, for those of the issuer. */
  roles: readonly string[];
  claims: Claims;
  expiresAt: Date;
}

/** Seconds by which the clock of an issuer may be ahead of ours. */
const clockTolerance = 30;
/** Those with a pair of keys: with a common secret whoever verifies could sign, and a public key could be taken for one. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Verifies a token. A token of an unknown issuer causes no fetch. The tolerance is for clocks at the beginning of a token;
 * its end is when it says, for everything that asks. @throws `token_invalid`, `token_expired`, `issuer_unavailable`
 */
export async function verifyToken(token: string, issuers: Issuers): Promise<VerifiedToken> {
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

function verified({ issuer, claims: names, roles }: Issuer, claims: JWTPayload): VerifiedToken {
  const { sub, exp = 0 } = claims;
  if (typeof sub !== 'string' || !subjects.test(sub))
    throw tokenRefusals.invalid(
      'This token names whom it is about (`sub`) by other than 1 to 255 characters, or with control characters.',
    );
  const expiresAt = new Date(exp * 1000);
  if (!(expiresAt.getTime() < latestEnd))
    throw tokenRefusals.invalid('This token expires (`exp`) at no time before the year 10000.');
  if (expiresAt.getTime() <= Date.now()) throw tokenRefusals.expired();
  const theirs = [claimIn(claims, names.roles)].flat();
  const ours = theirs.flatMap((role) => (typeof role === 'string' ? (roles.get(role) ?? []) : []));
  const name = nameIn(claimIn(claims, names.name)) ?? nameIn(sub) ?? sub;
  return { keyId: `${issuer}|${sub}`, name, roles: [...new Set(ours)], claims, expiresAt };
}

const latestEnd = Date.UTC(10_000);

/** Without control characters and halves of characters, which no database could store as they are. */
const subjects = /^[^\p{Cc}\p{Cs}]{1,255}$/u;

/** A name as logs and histories can show it; undefined if there is none. */
function nameIn(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const text = claim.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return [...text].slice(0, longestGivenName).join('') || undefined;
}
