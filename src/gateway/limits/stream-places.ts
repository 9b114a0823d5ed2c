/** Counts streams, in all and of each key. */

import type { MaybePromise } from '../../common/maybe-promise.js';
import { errors } from '../../model/errors/errors.js';
import { isPerson } from '../../model/scopes.js';
import type { Config } from '../config/config.js';

/** Counts the streams of all workers of a gateway, of which each has its own. */
export interface SharedPlaces {
  take(keyId: string): Promise<PlaceAnswer>;
  leave(keyId: string): void;
  takenBy(keyId: string): MaybePromise<number>;
}

/** Whether a place is taken; otherwise why not. */
export type PlaceAnswer = 'taken' | 'too many of the key' | 'too many';

export class Places {
  readonly #ofKeys = new Map<string, number>();
  #taken = 0;

  /** With `shared`, the limits hold for all who share it. */
  constructor(
    private readonly limits: Pick<Config, 'streamsAtOnce' | 'streamsPerKey'>,
    private readonly shared?: SharedPlaces | undefined,
  ) {}

  get taken(): number {
    return this.#taken;
  }

  /** How many places the key has; with `shared`, in all processes that share them. */
  takenBy(keyId: string): MaybePromise<number> {
    return this.shared ? this.shared.takenBy(keyId) : this.takenHere(keyId);
  }

  takenHere(keyId: string): number {
    return this.#ofKeys.get(keyId) ?? 0;
  }

  /** Returns the function that gives the place back. @throws UNAVAILABLE `busy`, RATE_LIMITED `too_many_streams` */
  async take(keyId: string): Promise<() => void> {
    const answer = this.shared ? await this.shared.take(keyId) : this.takeNow(keyId);
    if (answer === 'too many') throw errors.unavailable('busy');
    if (answer !== 'taken') throw errors.tooManyStreams(this.limits.streamsPerKey, isPerson(keyId));
    if (this.shared) this.#add(keyId, 1);
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.leave(keyId);
      this.shared?.leave(keyId);
    };
  }

  /** Takes a place if there is one here. */
  takeNow(keyId: string): PlaceAnswer {
    const { streamsAtOnce, streamsPerKey } = this.limits;
    if (this.takenHere(keyId) >= streamsPerKey) return 'too many of the key';
    if (this.#taken >= streamsAtOnce) return 'too many';
    this.#add(keyId, 1);
    return 'taken';
  }

  leave(keyId: string): void {
    this.#add(keyId, -1);
  }

  #add(keyId: string, places: number): void {
    this.#taken += places;
    const ofKey = this.takenHere(keyId) + places;
    if (ofKey > 0) this.#ofKeys.set(keyId, ofKey);
    else this.#ofKeys.delete(keyId);
  }
}
