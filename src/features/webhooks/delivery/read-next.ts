import type { FeedEntry, JournalFeed } from './journal-feed.js';
import { queueLimits } from './worker-parts.js';

/**
 * The entries after a position. If the journal does not have every change behind it, `missingUntil` is the position up to
 * which the receiver has to read anew.
 */
export async function readNext(
  feed: Pick<JournalFeed, 'readPage' | 'continuationOf'>,
  after: number,
): Promise<{ entries: readonly FeedEntry[]; missingUntil: number | undefined }> {
  const { entries, isHeld } = await feed.readPage(after, queueLimits.read);
  const missingUntil = isHeld ? undefined : await missingBehind(feed, after);
  return { entries: entries.filter(({ position }) => position > (missingUntil ?? after)), missingUntil };
}

/**
 * Up to which position changes behind another are missing; undefined where none are. A journal that does not have the
 * position at all was restored from a backup, and it is unknown which changes were sent since then.
 */
export async function missingBehind(
  feed: Pick<JournalFeed, 'continuationOf'>,
  after: number,
): Promise<number | undefined> {
  const { isHeld, oldest, last } = await feed.continuationOf(after);
  if (isHeld) return undefined;
  return oldest > after ? oldest : last;
}
