import type { FeedEntry, JournalFeed } from './journal-feed.js';
import { queueLimits } from './worker-parts.js';

/**
 * The entries after a position. Positions have no holes, so where some are missing they may have been deleted meanwhile:
 * `missingUntil` is then the last position that the journal no longer holds.
 */
export async function readNext(
  feed: Pick<JournalFeed, 'read' | 'bounds'>,
  after: number,
): Promise<{ entries: readonly FeedEntry[]; missingUntil: number | undefined }> {
  const entries = await feed.read(after, queueLimits.read);
  const [first] = entries;
  if (!first || first.position === after + 1) return { entries, missingUntil: undefined };
  // Asked after the read: a sweep in between is then seen too.
  const { oldest } = await feed.bounds();
  return {
    entries: entries.filter(({ position }) => position > oldest),
    missingUntil: oldest > after ? oldest : undefined,
  };
}
