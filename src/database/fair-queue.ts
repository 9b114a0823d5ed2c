import type { Caller } from './caller.js';
import { type StartedTask, startTask } from './started-task.js';

export interface TurnLimits {
  /** The most work under way, of all callers. */
  atOnce: number;
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

interface QueuedTask {
  begin(): void;
  fail(error: Error): void;
}

/** The work of one caller: what waits, and how much is under way. */
interface Lane {
  readonly waiting: QueuedTask[];
  underWay: number;
  /** When it began to wait for a turn, by `performance.now()`. */
  since: number;
}

/**
 * A fair queue: each caller has limited work under way, and goes to the end of the queue after each piece of work, so
 * that no caller waits for all the work of another.
 */
export class FairQueue {
  readonly #lanes = new Map<unknown, Lane>();
  /** Lanes that may start work, in the order of their turns. */
  readonly #queue: Lane[] = [];
  #underWay = 0;
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: TurnLimits,
    private readonly errors: TurnErrors,
  ) {}

  /** Starts `begin` in a turn of `owner`: by default the caller, and without a caller an owner of its own. */
  take<Result>(caller: Caller | undefined, begin: () => StartedTask<Result>, owner: unknown = caller ?? {}) {
    return new Promise<Result>((resolve, reject) => {
      const lane = this.#lanes.get(owner) ?? { waiting: [], underWay: 0, since: 0 };
      const isFull = this.#queue.length >= this.limits.waiting && !this.#queue.includes(lane);
      if (isFull && this.#underWay >= this.limits.atOnce) return reject(this.errors.busy());
      this.#lanes.set(owner, lane);
      let takeBack = () => {};
      const work: QueuedTask = {
        fail: (error) => {
          takeBack();
          reject(error);
        },
        begin: () => {
          takeBack();
          const { done, stop } = startTask(begin);
          const ignore = stop ? caller?.whenOver(stop) : undefined;
          const end = () => {
            ignore?.();
            this.#end(owner, lane);
          };
          done.then(end, end);
          done.then(resolve, reject);
        },
      };
      lane.waiting.push(work);
      takeBack = caller?.whenOver(() => this.#drop(owner, lane, work)) ?? takeBack;
      this.#enqueue(lane);
      this.#next();
    });
  }

  #enqueue(lane: Lane): void {
    if (lane.waiting.length === 0 || lane.underWay >= this.limits.perCaller || this.#queue.includes(lane)) return;
    lane.since = performance.now();
    this.#queue.push(lane);
    this.#expiry ??= this.#expireAfter(this.limits.waitMillis);
  }

  #next(): void {
    while (this.#underWay < this.limits.atOnce) {
      const lane = this.#queue.shift();
      const work = lane?.waiting.shift();
      if (!lane || !work) return;
      this.#underWay++;
      lane.underWay++;
      this.#enqueue(lane);
      work.begin();
    }
  }

  #end(owner: unknown, lane: Lane): void {
    this.#underWay--;
    lane.underWay--;
    this.#enqueue(lane);
    this.#forgetIdle(owner, lane);
    this.#next();
  }

  /** Removes work that has not begun when the caller's time is over. */
  #drop(owner: unknown, lane: Lane, work: QueuedTask): void {
    const place = lane.waiting.indexOf(work);
    if (place < 0) return;
    lane.waiting.splice(place, 1);
    if (lane.waiting.length === 0) this.#leave(lane);
    this.#forgetIdle(owner, lane);
    work.fail(this.errors.over());
  }

  #leave(lane: Lane): void {
    const place = this.#queue.indexOf(lane);
    if (place >= 0) this.#queue.splice(place, 1);
  }

  #forgetIdle(owner: unknown, lane: Lane): void {
    if (lane.underWay === 0 && lane.waiting.length === 0) this.#lanes.delete(owner);
  }

  /** Rejects work that has waited too long, and sets the timer for the next. */
  #expire(): void {
    const now = performance.now();
    while (this.#queue[0] && now - this.#queue[0].since >= this.limits.waitMillis) {
      const lane = this.#queue.shift();
      for (const work of lane?.waiting.splice(0) ?? []) work.fail(this.errors.busy());
    }
    for (const [owner, lane] of this.#lanes) this.#forgetIdle(owner, lane);
    const [first] = this.#queue;
    this.#expiry = first && this.#expireAfter(first.since + this.limits.waitMillis - now);
  }

  #expireAfter(milliseconds: number): NodeJS.Timeout | undefined {
    if (!Number.isFinite(milliseconds)) return undefined;
    return setTimeout(() => this.#expire(), Math.max(1, milliseconds)).unref();
  }
}
