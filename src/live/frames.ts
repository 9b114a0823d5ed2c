/** The frames of a batch of changes, in their order. */
import type { ChangedRecord } from './changed-record.js';
import type { KnownRecords, StreamEvents } from './stream-events.js';

/** Changes whose records are read ahead while frames are small, and the most bytes of a small one. */
const mostAhead = 8;
const smallFrame = 16 * 1024;

interface Made {
  position: number;
  /** Undefined for a change that the stream is not about. */
  frame: Buffer | undefined;
}

/**
 * All changes were made before, so a record is read once for all its changes in the batch. Large frames are made one by
 * one and nothing of them is kept, because many streams may be at it.
 */
export async function* framesOf(
  events: Pick<StreamEvents, 'change'>,
  changes: readonly ChangedRecord[],
): AsyncGenerator<Made> {
  const known: KnownRecords = new Map();
  const begun: Promise<Buffer | undefined>[] = [];
  let ahead = 0;
  for (const [place, { position }] of changes.entries()) {
    for (const change of changes.slice(begun.length, place + ahead + 1)) {
      const frame = events.change(change, known);
      frame.catch(() => undefined); // thrown below, unless the stream ends before
      begun.push(frame);
    }
    const frame = await begun[place];
    delete begun[place];
    const isSmall = frame === undefined || frame.length <= smallFrame;
    ahead = isSmall ? mostAhead : 0;
    if (!isSmall) known.clear();
    yield { position, frame };
  }
}
