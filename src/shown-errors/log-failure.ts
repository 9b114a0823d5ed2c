import type { GatewayError } from '../errors/gateway-error.js';
import type { FailureLog } from '../log.js';

/**
 * Logs the cause of an error of the catalogue, if it has one. It is no failure that a request is stopped because its client
 * has disconnected.
 */
export function logFailure(log: FailureLog, { code, cause, message }: GatewayError, details: object = {}): void {
  if (cause === undefined || (log.isAbandoned && code === 'TIMEOUT')) return;
  log.error({ err: cause, ...details }, message);
}
