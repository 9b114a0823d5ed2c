import { longestLag } from './primary-positions.js';
import { beyondAll, type WalPosition } from './wal-position.js';
import type { WrittenPositions } from './written-positions.js';

/**
 * Milliseconds for which a position is kept, including the second between two look-ups at the primary and time for the
 * look-up itself.
 */
export const positionKeptFor = longestLag + 5_000;
/**
 * The most keys that are kept. With one more, the positions of single keys are forgotten, and the newest one applies to
 * every key.
 */
const mostKeys = 10_000;

/** The positions of a gateway that is one process. */
export class KeyPositions implements WrittenPositions {
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
    const raised = { position: isHigher ? position : known, until: now + positionKeptFor };
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
