import type { CommitSignals, Listening } from '../../database/commit-signals.js';

/** Milliseconds between two messages: one covers all commits since the last. */
const pause = 5;

/** Notifies the other workers of commits to SQLite, and is notified of theirs. */
export class WorkerCommitSignals implements CommitSignals {
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
    // Other programs may write to the file without a signal, so listeners have to poll all the same.
    return { isHearing: false, stop: () => void this.#listeners.delete(onSignal) };
  }

  /** To be called when another worker has committed. */
  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
