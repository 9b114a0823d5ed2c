import type { IncomingMessage } from 'node:http';
import type { Visit } from './visit.js';

/** Lets pages of other origins in, where they are named. True where that was the whole request, a preflight: 204. */
export type Cors = (request: IncomingMessage, visit: Visit) => boolean;

/**
 * `origins` are those whose pages may use the gateway, `*` for all; none by default. Keys are sent by the page itself and
 * never by the browser on its own, so no origin is trusted with credentials (Fetch standard, 3.2).
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

/** What a page may read of an answer beyond its body and type. */
const exposed = [
  'Allow',
  'ETag',
  'Idempotent-Replayed',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** What a page may send. */
const taken = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-GraphQL-Cost',
  'X-Request-Id',
].join(', ');
