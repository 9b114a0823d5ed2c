import { createServer as createNodeServer, type RequestListener, type Server } from 'node:http';

/** Milliseconds between looks for clients that take too long. */
const LOOK_EVERY = 500;
/** Milliseconds a client may take for headers and body together: with the wait for the next look, ten seconds. */
const REQUEST_TIME = 10_000 - LOOK_EVERY;

/** An HTTP server on which no slow client holds a connection for long. It does not listen yet. */
export function createServer(app: RequestListener, requestTime = REQUEST_TIME): Server {
  const server = createNodeServer(
    {
      headersTimeout: requestTime,
      requestTimeout: requestTime,
      connectionsCheckingInterval: LOOK_EVERY,
      // Longer than the minute that load balancers commonly keep theirs, so that they never send into a closing one.
      keepAliveTimeout: 65_000,
    },
    app,
  );
  // A client that asks before it sends its body is let go on by `readBody`, once its key and the length are known.
  server.on('checkContinue', app);
  return server;
}
