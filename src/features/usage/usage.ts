import type { Logger } from 'pino';
import { withoutListeners } from '../../common/work.js';
import type { Database } from '../../database/open-database.js';
import { addUses } from './add-uses.js';
import type { UsedSurface } from './use.js';
import { UseTally } from './use-tally.js';
import type { ClientHeaders } from './user-agent.js';

/** Milliseconds from the first use that is not stored yet until all are stored: less than a minute in any case. */
const writtenAfter = 30_000;

/** Uses written in one transaction: on SQLite all writers wait for it. */
const batch = 1_000;

export interface UsageParts {
  database: Pick<Database, 'provider' | 'perform'>;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Milliseconds; see `writtenAfter`. */
  after?: number | undefined;
}

/**
 * Counts who calls what, in memory, and adds it to the database now and then, never while a request waits for it. What
 * could not be written is written the next time. If the connection is lost in a commit, it is unknown whether it
 * happened; it is then written again, because a call too many is less harm than one too few.
 */
export class Usage {
  readonly #tally = new UseTally();
  readonly #parts: UsageParts;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<boolean> = Promise.resolve(true);

  constructor(parts: UsageParts) {
    this.#parts = parts;
  }

  /** Notes that a key has called an endpoint, or used a deprecated part of the schema. */
  count(keyId: string, surface: UsedSurface, name: string, headers: ClientHeaders): void {
    this.#tally.count(keyId, surface, name, headers);
    this.#timer ??= this.#writeLater();
  }

  /** Writes what was counted so far; resolves with whether all of it is stored. */
  write(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Writes the rest, when no more requests are answered. */
  async close(): Promise<void> {
    if (!(await this.write())) this.#parts.log.error('Calls that were counted since could not be stored');
    clearTimeout(this.#timer);
  }

  #writeLater(): NodeJS.Timeout {
    return setTimeout(() => void this.write(), this.#parts.after ?? writtenAfter).unref();
  }

  async #writeAll(): Promise<boolean> {
    const { database, log } = this.#parts;
    const uses = this.#tally.take();
    for (let start = 0; start < uses.length; start += batch) {
      try {
        await database.perform(() => withoutListeners(addUses(database.provider, uses.slice(start, start + batch))));
      } catch (err) {
        log.warn({ err }, 'Calls that were counted could not be stored; they are kept until the next time');
        this.#tally.giveBack(uses.slice(start));
        this.#timer ??= this.#writeLater();
        return false;
      }
    }
    return true;
  }
}
