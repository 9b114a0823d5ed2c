import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StatementBuilder } from '../../change/statements/statement-builder.js';
import type { Database } from '../../database/open-database.js';

/** Called with a valid key and its last stored use. */
export type NoteUse = (keyId: string, lastUsedAt: Date | null) => void;

/** Milliseconds between two writes for the same key. */
const writtenEvery = 60_000;
/** Milliseconds before a write, so that the request that used the key is answered first. */
const writtenAfter = 1_000;

/**
 * Stores when a key was last used: at most once a minute for all processes together, and never while a request waits
 * for it. A failed write is dropped; the next minute brings another.
 */
export function keepLastUse(
  { perform, provider }: Pick<Database, 'perform' | 'provider'>,
  log: Pick<Logger, 'debug'>,
  after = writtenAfter,
): NoteUse {
  /** When this process last tried to write for each key. */
  const tried = new Map<string, number>();

  const write = async (id: string, at: Date) => {
    await sleep(after, undefined, { ref: false });
    const long = new Date(at.getTime() - writtenEvery);
    await perform(function* () {
      const update = new StatementBuilder(provider);
      const sql = `UPDATE "ApiKey" SET "lastUsedAt" = ${update.bind(at)}
        WHERE "id" = ${update.bind(id)} AND ("lastUsedAt" IS NULL OR "lastUsedAt" < ${update.bind(long)})`;
      yield { ...update.statement(sql), isWhole: true, callsNoListeners: true };
    });
  };

  return (keyId, lastUsedAt) => {
    const now = Date.now();
    if (now - Math.max(lastUsedAt?.getTime() ?? 0, tried.get(keyId) ?? 0) < writtenEvery) return;
    tried.set(keyId, now);
    write(keyId, new Date(now)).catch((err: unknown) =>
      log.debug({ err, keyId }, 'The last use of a key could not be stored'),
    );
  };
}
