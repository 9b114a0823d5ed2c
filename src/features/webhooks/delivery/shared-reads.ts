import type { JournalFeed } from './journal-feed.js';

export type SharedReads = Pick<JournalFeed, 'read' | 'readPage' | 'continuationOf'>;

/** The journal, where readers that ask for the same entries at the same time share one read. */
export function sharedReads(journal: JournalFeed): SharedReads {
  const { read, readPage, continuationOf } = journal;
  const underWay = new Map<string, ReturnType<JournalFeed['readPage']>>();
  return {
    read,
    continuationOf,
    readPage(after, limit) {
      const name = `${after} ${limit}`;
      const known = underWay.get(name);
      if (known) return known;
      const reading = readPage(after, limit).finally(() => underWay.delete(name));
      underWay.set(name, reading);
      return reading;
    },
  };
}
