/** Counts streams, in all and of each key. */
import { errors } from '../errors.js';

export interface StreamLimits {
  /** Streams at the same time. */
  streamsAtOnce: number;
  /** Streams of one key at the same time. */
  streamsPerKey: number;
}

export class Places {
  readonly #ofKeys = new Map<string, number>();
  #taken = 0;

  constructor(private readonly limits: StreamLimits) {}

  /** The keys that have a stream. */
  get keys(): string[] {
    return [...this.#ofKeys.keys()];
  }

  get taken(): number {
    return this.#taken;
  }

  /** Returns the function that gives the place back. @throws UNAVAILABLE `busy`, RATE_LIMITED `too_many_streams` */
  take(keyId: string): () => void {
    const { streamsAtOnce, streamsPerKey } = this.limits;
    const own = this.#ofKeys.get(keyId) ?? 0;
    if (own >= streamsPerKey) throw errors.tooManyStreams(streamsPerKey);
    if (this.#taken >= streamsAtOnce) throw errors.unavailable('busy');
    this.#taken++;
    this.#ofKeys.set(keyId, own + 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#taken--;
      const left = (this.#ofKeys.get(keyId) ?? 1) - 1;
      if (left > 0) this.#ofKeys.set(keyId, left);
      else this.#ofKeys.delete(keyId);
    };
  }
}
