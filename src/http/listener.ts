import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Cors } from './cors.js';
import { send } from './send.js';
import { keepVisit, type Visit } from './visit.js';

/** One of the two surfaces: answers the request, whatever comes. */
export type Surface = (request: IncomingMessage, response: ServerResponse, visit: Visit) => void;

/** What takes a request before Express, by where its path leads. */
export interface Surfaces {
  /** Sees every request first. */
  begin(request: IncomingMessage, response: ServerResponse): Visit;
  /** Refuses a request that names more than one host (RFC 9112, 3.2). */
  malformed: Surface;
  cors: Cors;
  rest: Surface;
  graphql: Surface;
  /** Express: the pages, health, and what is nowhere. */
  others: RequestListener;
}

/**
 * Leads the two surfaces past Express, whose routing costs more than a record read by its id; everything else is its. A
 * browser that opens `/graphql` is shown a page, so only its POSTs go past.
 */
export function createListener({ begin, malformed, cors, rest, graphql, others }: Surfaces): RequestListener {
  return (request, response) => {
    request.url = originForm(request.url);
    const visit = begin(request, response);
    // What the server was sent twice it has joined; no name of a host holds a comma.
    if (request.headers.host?.includes(',')) return malformed(request, response, visit);
    if (cors(request, visit)) return send(response, { status: 204, headers: {}, body: undefined }, visit);
    const { method, url = '' } = request;
    if (url.startsWith('/api/')) return rest(request, response, visit);
    if (method === 'POST' && url === '/graphql') return graphql(request, response, visit);
    visit.prepare(response);
    keepVisit(request, visit);
    return others(request, response);
  };
}

/** The path and query of a request target, which may come with the origin in front (RFC 9112, 3.2.2). */
function originForm(target = '/'): string {
  if (target.startsWith('/')) return target;
  const path = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (path === undefined) return target;
  return path.startsWith('/') ? path : `/${path}`;
}
