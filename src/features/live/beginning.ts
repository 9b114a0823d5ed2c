/** Where a stream begins. */
import type { Journal } from '../../change/journal/journal.js';
import type { StreamNotice } from './schema/record-event.js';

export interface Beginning {
  position: number;
  notice: StreamNotice;
}

/** A stream begins behind `after`, or behind the last entry. `known` is how far this process has read the journal. */
export async function beginning(journal: Journal, known: number, after: number | undefined): Promise<Beginning> {
  const { last, isHeld } = await journal.continuationOf(after ?? 0);
  const end = Math.max(last, known);
  if (after === undefined) return { position: end, notice: 'OPENED' };
  return isHeld ? { position: after, notice: 'OPENED' } : { position: end, notice: 'TOO_OLD' };
}
