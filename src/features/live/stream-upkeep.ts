/** Maintains idle streams: sends heartbeats, and checks whether they may go on. */

import type { Logger } from 'pino';
import type { Arrival } from '../../change/context.js';
import type { Journal } from '../../change/journal/journal.js';
import type { StreamNotice } from '../../gateway/http/answer/event-stream.js';
import type { Places } from '../../gateway/limits/stream-places.js';
import { errors } from '../../model/errors/errors.js';
import type { GatewayError } from '../../model/errors/gateway-error.js';
import type { Subscriber } from './follower.js';
import type { Work } from './read-record.js';
import type { RecentEntries } from './recent-entries.js';

/** Milliseconds between two heartbeats of a stream, and the parts in which streams take turns. */
const usualHeartbeat = 15_000;
const parts = 15;
/** Milliseconds between two checks of the keys and endpoints: a stream ends within twice this time after them. */
export const keysLookedAtEvery = 2_000;
/** Keys looked up by one statement. */
const keysAtOnce = 500;

export interface StreamUpkeep {
  start(): void;
  stop(): void;
}

export interface StreamUpkeepParts {
  log: Pick<Logger, 'warn'>;
  /** The SHA-256 of the secret of each valid key among these, by id. */
  validHashes(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Milliseconds between two heartbeats of a stream; by default 15 seconds. */
  heartbeatEvery?: number | undefined;
  close(member: Subscriber, refusal?: GatewayError): void;
}

export function upkeepOf(
  members: ReadonlySet<Subscriber>,
  { log, validHashes, close, heartbeatEvery = usualHeartbeat }: StreamUpkeepParts,
): StreamUpkeep {
  let timers: NodeJS.Timeout[] = [];
  let turn = 0;
  let isChecking = false;

  /** A part of the streams gets its heartbeat, so that thousands do not get it in one turn of the event loop. */
  const beat = () => {
    turn = (turn + 1) % parts;
    const frames = new Map<string, Buffer>();
    for (const member of [...members]) {
      const { follower, receiver, beat } = member;
      if (beat % parts !== turn) continue;
      const position = follower.positionOf(member);
      const { format } = follower.events;
      const name = `${format.name} ${position}`;
      const frame = frames.get(name) ?? format.heartbeat(position);
      frames.set(name, frame);
      if (!receiver.send(frame)) close(member);
    }
  };

  const checkKeys = async () => {
    const keys = [...new Set([...members].map(({ identity }) => identity.keyId))];
    for (let first = 0; first < keys.length; first += keysAtOnce) {
      const asked = new Set(keys.slice(first, first + keysAtOnce));
      const hashes = await validHashes([...asked]);
      for (const member of [...members]) {
        const { keyId, seal } = member.identity;
        const hash = hashes.get(keyId);
        // The key of the environment keeps its id when it gets another secret.
        if (asked.has(keyId) && !(hash && seal.isOf(hash))) close(member, errors.apiKeyInvalid());
      }
    }
  };
  /** While the database does not answer, streams stay: no change can reach them either. */
  const check = () => {
    for (const member of [...members]) {
      const refusal = member.refusal?.();
      if (refusal) close(member, refusal);
    }
    if (isChecking) return;
    isChecking = true;
    checkKeys()
      .catch((err: unknown) => log.warn({ err }, 'The keys of streams could not be looked up; it is tried again'))
      .finally(() => {
        isChecking = false;
      });
  };

  return {
    start() {
      if (timers.length > 0) return;
      timers = [setInterval(beat, heartbeatEvery / parts).unref(), setInterval(check, keysLookedAtEvery).unref()];
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
      timers = [];
    },
  };
}

/** What happens before a stream is answered. */
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
