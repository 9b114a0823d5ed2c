import type { IncomingMessage } from 'node:http';

/** What `GET /` answers to clients that are no browser: where things are. */
export function waysIn(request: IncomingMessage, publicUrl = '') {
  const base = publicUrl || baseOf(request);
  return {
    name: 'Business Records Gateway',
    rest: `${base}/api`,
    graphql: `${base}/graphql`,
    graphiql: `${base}/graphql`,
    authentication: 'Authorization: Bearer <API_KEY>',
  };
}

/** The gateway's URL by the `Host` header; empty if the header has other characters than an address. */
function baseOf(request: IncomingMessage): string {
  const host = request.headers.host ?? '';
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) ? `http://${host}` : '';
}
