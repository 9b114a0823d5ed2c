/**
 * The log positions that the reads of each key have to see. One is kept for as long as a standby may be behind; after
 * that, every read has to see it anyway.
 */
import { longestLag } from './primary-positions.js';
import { beyondAll, type WalPosition } from './wal-position.js';

/** Milliseconds: with the second between two looks at the primary, and one for the look itself. */
const kept = longestLag + 5_000;
/**
 * The most keys that are kept. With one more, the positions of single keys are forgotten, and the newest one applies to
 * every key.
 */
const mostKeys = 10_000;

export class KeyPositions {
  readonly #keys = new Map<string, { position: WalPosition; until: number }>();
  #ofAll: { position: WalPosition; until: number } = { position: 0n, until: 0 };

  raise(keyId: string, position: WalPosition): void {
    const now = performance.now();
    const known = this.of(keyId);
    // Added again below, at the end, because the map is in the order in which positions are forgotten.
    this.#keys.delete(keyId);
    for (const [each, { until }] of this.#keys) {
      if (until > now) break;
      this.#keys.delete(each);
    }
    // `beyondAll` says that the primary did not answer in time. It has answered now.
    const isHigher = position > known || known === beyondAll;
    const raised = { position: isHigher ? position : known, until: now + kept };
    if (this.#keys.size >= mostKeys) {
      this.#keys.clear();
      this.#ofAll = raised;
    }
    this.#keys.set(keyId, raised);
  }

  of(keyId: string): WalPosition {
    const now = performance.now();
    const own = this.#keys.get(keyId);
    const ofAll = this.#ofAll.until > now ? this.#ofAll.position : 0n;
    return own && own.until > now && own.position > ofAll ? own.position : ofAll;
  }
}
