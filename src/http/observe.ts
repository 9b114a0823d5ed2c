import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { awaitsContinue } from './body.js';
import { requestIdOf } from './request-id.js';
import { setSecurityHeaders } from './security-headers.js';

/** What is known of a request from its first byte on. */
export interface Visit {
  requestId: string;
  /** Writes the request id into every line. */
  log: Logger;
  /** The key that was shown, once it has been found good. Never its secret. */
  keyId?: string;
}

/** The visit of a request that has passed `observe`. */
export function visitOf(request: IncomingMessage): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error('This request has not passed observe()');
  return visit;
}

/**
 * Gives every request its id and its answer the id and the security headers, and writes one log line when it is over:
 * method, path without query, status, milliseconds, request id, key id, and `aborted` where the client did not wait.
 * No header, no query and no body is ever logged: they may hold keys and other people's business.
 */
export function observe(log: Logger): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request.headers['x-request-id']);
    const visit: Visit = { requestId, log: log.child({ requestId }) };
    visits.set(request, visit);
    response.setHeader('X-Request-Id', requestId);
    setSecurityHeaders(response);
    // Refused before it was told to go on, a client may send its body or not: no telling where the next request begins.
    if (awaitsContinue(request)) response.setHeader('Connection', 'close');
    const { method } = request;
    const path = pathOf(request.url);

    response.once('close', () => {
      const { statusCode: status } = response;
      const ms = Math.round((performance.now() - startedAt) * 100) / 100;
      const line = { method, path, status, ms, requestId, keyId: visit.keyId };
      if (!response.writableFinished) log.warn({ ...line, aborted: true }, 'request');
      else if (status >= 500) log.error(line, 'request');
      else if (path === '/healthz' || path === '/readyz') log.debug(line, 'request');
      else log.info(line, 'request');
    });
  };
}

/** The path as it was sent, without the query. */
export function pathOf(url = '/'): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

const visits = new WeakMap<IncomingMessage, Visit>();
