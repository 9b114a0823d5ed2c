import type { IncomingMessage, ServerResponse } from 'node:http';
import { knownError } from '../schema/show-error.js';
import { ClientGone } from './body.js';
import { statusOf } from './error-status.js';
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
  if (code === 'RATE_LIMITED') response.setHeader('Retry-After', String(details.retryAfter));
  response.statusCode = statusOf(known);
  response.setHeader('Content-Type', `${mediaType(request)}; charset=utf-8`);
  response.end(JSON.stringify({ errors: [{ message, extensions: { code, ...details } }] }));
}

function mediaType(request: IncomingMessage): string {
  const asked = request.headers.accept?.includes('application/graphql-response+json');
  return asked ? 'application/graphql-response+json' : 'application/json';
}
