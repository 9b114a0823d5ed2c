import type { IncomingMessage, ServerResponse } from 'node:http';
import { knownError } from '../schema/show-error.js';
import { ClientGone } from './body.js';
import { visitOf } from './observe.js';

/**
 * Answers a request to `/graphql` that was refused before GraphQL saw it, in GraphQL's form: `{"errors": [{message,
 * extensions: {code, reason}}]}`. Anything that is not of the catalogue is masked, and logged under the request id.
 */
export function refuseGraphql(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (error instanceof ClientGone || response.headersSent) return void response.destroy();
  const known = knownError(error);
  if (known.cause !== undefined) visitOf(request).log.error({ err: known.cause }, known.message);
  const { code, message, details } = known;
  if (code === 'UNAUTHENTICATED') response.setHeader('WWW-Authenticate', 'Bearer');
  if (code === 'UNAVAILABLE') response.setHeader('Retry-After', '1');
  response.statusCode = statuses[details.reason] ?? 500;
  response.setHeader('Content-Type', `${mediaType(request)}; charset=utf-8`);
  response.end(JSON.stringify({ errors: [{ message, extensions: { code, ...details } }] }));
}

const statuses: Record<string, number> = {
  query_too_complex: 400,
  api_key_missing: 401,
  api_key_invalid: 401,
  json_invalid: 400,
  body_too_large: 413,
  content_type_unsupported: 415,
  method_not_allowed: 405,
  busy: 503,
  database_unavailable: 503,
  storage_full: 503,
  timeout: 504,
};

function mediaType(request: IncomingMessage): string {
  const asked = request.headers.accept?.includes('application/graphql-response+json');
  return asked ? 'application/graphql-response+json' : 'application/json';
}
