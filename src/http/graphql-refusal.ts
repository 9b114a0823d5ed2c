import type { IncomingMessage, ServerResponse } from 'node:http';
import { knownError } from '../schema/show-error.js';
import { ClientGone } from './body.js';
import { statusOf } from './error-status.js';
import { send } from './send.js';
import type { Visit } from './visit.js';

/**
 * Answers a request to `/graphql` that was refused before GraphQL saw it, in GraphQL's form: `{"errors": [{message,
 * extensions: {code, reason, requestId}}]}`. Anything that is not of the catalogue is masked, and logged under that id.
 */
export function refuseGraphql(request: IncomingMessage, response: ServerResponse, visit: Visit, error: unknown): void {
  if (error instanceof ClientGone || response.headersSent) return void response.destroy();
  const known = knownError(error);
  if (known.cause !== undefined) visit.log.error({ err: known.cause }, known.message);
  const { code, message, details } = known;
  const headers: Record<string, string> = { 'Content-Type': `${mediaType(request)}; charset=utf-8` };
  if (code === 'UNAUTHENTICATED') headers['WWW-Authenticate'] = 'Bearer';
  if (code === 'UNAVAILABLE') headers['Retry-After'] = '1';
  if (code === 'RATE_LIMITED') headers['Retry-After'] = String(details.retryAfter);
  const body = JSON.stringify({ errors: [{ message, extensions: { code, ...details, requestId: visit.requestId } }] });
  send(response, { status: statusOf(known), headers, body }, visit);
}

function mediaType(request: IncomingMessage): string {
  const asked = request.headers.accept?.includes('application/graphql-response+json');
  return asked ? 'application/graphql-response+json' : 'application/json';
}
