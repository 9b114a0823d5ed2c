import type { GatewayError } from '../errors/gateway-error.js';
import type { FailureLog } from '../log.js';

/** Milliseconds for which the cause of what lasts until somebody mends it is not logged again. */
const toldFor = 60_000;
const told = new Map<string, number>();

/**
 * Logs the cause of an error of the catalogue, if it has one. It is no failure that a request is stopped because its client
 * has disconnected.
 */
export function logFailure(log: FailureLog, known: GatewayError, details: object = {}): void {
  const { code, cause, message } = known;
  if (cause === undefined || (log.isAbandoned && code === 'TIMEOUT')) return;
  if (isTold(known)) log.warn(details, message);
  else log.error({ err: cause, ...details }, message);
}

/** Otherwise each request would log the same cause with its stack, hundreds a second. */
function isTold({ message, details: { retryAfter } }: GatewayError): boolean {
  if (retryAfter === undefined) return false;
  const now = performance.now();
  if (now - (told.get(message) ?? -toldFor) < toldFor) return true;
  told.set(message, now);
  return false;
}
