import type { Delivery } from './delivery-queue.js';
import type { FeedEntry, JournalFeed } from './journal-feed.js';
import { gapIn } from './message-id.js';

/** The entry of a delivery that was read from the table; undefined for tests and gaps, and if the journal has it no more. */
export async function entryOf(
  { messageId, position }: Delivery,
  feed: Pick<JournalFeed, 'read'>,
): Promise<FeedEntry | undefined> {
  if (position === undefined || gapIn(messageId)) return undefined;
  const [entry] = await feed.read(position - 1, 1);
  return entry?.position === position ? entry : undefined;
}
