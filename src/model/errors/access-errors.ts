import { counted } from '../../common/output.js';
import { GatewayError } from './gateway-error.js';

/** The API key is missing or unknown, lacks a scope, or has used up what it may take. */
export const accessErrors = {
  /** `instead` says how the key was sent instead, if it was. */
  apiKeyMissing: (instead?: string) =>
    new GatewayError(
      'UNAUTHENTICATED',
      `No API key. Send it in the header \`Authorization: Bearer <API_KEY>\`${instead ? `; ${instead}` : ''}.`,
      { reason: 'api_key_missing' },
    ),

  /** `isWrapped` says that it seems to be the name of a variable, or to stand in quotes or brackets. */
  apiKeyInvalid: (isWrapped = false) =>
    new GatewayError(
      'UNAUTHENTICATED',
      isWrapped
        ? 'This is no API key: behind `Bearer` belongs the key itself, without quotes and brackets, and no name of a variable.'
        : 'This API key is unknown, expired or revoked. Ask whoever runs the gateway for another.',
      { reason: 'api_key_invalid' },
    ),

  /** The key is valid but lacks the scopes in `missing`. */
  forbidden: (missing: readonly string[]) =>
    new GatewayError('FORBIDDEN', `This API key lacks ${named(missing)}, which this needs.`, {
      reason: 'forbidden',
      missingScopes: missing,
    }),

  /** The key has used all its requests of this minute; the next minute begins in `retryAfter` seconds. */
  rateLimited: (limit: number, retryAfter: number) =>
    new GatewayError(
      'RATE_LIMITED',
      `This API key has made its ${limit} requests of this minute. Try again in ${retryAfter} s.`,
      { reason: 'rate_limited', limit, retryAfter },
    ),

  /** The key has `limit` streams already. */
  tooManyStreams: (limit: number) =>
    new GatewayError(
      'RATE_LIMITED',
      `This API key has ${counted(limit, 'stream')} open already. Close one, or watch several records by one stream.`,
      { reason: 'too_many_streams', limit, retryAfter: 15 },
    ),
};

const named = (scopes: readonly string[]): string =>
  `the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;
