/**
 * The turns in which streams make events and hand them to their connections. Both copy all bytes while nothing else happens,
 * so that events of megabytes for hundreds of clients would hold requests up for seconds.
 */
import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** Bytes that all streams copy before requests get a turn, and the least that each event counts. */
const most = 1024 * 1024;
const least = 4 * 1024;

export class ByteTurns {
  #copied = 0;
  #next: Promise<void> | undefined;

  /** Undefined if so many bytes may be copied now; otherwise resolves when they may be. */
  take(bytes: number): Promise<void> | undefined {
    if (this.#copied >= most) return this.#takeLater(bytes);
    this.#copied += Math.max(bytes, least);
    return undefined;
  }

  async #takeLater(bytes: number): Promise<void> {
    while (this.#copied >= most) await this.#turn();
    this.#copied += Math.max(bytes, least);
  }

  #turn(): Promise<void> {
    this.#next ??= turnOfLoop().then(() => {
      this.#next = undefined;
      this.#copied = 0;
    });
    return this.#next;
  }
}

/** Those of all streams together. */
export const byteTurns = new ByteTurns();
