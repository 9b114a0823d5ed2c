import type { ChangeAction } from '../../../model/change.js';
import type { Resource } from '../../../model/resource.js';

/** What webhooks need of one entry of the journal. */
export interface FeedEntry {
  position: number;
  at: Date;
  action: ChangeAction;
  resource: Pick<Resource, 'model'>;
  id: string;
  /** The record itself, or the parent of a line; without a resource if that is not stored here. */
  document: { resource: Pick<Resource, 'model'> | undefined; id: string };
  version: number;
}

/** The journal as far as webhooks need it. */
export interface JournalFeed {
  /**
   * The entries after a position, ascending, at most `limit`. Afterwards nothing at or below the last one ever appears.
   */
  read(after: number, limit: number): Promise<readonly FeedEntry[]>;
  /** The same, and whether no change behind the position is missing; true if there are no entries. */
  readPage(after: number, limit: number): Promise<{ entries: readonly FeedEntry[]; isHeld: boolean }>;
  /** Whether the journal has every change behind a position; `last` is the highest position given out. */
  continuationOf(position: number): Promise<{ isHeld: boolean; oldest: number; last: number }>;
  /** Calls `listener` soon after commits, maybe too often. Returns the way to stop. */
  onCommit(listener: () => void): () => void;
}
