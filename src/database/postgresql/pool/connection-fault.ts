import { isReported } from '../../commit-outcome.js';

/**
 * Codes of statements that can only fail again on their connection: their prepared form no longer fits the tables, or is gone.
 */
const outdated = new Set<unknown>(['0A000', '26000']);

/** The error with which the pool closes the connection of a statement; undefined if the connection can go on. */
export function connectionFault(error: unknown): Error | undefined {
  const fault = error instanceof Error ? error : new Error(String(error));
  const isFatal = 'severity' in fault && fault.severity === 'FATAL';
  const isOutdated = 'code' in fault && outdated.has(fault.code);
  // Otherwise the connection is lost, or the answer to the statement may still come.
  return isReported(error) && !isFatal && !isOutdated ? undefined : fault;
}
