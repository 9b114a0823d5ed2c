import type { IncomingMessage } from 'node:http';
import type { RequestState } from './request-state.js';

/**
 * Adds the CORS headers for allowed origins. Returns true for a preflight request, which is then answered 204 without
 * further work.
 */
export type Cors = (request: IncomingMessage, visit: RequestState) => boolean;

/**
 * `origins` lists the origins whose pages may call the gateway; `*` allows all, an empty list none. Credentials are
 * never allowed (Fetch standard, 3.2): a page sends its key itself, the browser never adds it.
 */
export function createCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return () => false;
  const everyone = origins.includes('*');

  return (request, { headers }) => {
    if (!everyone) headers.push('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(everyone || origins.includes(origin))) return false;
    headers.push('Access-Control-Allow-Origin', everyone ? '*' : origin);
    headers.push('Access-Control-Expose-Headers', exposed);
    const asks = request.headers['access-control-request-method'] !== undefined;
    if (request.method !== 'OPTIONS' || !asks) return false;
    headers.push('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE');
    headers.push('Access-Control-Allow-Headers', taken);
    headers.push('Access-Control-Max-Age', '86400');
    return true;
  };
}

/** Response headers that a page may read beyond those that CORS always exposes. */
const exposed = [
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Read-After',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-GraphQL-Operation',
  'X-Ignored-Parameters',
  'X-Request-Id',
].join(', ');

/** Request headers that a page may send: those that the gateway reads, and those of traces (W3C Trace Context, Baggage). */
const taken = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Read-After',
  'X-GraphQL-Cost',
  'X-Request-Id',
  'baggage',
  'traceparent',
  'tracestate',
].join(', ');
