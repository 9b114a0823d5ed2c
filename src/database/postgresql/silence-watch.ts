/** Milliseconds between two looks. */
const lookEvery = 250;

export interface SilenceWatchParts {
  /** Whether there is anything to wait for. */
  isWaiting(): boolean;
  isSilent(): boolean;
  onSilence(): void;
}

/** Looks now and then whether a connection is silent, while something is awaited from it. */
export class SilenceWatch {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: SilenceWatchParts) {}

  /** Called whenever something is sent. */
  begin(): void {
    // An answer that has arrived while this process was busy is read before the look.
    this.#timer ??= setTimeout(() => setImmediate(() => this.#look()), lookEvery).unref();
  }

  #look(): void {
    this.#timer = undefined;
    if (!this.parts.isWaiting()) return;
    if (this.parts.isSilent()) this.parts.onSilence();
    this.begin();
  }
}
