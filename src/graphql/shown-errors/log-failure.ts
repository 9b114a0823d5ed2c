import { type FailureLog, loggedError } from '../../common/log.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';

/** Milliseconds for which a cause that concerns all requests, and not this one, is not logged again. */
const toldFor = 60_000;
const told = new Map<string, number>();

/**
 * Logs the cause of an error of the catalogue, if it has one. It is no failure that a request is stopped because its client
 * has disconnected.
 */
export function logFailure(log: FailureLog, known: GatewayError, details: object = {}): void {
  const { code, cause, message } = known;
  if (cause === undefined || (log.isAbandoned && code === 'TIMEOUT')) return;
  if (code === 'UNAVAILABLE' && isTold(`${message} ${loggedError(cause).message}`)) log.warn(details, message);
  else log.error({ err: cause, ...details }, message);
}

/** Causes that are remembered; there are as many as databases and ways to lose them. */
const mostTold = 100;

/** Otherwise each request would log the same cause with its stack, hundreds a second. */
function isTold(what: string): boolean {
  const now = performance.now();
  for (const [known, at] of told) if (now - at >= toldFor) told.delete(known);
  if (told.has(what)) return true;
  if (told.size < mostTold) told.set(what, now);
  return false;
}
