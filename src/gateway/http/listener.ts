import type { RequestListener } from 'node:http';
import type { Calls, Surface } from '../call.js';
import { send } from './answer/send.js';
import { requestRefusal } from './server.js';
import { Visit, type VisitedGateway } from './visit.js';

/** What answers requests, chosen by path before Express sees the request. */
export interface Handlers {
  calls: Calls;
  cors: Cors;
  rest: Surface<unknown>;
  graphql: Surface<unknown>;
  /** Express: the pages, the health checks and unknown paths. */
  others: RequestListener;
}

/**
 * Routes REST and GraphQL requests around Express, whose routing costs more than reading a record by its id. Express
 * handles everything else, among it GET `/graphql`, which may be a browser that opens GraphiQL.
 */
export function createListener(gateway: VisitedGateway, handlers: Handlers): RequestListener {
  return (request, response) => {
    request.url = originForm(request.url);
    const visit = new Visit(request, response, gateway);
    if (visit.meter) visit.meter.run(() => route(visit, handlers));
    else route(visit, handlers);
  };
}

function route(visit: Visit, { calls, cors, rest, graphql, others }: Handlers): void {
  const { request } = visit;
  const refusal = requestRefusal(request);
  if (refusal) return (visit.path === '/graphql' ? graphql : rest).refuse(visit, refusal);
  if (cors(visit)) return send(visit, { status: 204, headers: {}, body: undefined });
  const { method, url = '' } = request;
  if (url.startsWith('/api/')) return calls.call(rest, visit);
  if (method === 'POST' && url === '/graphql') return calls.call(graphql, visit);
  visit.toExpress(others);
}

/** The path and query of a request target, which may include the origin (RFC 9112, 3.2.2). */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * Adds the CORS headers for allowed origins. Returns true for a preflight request, which is then answered 204 without
 * further work.
 */
type Cors = (visit: Visit) => boolean;

/**
 * `origins` lists the origins whose pages may call the gateway; `*` allows all, an empty list none. Credentials are
 * never allowed (Fetch standard, 3.2): a page sends its key itself, the browser never adds it.
 */
export function createCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return () => false;
  const everyone = origins.includes('*');

  return ({ request, headers }) => {
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
