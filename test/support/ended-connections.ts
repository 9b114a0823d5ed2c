import type { ClientRequest } from 'node:http';

const ignore = () => {};

/**
 * Ignores errors on the connection of `request` once it has been answered: the gateway closes the connection of a body
 * that it has not read to its end, and then the rest of the body cannot be written.
 */
export function ignoreLateErrors(request: ClientRequest): void {
  request.on('socket', (socket) => {
    if (socket.listenerCount('error', ignore) === 0) socket.on('error', ignore);
  });
}
