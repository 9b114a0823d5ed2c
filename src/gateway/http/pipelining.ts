/**
 * Requests that a client sends on one connection without waiting for answers are worked on one after another: their answers
 * would otherwise wait in memory behind the first one that the client has not read.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests of one connection that wait, from which nothing more is read of it; those already received still come. */
const mostWaiting = 8;

interface Waiting {
  response: ServerResponse;
  begin(): void;
}

const waiting = new WeakMap<Socket, Waiting[]>();

/** Begins the work on a request: at once, or when all answers before it on its connection have been sent. */
export function inTurn({ socket }: IncomingMessage, response: ServerResponse, begin: () => void): void {
  // Node gives the socket to one response at a time.
  if (response.socket) return begin();
  const line = waiting.get(socket) ?? [];
  waiting.set(socket, line);
  if (line.push({ response, begin }) >= mostWaiting) socket.pause();
}

/** Whether requests wait behind this one. */
export const hasMore = ({ socket }: IncomingMessage): boolean => waiting.has(socket);

/**
 * Called when an answer has been sent, or its client is gone. The loop gets a turn before the next request begins. Returns
 * whether there is one.
 */
export function afterAnswer(request: IncomingMessage): boolean {
  const isWaiting = hasMore(request);
  if (isWaiting) setImmediate(next, request.socket);
  return isWaiting;
}

function next(socket: Socket): void {
  const line = waiting.get(socket) ?? [];
  const [first] = line;
  // A response without a socket cannot be sent, because the connection is being closed.
  if (!first?.response.socket || socket.destroyed) return void waiting.delete(socket);
  line.shift();
  if (line.length === 0) waiting.delete(socket);
  if (line.length < mostWaiting) socket.resume();
  first.begin();
}
