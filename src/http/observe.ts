import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { awaitsContinue } from './body.js';
import { requestIdOf } from './request-id.js';
import { Visit } from './visit.js';

/**
 * Gives every request its id and writes one log line when it is over: method, path without query, status, milliseconds,
 * request id, key id, the operation's name and kind, the way it was answered, the codes of its errors, and `aborted` where
 * the client did not wait. No header, no query, no body and no value is ever logged: they may hold keys and other people's
 * business.
 */
export function observe(
  log: Logger,
  isDraining: () => boolean,
): (request: IncomingMessage, response: ServerResponse) => Visit {
  return (request, response) => {
    const startedAt = performance.now();
    const visit = new Visit(requestIdOf(request.headers['x-request-id']), log, isDraining);
    // Refused before it was told to go on, a client may send its body or not: no telling where the next request begins.
    if (awaitsContinue(request)) response.setHeader('Connection', 'close');
    const { method } = request;
    const path = pathOf(request.url);

    response.on('close', () => {
      if (!response.writableFinished) visit.abandon();
      const { statusCode: status } = response;
      const level = levelOf(response, path);
      if (!log.isLevelEnabled(level)) return;
      const ms = Math.round((performance.now() - startedAt) * 100) / 100;
      const aborted = response.writableFinished ? undefined : true;
      const { requestId, keyId, observation } = visit;
      log[level]({ method, path, status, ms, requestId, keyId, ...observation, aborted }, 'request');
    });
    return visit;
  };
}

function levelOf({ writableFinished, statusCode }: ServerResponse, path: string): 'warn' | 'error' | 'debug' | 'info' {
  if (!writableFinished) return 'warn';
  if (statusCode >= 500) return 'error';
  return path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
}

/** The path as it was sent, without the query. */
export function pathOf(url = '/'): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}
