import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** What takes a request before Express, by where its path leads. */
export interface Surfaces {
  /** Sees every request first. True where it has answered it. */
  begin(request: IncomingMessage, response: ServerResponse): boolean;
  rest: RequestListener;
  graphql: RequestListener;
  /** Express: the pages, health, and what is nowhere. */
  others: RequestListener;
}

/**
 * Leads the two surfaces past Express, whose routing costs more than a record read by its id; everything else is its. A
 * browser that opens `/graphql` is shown a page, so only its POSTs go past.
 */
export function createListener({ begin, rest, graphql, others }: Surfaces): RequestListener {
  return (request, response) => {
    if (begin(request, response)) return;
    const { method, url = '' } = request;
    if (url.startsWith('/api/')) return rest(request, response);
    if (method === 'POST' && url === '/graphql') return graphql(request, response);
    return others(request, response);
  };
}
