/** The frames of a batch of changes, in their order. */
import type { ChangedRecord } from './changed-record.js';
import type { EventBatch, StreamEvents } from './stream-events.js';

/** Changes whose records are read ahead while frames are small, and the most bytes of a small one. */
const mostAhead = 8;
const smallFrame = 16 * 1024;
/** Bytes of frames that wait for their turn, of all streams, from which none reads ahead. */
const mostWaiting = 4 * 1024 * 1024;
let waiting = 0;

interface Made {
  position: number;
  /** Undefined for a change that the stream is not about. */
  frame: Buffer | undefined;
}

/**
 * All changes were made before, so a record is read once for all its changes in the batch. Large frames are made one by
 * one and are not kept, because many streams may do this at the same time.
 */
export async function* framesOf(
  events: Pick<StreamEvents, 'change'>,
  changes: readonly ChangedRecord[],
): AsyncGenerator<Made> {
  const batch: EventBatch = { known: new Map(), isOver: false };
  const begun: Promise<Buffer | undefined>[] = [];
  let ahead = 0;
  let held = 0;
  const hold = (bytes = 0) => {
    held += bytes;
    waiting += bytes;
  };
  const make = async (change: ChangedRecord) => {
    const frame = await events.change(change, batch);
    if (!batch.isOver) hold(frame?.length);
    return frame;
  };
  try {
    for (const [place, { position }] of changes.entries()) {
      const next = place + 1 + (waiting < mostWaiting ? ahead : 0);
      for (const change of changes.slice(begun.length, next)) {
        const frame = make(change);
        frame.catch(() => undefined); // thrown below, unless the stream ends before
        begun.push(frame);
      }
      const frame = await begun[place];
      delete begun[place];
      hold(-(frame?.length ?? 0));
      const isSmall = frame === undefined || frame.length <= smallFrame;
      ahead = isSmall ? mostAhead : 0;
      if (!isSmall) batch.known.clear();
      yield { position, frame };
    }
  } finally {
    batch.isOver = true;
    hold(-held);
  }
}
