import { isReported } from '../../commit-outcome.js';

/**
 * Whether a statement with this code can only fail again on its connection: its prepared form no longer fits the tables, or is gone.
 */
export const isOutdated = (code: unknown): boolean => code === '0A000' || code === '26000';

/** The error with which the pool closes the connection of a statement; undefined if the connection can go on. */
export function connectionFault(error: unknown): Error | undefined {
  const fault = error instanceof Error ? error : new Error(String(error));
  const isFatal = 'severity' in fault && fault.severity === 'FATAL';
  const isUseless = 'code' in fault && isOutdated(fault.code);
  // Otherwise the connection is lost, or the answer to the statement may still come.
  return isReported(error) && !isFatal && !isUseless ? undefined : fault;
}
