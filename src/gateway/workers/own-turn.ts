import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteTurns } from '../../database/peers.js';

/** Milliseconds after which a worker tries to write without its turn: the worker that has the turn may be busy. */
const patience = 50;

interface TurnChannel {
  /** Asks the primary process for the turn. */
  want(): void;
  /** Gives it back. */
  passOn(): void;
}

/**
 * The turn of this worker to write to SQLite. Once the worker serves, it keeps the turn until another one wants it;
 * while it starts, it may be too busy to notice that.
 */
export class OwnTurn implements WriteTurns {
  readonly #channel: TurnChannel;
  #isOwn = false;
  #isWriting = false;
  #isAsked = false;
  #isKept = false;
  /** Whether another worker wants it. */
  #isWanted = false;
  #begun: (() => void) | undefined;

  constructor(channel: TurnChannel) {
    this.#channel = channel;
  }

  take(): Promise<void> | undefined {
    this.#isWriting = true;
    if (this.#isOwn) return undefined;
    if (!this.#isAsked) this.#channel.want();
    this.#isAsked = true;
    return this.#wait();
  }

  end(): void {
    this.#isWriting = false;
    if (this.#isOwn && (this.#isWanted || !this.#isKept)) this.#passOn();
  }

  /** To be called when this worker serves. */
  keep(): void {
    this.#isKept = true;
  }

  /** To be called when the turn is given. */
  begin(isWanted: boolean): void {
    this.#isOwn = true;
    this.#isAsked = false;
    this.#isWanted = isWanted;
    this.#begun?.();
    // The turn came after the wait for it was over.
    if (!this.#isWriting && (isWanted || !this.#isKept)) this.#passOn();
  }

  /** To be called when another worker wants the turn. */
  passOnSoon(): void {
    this.#isWanted = true;
    if (this.#isOwn && !this.#isWriting) this.#passOn();
  }

  async #wait(): Promise<void> {
    const over = new AbortController();
    const begun = new Promise<void>((resolve) => {
      this.#begun = resolve;
    });
    await Promise.race([begun, sleep(patience, undefined, { ref: false, signal: over.signal }).catch(() => undefined)]);
    over.abort();
    this.#begun = undefined;
  }

  #passOn(): void {
    this.#isOwn = false;
    this.#isWanted = false;
    this.#channel.passOn();
  }
}
