import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/open.js';

/** Told of a key that has just been found good, and of the last use that was written of it. */
export type NoteUse = (keyId: string, lastUsedAt: Date | null) => void;

/** Milliseconds between writes of the same key: a use is known to the minute. */
const writtenEvery = 60_000;
/** Milliseconds a write waits, so that the request that was the use is answered first. */
const writtenAfter = 1_000;

/**
 * Writes down when a key was last used: at most once a minute, however many processes it is used at, and never while a
 * request waits for it. What cannot be written is forgotten; the next minute brings another chance.
 */
export function keepLastUse(
  { client }: Pick<Database, 'client'>,
  log: Pick<Logger, 'debug'>,
  after = writtenAfter,
): NoteUse {
  /** When this process last wrote of a key, or tried to. */
  const tried = new Map<string, number>();

  const write = async (id: string, at: Date) => {
    await sleep(after, undefined, { ref: false });
    const long = new Date(at.getTime() - writtenEvery);
    const where = { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: long } }] };
    await client.apiKey.updateMany({ where, data: { lastUsedAt: at } });
  };

  return (keyId, lastUsedAt) => {
    const now = Date.now();
    if (now - Math.max(lastUsedAt?.getTime() ?? 0, tried.get(keyId) ?? 0) < writtenEvery) return;
    tried.set(keyId, now);
    write(keyId, new Date(now)).catch((err: unknown) => log.debug({ err, keyId }, 'The use of a key was not noted'));
  };
}
