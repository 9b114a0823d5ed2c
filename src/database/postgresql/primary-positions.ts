import type { Read } from '../direct-access.js';

// The log position of the primary, now and ten seconds ago. A standby that is behind the latter is not used.

/**
 * Milliseconds: the longest lag of a standby's answer, the pause between two look-ups, and the age from which a look-up
 * is too old.
 */
const longestLag = 10_000;
const lookUpEvery = 1_000;
const tooOld = 5_000;

/** The name of a file of the log begins with its timeline. */
const primaryPosition = `SELECT substr(pg_walfile_name("place"), 1, 8) || '-' || "place"::text
  FROM pg_current_wal_insert_lsn() AS "place"`;

export class PrimaryPositions {
  #seen: { at: number; position: WalPosition }[] = [];
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<WalPosition> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly read: Read) {
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
    const [row] = await this.read(primaryPosition, [], 'bounded');
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

/**
 * Milliseconds for which a position is kept, including the second between two look-ups at the primary and time for the
 * look-up itself.
 */
export const positionKeptFor = longestLag + 5_000;

/**
 * Positions in the write-ahead log of PostgreSQL: the timeline, a number that each promotion of a standby increases,
 * and the place in the log, as in `2-16/B374D848`. A standby shows what it has replayed. One that followed the old
 * primary beyond the promotion is on the old timeline, and so below every position of the new one.
 */
export type WalPosition = bigint;

/** Beyond all that any standby replays. */
export const beyondAll: WalPosition = 0xffff_ffff_ffff_ffff_ffff_ffffn;

/** Undefined where the text is no position. */
export function walPosition(text: unknown): WalPosition | undefined {
  const parts = /^([0-9A-F]{1,8})-([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(String(text));
  return parts?.slice(1).reduce((position, part) => (position << 32n) + BigInt(`0x${part}`), 0n);
}

export const walText = (position: WalPosition): string => {
  const [timeline, high, low] = [position >> 64n, (position >> 32n) & part, position & part];
  return `${timeline.toString(16)}-${high.toString(16)}/${low.toString(16)}`.toUpperCase();
};

const part = 0xffff_ffffn;
