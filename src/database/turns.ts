import { type Begun, begun } from './begun.js';
import type { Caller } from './caller.js';

export interface TurnLimits {
  /** Pieces of work under way at a time, of all callers. */
  atOnce: number;
  /** Those of one caller. */
  perCaller: number;
  /** Callers that wait for a turn, at most; one more is refused. */
  waiting: number;
  /** Milliseconds a caller waits for a turn, at most. What it waits for its own work does not count. */
  waitMillis: number;
}

/** Why work was not done, or not to its end. */
export interface TurnErrors {
  /** Too many wait, or the caller has waited for too long. */
  busy(): Error;
  /** The caller's time is over. */
  over(): Error;
}

interface Work {
  begin(): void;
  fail(error: Error): void;
}

/** One caller's work: what waits, and how much of it is under way. */
interface Lane {
  readonly waiting: Work[];
  underWay: number;
  /** `performance.now()` of when it came to wait for a turn. */
  since: number;
}

/**
 * Callers take turns: each has so much work under way at a time, and who has much to do goes to the end of the queue
 * after each piece of it, so that nobody waits behind all the work of one.
 */
export class Turns {
  readonly #lanes = new Map<object, Lane>();
  /** Those that may begin something, in the order of their turns. */
  readonly #queue: Lane[] = [];
  #underWay = 0;
  #expiry: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: TurnLimits,
    private readonly errors: TurnErrors,
  ) {}

  /** The result of what `begin` begins, in its turn. Without a caller it takes turns as a caller of its own. */
  take<Result>(caller: Caller | undefined, begin: () => Begun<Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const owner = caller ?? {};
      const lane = this.#lanes.get(owner) ?? { waiting: [], underWay: 0, since: 0 };
      const isFull = this.#queue.length >= this.limits.waiting && !this.#queue.includes(lane);
      if (isFull && this.#underWay >= this.limits.atOnce) return reject(this.errors.busy());
      this.#lanes.set(owner, lane);
      let takeBack = () => {};
      const work: Work = {
        fail: (error) => {
          takeBack();
          reject(error);
        },
        begin: () => {
          takeBack();
          const { done, stop } = begun(begin);
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

  #end(owner: object, lane: Lane): void {
    this.#underWay--;
    lane.underWay--;
    this.#enqueue(lane);
    this.#forgetIdle(owner, lane);
    this.#next();
  }

  /** The caller's time is over before the work has begun. */
  #drop(owner: object, lane: Lane, work: Work): void {
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

  #forgetIdle(owner: object, lane: Lane): void {
    if (lane.underWay === 0 && lane.waiting.length === 0) this.#lanes.delete(owner);
  }

  /** Fails what has waited too long, and looks again when the next will have. */
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
