import { createServer as createNodeServer, type RequestListener, type Server, type ServerResponse } from 'node:http';

/** Milliseconds a slow client may hold a connection: for its headers and body together, or without taking any answer. */
export const slowestClient = 10_000;

/** Milliseconds between looks for clients that take too long. */
const lookEvery = 500;

/**
 * Milliseconds a connection is kept for the next request: longer than the minute that load balancers commonly keep
 * theirs, so that they never send into a closing one.
 */
export const keepAlive = 65_000;

/** An HTTP server on which no slow client holds a connection for long. It does not listen yet. */
export function createServer(app: RequestListener, longest = slowestClient): Server {
  const requestTime = longest - Math.min(lookEvery, longest / 2);
  const server = createNodeServer(
    {
      headersTimeout: requestTime,
      requestTimeout: requestTime,
      connectionsCheckingInterval: longest - requestTime,
      keepAliveTimeout: keepAlive,
      // Else Node drops what comes second, and a proxy in front may have gone by that.
      joinDuplicateHeaders: true,
    },
    (request, response) => {
      response.on('prefinish', () => limitStall(response, longest));
      // One that is sent in pieces is not there as a whole until its client has taken most of it.
      response.on('pieces', () => response.socket?.setTimeout(longest / 2));
      app(request, response);
    },
  );
  // A client that asks before it sends its body is let go on by `readBody`, once its key and the length are known.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  return server;
}

/**
 * Ends the connection of a client that takes nothing of its answer for so long; what it takes begins the time anew. Node
 * looks whether anything was taken when the time is over, so the second half may be the one in which nothing was.
 */
function limitStall({ socket }: ServerResponse, longest: number): void {
  if (socket && socket.writableLength > 0) socket.setTimeout(longest / 2);
}
