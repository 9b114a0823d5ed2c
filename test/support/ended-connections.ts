import type { ClientRequest } from 'node:http';

const ignore = () => {};

/**
 * Makes errors on the connection of `request` harmless once it has been answered: the gateway closes the connection of a
 * body that it has not read to its end, and what is still being written then fails when nobody listens any more.
 */
export function ignoreLateErrors(request: ClientRequest): void {
  request.on('socket', (socket) => {
    if (socket.listenerCount('error', ignore) === 0) socket.on('error', ignore);
  });
}
