import type { FeedEntry, JournalFeed } from './journal-feed.js';

/** The journal, where readers that ask for the same entries at the same time share one read. */
export function sharedReads({ read, bounds }: JournalFeed): Pick<JournalFeed, 'read' | 'bounds'> {
  const underWay = new Map<string, Promise<readonly FeedEntry[]>>();
  return {
    bounds,
    read(after, limit) {
      const name = `${after} ${limit}`;
      const known = underWay.get(name);
      if (known) return known;
      const reading = read(after, limit).finally(() => underWay.delete(name));
      underWay.set(name, reading);
      return reading;
    },
  };
}
