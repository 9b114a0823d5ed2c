/** Where a stream begins. */
import { errors } from '../errors/errors.js';
import type { Journal } from '../journal/journal.js';
import type { StreamNotice } from '../schema/types/history/record-event.js';

export interface Beginning {
  position: number;
  notice: StreamNotice;
}

/**
 * A stream begins behind `after`, or behind the last entry. `known` is how far this process has read the journal.
 * @throws BAD_USER_INPUT for what cannot be a position
 */
export async function beginning(journal: Journal, known: number, after: number | undefined): Promise<Beginning> {
  if (after !== undefined && (!Number.isSafeInteger(after) || after < 0)) {
    const message = 'must be a position that a stream has sent, a whole number from 0';
    throw errors.badInput([{ path: ['after'], code: 'parameter_invalid', message }]);
  }
  const { last, isHeld } = await journal.continuationOf(after ?? 0);
  const end = Math.max(last, known);
  if (after === undefined) return { position: end, notice: 'OPENED' };
  return isHeld ? { position: after, notice: 'OPENED' } : { position: end, notice: 'TOO_OLD' };
}
