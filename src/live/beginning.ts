/** Where a stream begins. */
import { errors } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import type { StreamNotice } from '../schema/types/record-event.js';

/**
 * Behind `after`, or behind everything there is. `known` is how far this process has read the journal. @throws
 * BAD_USER_INPUT for a position that was never given
 */
export async function beginning(
  journal: Journal,
  known: number,
  after: number | undefined,
): Promise<{ position: number; notice: StreamNotice }> {
  const { oldest, last } = await journal.bounds();
  const end = Math.max(last, known);
  if (after === undefined) return { position: end, notice: 'OPENED' };
  if (!Number.isSafeInteger(after) || after < 0 || after > end) {
    const message = `must be a position that a stream has told, a whole number up to ${end}`;
    throw errors.badInput([{ path: ['after'], code: 'parameter_invalid', message }]);
  }
  return oldest > after ? { position: end, notice: 'TOO_OLD' } : { position: after, notice: 'OPENED' };
}
