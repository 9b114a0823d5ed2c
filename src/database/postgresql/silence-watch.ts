/** Milliseconds between two checks. */
const checkEvery = 250;

export interface SilenceWatchParts {
  /** Whether there is anything to wait for. */
  isWaiting(): boolean;
  isSilent(): boolean;
  onSilence(): void;
}

/** Checks now and then whether a connection is silent, while something is awaited from it. */
export class SilenceWatch {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: SilenceWatchParts) {}

  /** Called whenever something is sent. */
  begin(): void {
    // An answer that has arrived while this process was busy is read before the check.
    this.#timer ??= setTimeout(() => setImmediate(() => this.#check()), checkEvery).unref();
  }

  #check(): void {
    this.#timer = undefined;
    if (!this.parts.isWaiting()) return;
    if (this.parts.isSilent()) this.parts.onSilence();
    this.begin();
  }
}
