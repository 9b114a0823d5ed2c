/** Serves the metrics on a port of their own, so that clients of the gateway need not see them. */
import type { RequestListener, Server } from 'node:http';
import { createServer } from '../../gateway/http/server.js';
import { pathOf } from '../../gateway/http/visit.js';
import type { Metrics } from './metrics.js';

/** Connections at the same time; further ones are closed. One Prometheus needs one. */
const mostConnections = 20;

/**
 * Milliseconds for which metrics are served again without being read anew, because reading them holds the event loop of
 * the gateway.
 */
const keptFor = 1_000;

/** The server closes slow connections, and answers the requests of each one after another, as that of the gateway does. */
export function metricsServer(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  onError: (error: unknown) => void,
): Server {
  const read = kept(async () => Buffer.from(await metrics.text()));
  const answer: RequestListener = (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || pathOf(request.url) !== '/metrics') {
      const [status, headers] = isRead ? [404, {}] : [405, { Allow: 'GET, HEAD' }];
      return void response.writeHead(status, headers).end('The metrics are at GET /metrics.\n');
    }
    read().then(
      (text) =>
        response.writeHead(200, { 'Content-Type': metrics.contentType, 'Content-Length': text.length }).end(text),
      (error: unknown) => {
        onError(error);
        response.writeHead(500).end();
      },
    );
  };
  const server = createServer(answer);
  server.maxConnections = mostConnections;
  return server;
}

/** Shares what was read, also while it is being read. */
function kept<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let last: { result: Promise<Result>; until: number } | undefined;
  return () => {
    if (!last || performance.now() >= last.until) last = { result: read(), until: performance.now() + keptFor };
    return last.result;
  };
}
