/** Serves the metrics on a port of their own, so that whoever may use the gateway need not see them. */
import { createServer, type Server } from 'node:http';
import type { Metrics } from './metrics.js';

export function metricsServer(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  onError: (error: unknown) => void,
): Server {
  return createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.url !== '/metrics') {
      const [status, headers] = isRead ? [404, {}] : [405, { Allow: 'GET, HEAD' }];
      return void response.writeHead(status, headers).end('The metrics are at GET /metrics.\n');
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      (error: unknown) => {
        onError(error);
        response.writeHead(500).end();
      },
    );
  });
}
