/** What happens before a stream is answered. */
import type { Arrival } from '../../change/arrival.js';
import type { Journal } from '../../change/journal/journal.js';
import type { Places } from './places.js';
import type { Work } from './read-record.js';
import type { RecentEntries } from './recent-entries.js';
import type { StreamNotice } from './schema/record-event.js';

interface StreamOpeningParts {
  places: Places;
  entries: RecentEntries;
  work: Work;
  /** Called when the last stream has left. */
  endAll(): void;
}

interface Opened extends Beginning {
  /** Gives its place back. */
  leave(): void;
}

/**
 * Takes a place, and finds where the stream begins, in the time that a request has. @throws TIMEOUT; BAD_USER_INPUT for a
 * position that was never given; RATE_LIMITED and UNAVAILABLE for one stream too many
 */
export type OpenStream = (arrival: Arrival, journal: Journal, after: number | undefined) => Promise<Opened>;

export function createStreamOpening({ places, entries, work, endAll }: StreamOpeningParts): OpenStream {
  const open = async (keyId: string, journal: Journal, after: number | undefined): Promise<Opened> => {
    const giveBack = await places.take(keyId);
    const leave = () => {
      giveBack();
      if (places.taken === 0) endAll();
    };
    try {
      await entries.open(journal);
      return { ...(await beginning(journal, entries.end, after)), leave };
    } catch (error) {
      leave();
      throw error;
    }
  };

  return async (arrival, journal, after) => {
    const opening = open(arrival.keyId, journal, after);
    try {
      return await work(arrival, () => opening);
    } catch (error) {
      // What is opened too late is given back.
      opening.then(
        ({ leave }) => leave(),
        () => undefined,
      );
      throw error;
    }
  };
}

/** Where a stream begins. */
interface Beginning {
  position: number;
  notice: StreamNotice;
}

/** A stream begins behind `after`, or behind the last entry. `known` is how far this process has read the journal. */
async function beginning(journal: Journal, known: number, after: number | undefined): Promise<Beginning> {
  const { last, isHeld } = await journal.continuationOf(after ?? 0);
  const end = Math.max(last, known);
  if (after === undefined) return { position: end, notice: 'OPENED' };
  return isHeld ? { position: after, notice: 'OPENED' } : { position: end, notice: 'TOO_OLD' };
}
