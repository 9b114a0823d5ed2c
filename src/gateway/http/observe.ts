import { randomFillSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { RequestMeter } from '../../change/observation.js';
import { RequestState } from './request-state.js';

/**
 * Gives every request its id, and writes one log line when it ends: method, path without query, status, milliseconds,
 * request id, key id, the client's address behind trusted proxies, the operation's name and kind, how it was executed,
 * its error codes, and `aborted` where the client disconnected early. No other headers, no queries, bodies or
 * values are logged: they may hold keys and private data.
 */
export function observe(
  log: Logger,
  isDraining: () => boolean,
  clientOf: (request: IncomingMessage) => string | undefined,
  measure?: (request: IncomingMessage) => RequestMeter,
): (request: IncomingMessage, response: ServerResponse) => RequestState {
  return (request, response) => {
    const startedAt = performance.now();
    const path = pathOf(request.url);
    const visit = new RequestState(
      requestIdOf(request.headers['x-request-id']),
      path,
      log,
      isDraining,
      measure?.(request),
    );
    // If it is refused before `100 Continue`, a client may or may not send its body. It is then unknown where the next
    // request begins, so the connection closes.
    // Behind a request to be upgraded Node reads no other.
    if (request.headers.expect !== undefined || request.headers.upgrade !== undefined)
      response.setHeader('Connection', 'close');
    const { method } = request;
    // At once, because a connection that has ended has no address.
    const client = clientOf(request);

    response.on('close', () => {
      const isAborted = !response.writableFinished;
      if (isAborted) visit.abandon();
      const { statusCode: status } = response;
      const { requestId, keyId, observation, meter } = visit;
      const level = levelOf(response, path);
      if (!meter && !log.isLevelEnabled(level)) return;
      const milliseconds = performance.now() - startedAt;
      meter?.end({ method, path, status, milliseconds, requestId, keyId, isAborted, observation });
      const ms = Math.round(milliseconds * 100) / 100;
      const aborted = isAborted || undefined;
      log[level]({ method, path, status, ms, requestId, keyId, client, ...observation, aborted }, 'request');
    });
    return visit;
  };
}

function levelOf({ writableFinished, statusCode }: ServerResponse, path: string): 'warn' | 'error' | 'debug' | 'info' {
  if (!writableFinished) return 'warn';
  if (statusCode >= 500) return 'error';
  return path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
}

/** The path without the query, not decoded. */
export function pathOf(url = '/'): string {
  const [query, fragment] = [url.indexOf('?'), url.indexOf('#')];
  const end = query < 0 || (fragment >= 0 && fragment < query) ? fragment : query;
  return end < 0 ? url : url.slice(0, end);
}

/**
 * The id in every log line and error of a request: the client's `X-Request-Id` where it has only safe characters, else
 * a new id.
 */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(header) ? header : newRequestId();
}

const idBytes = 16;
const pool = Buffer.alloc(idBytes * 64);
/** The ids drawn and not yet used, in hexadecimal. */
let drawn = '';
let used = 0;

/**
 * 128 random bits in hexadecimal. 64 ids are drawn at once, because each call to the system is slow. More would waste
 * memory: as long as one id is kept, the text of all ids drawn with it stays in memory.
 */
function newRequestId(): string {
  if (used === drawn.length) {
    drawn = randomFillSync(pool).toString('hex');
    used = 0;
  }
  used += 2 * idBytes;
  return drawn.slice(used - 2 * idBytes, used);
}
