/** The log position of the primary, now and ten seconds ago. A standby that is behind the latter is not used. */
import type { Read } from '../direct-access.js';
import { type WalPosition, walPosition } from './wal-position.js';

/**
 * Milliseconds: the longest lag of a standby's answer, the pause between two look-ups, and the age from which a look-up
 * is too old.
 */
export const longestLag = 10_000;
const lookUpEvery = 1_000;
const tooOld = 5_000;

/** The name of a file of the log begins with its timeline. */
const primaryPosition = `SELECT substr(pg_walfile_name("place"), 1, 8) || '-' || "place"::text
  FROM pg_current_wal_insert_lsn() AS "place"`;

interface SeenPosition {
  at: number;
  position: WalPosition;
}

export class PrimaryPositions {
  readonly #read: Read;
  #seen: SeenPosition[] = [];
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<WalPosition> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(read: Read) {
    this.#read = read;
    const lookUp = () => void this.#lookUp().catch(() => undefined); // standbys are not asked then
    lookUp();
    this.#timer = setInterval(lookUp, lookUpEvery).unref();
  }

  /**
   * The present position of the primary. Callers during one look-up share the next one, which begins after their call.
   */
  now(): Promise<WalPosition> {
    this.#next ??= this.#current
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        const asked = this.#ask();
        this.#current = asked;
        return asked;
      });
    return this.#next;
  }

  /** The position that every read has to see; undefined if the primary's position has been unknown for too long. */
  get floor(): WalPosition | undefined {
    const now = performance.now();
    const last = this.#seen.at(-1);
    if (!last || now - last.at > tooOld) return undefined;
    const old = this.#seen.findLast(({ at }) => at <= now - longestLag) ?? this.#seen[0];
    return old?.position;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #ask(): Promise<WalPosition> {
    const [row] = await this.#read(primaryPosition, [], 'bounded');
    const position = walPosition(row?.[0]);
    if (position === undefined) throw new Error('The primary has not said where it is');
    return position;
  }

  async #lookUp(): Promise<void> {
    const at = performance.now();
    const position = await this.now();
    // Of those that are older than the longest lag, the newest is kept.
    const kept = this.#seen.findLastIndex((seen) => seen.at <= at - longestLag);
    this.#seen = [...this.#seen.slice(Math.max(0, kept)), { at, position }];
  }
}
