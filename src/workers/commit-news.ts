import type { CommitSignals, Listening } from '../database/commit-signals.js';

/** Milliseconds between two messages: one tells of all commits since the last. */
const pause = 5;

/** Tells the other workers of commits to SQLite, and is told of theirs. */
export class CommitNews implements CommitSignals {
  readonly #send: () => void;
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #isDue = false;

  constructor(send: () => void) {
    this.#send = send;
  }

  send(): void {
    if (this.#timer) {
      this.#isDue = true;
      return;
    }
    this.#send();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#isDue) return;
      this.#isDue = false;
      this.send();
    }, pause).unref();
  }

  listen(onSignal: () => void): Listening {
    this.#listeners.add(onSignal);
    // Other programs write to the file too, and tell nobody: who listens has to look all the same.
    return { isHearing: false, stop: () => void this.#listeners.delete(onSignal) };
  }

  /** To be called when another worker has committed. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
