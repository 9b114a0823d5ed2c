import type { ChangeAction } from '../model/change.js';
import type { Resource } from '../model/resource.js';

/** What a webhook is told of one entry of the journal. */
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
  /** Reading after `oldest` misses nothing; `last` is the highest position given out. */
  bounds(): Promise<{ oldest: number; last: number }>;
  /** Calls `listener` soon after commits, maybe too often. Returns the way to stop. */
  onCommit(listener: () => void): () => void;
}
