import { counted } from '../../common/output.js';
import { refusal } from './error-rows.js';

/** The API key is missing or unknown, lacks a scope, or has used up what it may take. */
export const accessErrors = {
  /** `instead` says how the key was sent instead, if it was. */
  apiKeyMissing: (instead?: string) =>
    refusal(
      'api_key_missing',
      `No API key. Send it in the header \`Authorization: Bearer <API_KEY>\`${instead ? `; ${instead}` : ''}.`,
    ),

  /** `isWrapped` says that it seems to be the name of a variable, or to stand in quotes or brackets. */
  apiKeyInvalid: (isWrapped = false) =>
    refusal(
      'api_key_invalid',
      isWrapped
        ? 'This is no API key: behind `Bearer` belongs the key itself, without quotes and brackets, and no name of a variable.'
        : 'This API key is unknown, expired or revoked. Ask whoever runs the gateway for another.',
    ),

  /** The key is valid but lacks the scopes in `missing`. */
  forbidden: (missing: readonly string[]) =>
    refusal('forbidden', `This API key lacks ${named(missing)}, which this needs.`, { missingScopes: missing }),

  /** The key has used all its requests of this minute; the next minute begins in `retryAfter` seconds. */
  rateLimited: (limit: number, retryAfter: number) =>
    refusal(
      'rate_limited',
      `This API key has made its ${limit} requests of this minute. Try again in ${retryAfter} s.`,
      { limit, retryAfter },
    ),

  /** The key has `limit` streams already. */
  tooManyStreams: (limit: number) =>
    refusal(
      'too_many_streams',
      `This API key has ${counted(limit, 'stream')} open already. Close one, or watch several records by one stream.`,
      { limit, retryAfter: 15 },
    ),
};

const named = (scopes: readonly string[]): string =>
  `the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;
