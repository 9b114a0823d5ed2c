import type { Caller } from '../caller.js';
import { Lane, type QueuedTask } from './lane.js';
import { type StartedTask, startTask } from './started-task.js';

export interface TurnLimits {
  /** The most work under way, of all callers. */
  atOnce: number;
  /** The most work under way for all callers with the same key; by default as much as for all together. */
  perKey?: number;
  /** The most work under way for one caller. */
  perCaller: number;
  /** The most callers that wait for a turn; further ones are refused. */
  waiting: number;
  /** The longest wait for a turn, in milliseconds. Time spent waiting for the caller's own work does not count. */
  waitMillis: number;
}

/** The errors for refused or stopped work. */
export interface TurnErrors {
  /** Too many callers wait, or this one has waited too long. */
  busy(): Error;
  /** The caller's time is over. */
  over(): Error;
}

/**
 * A fair queue: each caller has limited work under way, and goes to the end of the queue after each piece of work, so that
 * no caller waits for all the work of another. The keys take turns, and the callers of a key among themselves, so that no key
 * waits for all the callers of another.
 */
export class FairQueue {
  readonly #all: Lane;
  readonly #keys = new Map<unknown, Lane>();
  readonly #owners = new Map<unknown, Lane>();
  /** The owners that wait for a turn, and since when by `performance.now()`, in this order. */
  readonly #waiting = new Map<Lane, number>();
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: TurnLimits,
    private readonly errors: TurnErrors,
  ) {
    this.#all = new Lane(limits.atOnce);
  }

  /** How many callers wait for a turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Starts `begin` in a turn of `owner`: by default the caller, and without a caller an owner of its own. */
  take<Result>(caller: Caller | undefined, begin: () => StartedTask<Result>, owner: unknown = caller ?? {}) {
    return new Promise<Result>((resolve, reject) => {
      const known = this.#owners.get(owner);
      const isFull = this.#waiting.size >= this.limits.waiting && !(known && this.#waiting.has(known));
      if (isFull && this.#all.underWay >= this.limits.atOnce) return reject(this.errors.busy());
      const lane = known ?? this.#add(owner, caller?.keyId);
      let takeBack = () => {};
      const work: QueuedTask = {
        fail: (error) => {
          takeBack();
          reject(error);
        },
        begin: () => {
          takeBack();
          // Its next work waits from now on.
          this.#waiting.delete(lane);
          this.#note(lane);
          const { done, stop } = startTask(begin);
          const ignore = stop ? caller?.whenOver(stop) : undefined;
          const end = () => {
            ignore?.();
            lane.end();
            this.#note(lane);
            this.#next();
          };
          done.then(end, end);
          done.then(resolve, reject);
        },
      };
      lane.tasks.push(work);
      lane.update();
      takeBack = caller?.whenOver(() => this.#drop(lane, work)) ?? takeBack;
      this.#next();
      this.#note(lane);
    });
  }

  #add(owner: unknown, keyId: string | undefined): Lane {
    const { perCaller, perKey = Number.POSITIVE_INFINITY } = this.limits;
    let outer = this.#all;
    if (keyId !== undefined) {
      outer = this.#keys.get(keyId) ?? new Lane(perKey, this.#all, keyId);
      this.#keys.set(keyId, outer);
    }
    const lane = new Lane(perCaller, outer, owner);
    this.#owners.set(owner, lane);
    return lane;
  }

  #next(): void {
    for (let work = this.#all.next(); work; work = this.#all.next()) work.begin();
  }

  /** Called after each change of a lane: notes whether it waits, and forgets it if it has nothing to do. */
  #note(lane: Lane): void {
    if (!lane.isReady) this.#waiting.delete(lane);
    else if (!this.#waiting.has(lane)) {
      this.#waiting.set(lane, performance.now());
      this.#expiry ??= this.#expireAfter(this.limits.waitMillis);
    }
    if (!lane.isIdle) return;
    this.#owners.delete(lane.owner);
    if (lane.outer?.isIdle) this.#keys.delete(lane.outer.owner);
  }

  /** Removes work that has not begun when the caller's time is over. */
  #drop(lane: Lane, work: QueuedTask): void {
    const place = lane.tasks.indexOf(work);
    if (place < 0) return;
    lane.tasks.splice(place, 1);
    lane.update();
    this.#note(lane);
    work.fail(this.errors.over());
  }

  /** Rejects work that has waited too long, and sets the timer for the next. */
  #expire(): void {
    const now = performance.now();
    this.#expiry = undefined;
    for (const [lane, since] of this.#waiting) {
      const left = since + this.limits.waitMillis - now;
      if (left > 0) {
        this.#expiry = this.#expireAfter(left);
        return;
      }
      const tooLate = lane.tasks.splice(0);
      lane.update();
      this.#note(lane);
      for (const work of tooLate) work.fail(this.errors.busy());
    }
  }

  #expireAfter(milliseconds: number): NodeJS.Timeout | undefined {
    if (!Number.isFinite(milliseconds)) return undefined;
    return setTimeout(() => this.#expire(), Math.max(1, milliseconds)).unref();
  }
}
