/** Why a token is refused, in words of those who send it, which repeat nothing of it. */
import { errors as joseErrors } from 'jose';
import { type ErrorRow, errorTable, GatewayError } from '../../../model/errors/gateway-error.js';

const refused: ErrorRow = {
  code: 'UNAUTHENTICATED',
  status: 401,
  type: 'authentication_error',
  // As clients of OAuth expect it (RFC 6750): they fetch another token.
  headers: () => ({ 'WWW-Authenticate': 'Bearer error="invalid_token"' }),
};

export const tokenRows = errorTable({
  token_invalid: refused,
  token_expired: { ...refused, message: 'This token has expired. Sign in again, or renew it, and send the new one.' },
  issuer_unavailable: {
    code: 'UNAVAILABLE',
    status: 503,
    type: 'api_error',
    headers: ({ retryAfter }) => ({ 'Retry-After': String(retryAfter ?? 1) }),
    details: { retryAfter: 'number' },
    message:
      'The keys of the issuer of this token cannot be fetched right now, so it cannot be checked. Try again in a moment.',
  },
});

export const tokenRefusals = {
  expired: () => new GatewayError('token_expired', tokenRows.token_expired),
  /** `why` is a sentence about the token. */
  invalid: (why: string) => new GatewayError('token_invalid', tokenRows.token_invalid, why),
  /** `retryAfter` is in seconds. */
  issuerUnavailable: (retryAfter: number) =>
    new GatewayError('issuer_unavailable', tokenRows.issuer_unavailable, undefined, { retryAfter }),
};

/** By the claims that are wrong, or the codes of `jose`, whose own errors hold the claims. */
const reasons: Readonly<Record<string, string>> = {
  aud: 'This token is for another audience than this gateway (`aud`). Ask the issuer for one that is for it.',
  exp: 'This token does not say when it expires (`exp`).',
  nbf: 'This token is not valid yet (`nbf`).',
  sub: 'This token does not say whom it is about (`sub`).',
  ERR_JOSE_ALG_NOT_ALLOWED:
    'This token is not signed by a pair of keys: algorithms like RS256, PS256, ES256 and EdDSA are taken.',
  ERR_JWKS_NO_MATCHING_KEY: 'This token names a key (`kid`) that its issuer does not have.',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'This token names no key (`kid`), and its issuer has several.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'This token was not signed by its issuer, or has been changed.',
  ERR_JWT_CLAIM_VALIDATION_FAILED: 'A claim of this token has a value that it may not have.',
};

const unreadable = 'This is no token that can be read: a JWT of three parts is expected, with JSON in the first two.';

/** The refusal for an error of a verification; one that is no fault of the token stays as it is. */
export function tokenRefusalOf(error: unknown): unknown {
  if (!(error instanceof joseErrors.JOSEError)) return error;
  if (error instanceof joseErrors.JWTExpired) return tokenRefusals.expired();
  const claim = error instanceof joseErrors.JWTClaimValidationFailed ? error.claim : '';
  return tokenRefusals.invalid(reasons[claim] ?? reasons[error.code] ?? unreadable);
}
