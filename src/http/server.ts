import { createServer as createNodeServer, type RequestListener, type Server } from 'node:http';

/** Milliseconds a client may take for its headers, and for headers and body together. */
const REQUEST_TIME = 10_000;

/** An HTTP server on which no slow client holds a connection for long. It does not listen yet. */
export function createServer(app: RequestListener): Server {
  const server = createNodeServer(
    {
      headersTimeout: REQUEST_TIME,
      requestTimeout: REQUEST_TIME,
      connectionsCheckingInterval: 500,
      // Longer than the minute that load balancers commonly keep theirs, so that they never send into a closing one.
      keepAliveTimeout: 65_000,
    },
    app,
  );
  // A client that asks before it sends its body is let go on by `readBody`, once its key and the length are known.
  server.on('checkContinue', app);
  return server;
}
