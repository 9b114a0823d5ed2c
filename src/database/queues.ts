import type { Caller } from './direct-access.js';

/**
 * A fair queue: each caller has limited work under way, and goes to the end of the queue after each piece of work, so that
 * no caller waits for all the work of another. The keys take turns, and the callers of a key among themselves, so that no key
 * waits for all the callers of another.
 */
export class FairQueue {
  readonly #all: Lane;
  readonly #keys = new Map<unknown, Lane>();
  readonly #owners = new Map<unknown, Lane>();
  /** The lanes of owners that wait for a turn. */
  readonly #waiting: WaitingLanes;
  #isBeginning = false;

  constructor(
    private readonly limits: TurnLimits,
    private readonly errors: TurnErrors,
  ) {
    this.#all = new Lane(limits.atOnce);
    this.#waiting = new WaitingLanes((lane) => this.#refuse(lane), limits.waitMillis);
  }

  /** How many callers wait for a turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Starts `begin` in a turn of `owner`: by default the caller, and without a caller an owner of its own. The turn lasts until the
   * work is done.
   */
  take<Result>(caller: Caller | undefined, begin: () => StartedTask<Result>, owner?: unknown): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const start = (endTurn: () => void) => {
        const { done, stop } = startTask(begin);
        const ignore = stop ? caller?.whenOver(stop) : undefined;
        const end = () => {
          ignore?.();
          endTurn();
        };
        done.then(end, end);
        done.then(resolve, reject);
      };
      this.enter(caller, start, reject, owner);
    });
  }

  /** Calls `begin` in a turn, which lasts until `end` is called; or `fail`, if there is no turn. */
  enter(
    caller: Caller | undefined,
    begin: (end: () => void) => void,
    fail: (error: Error) => void,
    owner: unknown = caller ?? {},
  ): void {
    if (caller?.isOver) return fail(this.errors.over());
    const lane = this.#owners.get(owner) ?? this.#add(owner, caller?.keyId);
    let takeBack: (() => void) | undefined;
    let isWaiting = true;
    const work: QueuedTask = {
      fail: (error) => {
        takeBack?.();
        fail(error);
      },
      begin: () => {
        isWaiting = false;
        takeBack?.();
        // The wait of its next work is measured from now on.
        this.#waiting.delete(lane);
        this.#note(lane);
        let isUnderWay = true;
        const end = () => {
          if (!isUnderWay) return;
          isUnderWay = false;
          lane.end();
          this.#note(lane);
          this.#next();
        };
        try {
          begin(end);
        } catch (error) {
          end();
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      },
    };
    lane.tasks.push(work);
    lane.update();
    this.#next();
    if (!isWaiting) return;
    const { waiting = Number.POSITIVE_INFINITY } = this.limits;
    if (this.#waiting.size >= waiting && !this.#waiting.has(lane)) return this.#drop(lane, work, this.errors.busy());
    this.#note(lane);
    takeBack = caller?.whenOver(() => this.#drop(lane, work, this.errors.over()));
  }

  #add(owner: unknown, keyId: string | undefined): Lane {
    const { perCaller, perKey } = this.limits;
    let outer = this.#all;
    if (keyId !== undefined) {
      outer = this.#keys.get(keyId) ?? new Lane(perKey, this.#all, keyId);
      this.#keys.set(keyId, outer);
    }
    const lane = new Lane(perCaller, outer, owner);
    this.#owners.set(owner, lane);
    return lane;
  }

  /** Begins what may begin. What ends or is added meanwhile is seen by the same loop. */
  #next(): void {
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    for (let work = this.#all.next(); work; work = this.#all.next()) work.begin();
    this.#isBeginning = false;
  }

  /** Called after each change of a lane: notes whether it waits, and forgets it if it has nothing to do. */
  #note(lane: Lane): void {
    if (lane.isReady) this.#waiting.add(lane);
    else this.#waiting.delete(lane);
    if (!lane.isIdle) return;
    this.#owners.delete(lane.owner);
    if (lane.outer?.isIdle) this.#keys.delete(lane.outer.owner);
  }

  /** Removes work that has not begun. */
  #drop(lane: Lane, work: QueuedTask, why: Error): void {
    const place = lane.tasks.indexOf(work);
    if (place < 0) return;
    lane.tasks.splice(place, 1);
    lane.update();
    this.#note(lane);
    work.fail(why);
  }

  #refuse(lane: Lane): void {
    const tooLate = lane.tasks.splice(0);
    lane.update();
    this.#note(lane);
    for (const work of tooLate) work.fail(this.errors.busy());
  }
}

/** The lanes that wait for a turn, and since when. Those that have waited too long are refused. */
class WaitingLanes {
  /** By `performance.now()`, the longest wait first. */
  readonly #since = new Map<Lane, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly refuse: (lane: Lane) => void,
    private readonly most = Number.POSITIVE_INFINITY,
  ) {}

  get size(): number {
    return this.#since.size;
  }

  has(lane: Lane): boolean {
    return this.#since.has(lane);
  }

  add(lane: Lane): void {
    if (this.#since.has(lane)) return;
    this.#since.set(lane, performance.now());
    // Node makes a timer without an end one of a millisecond.
    if (Number.isFinite(this.most)) this.#timer ??= this.#after(this.most);
  }

  delete(lane: Lane): void {
    this.#since.delete(lane);
  }

  #after(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#refuseLate(), Math.max(1, milliseconds)).unref();
  }

  /** Sets the timer for the next one, too. */
  #refuseLate(): void {
    const now = performance.now();
    this.#timer = undefined;
    for (const [lane, since] of this.#since) {
      const left = since + this.most - now;
      if (left > 0) {
        this.#timer ??= this.#after(left);
        return;
      }
      this.#since.delete(lane);
      this.refuse(lane);
    }
  }
}

/** A task that waits for its turn. */
interface QueuedTask {
  begin(): void;
  fail(error: Error): void;
}

/**
 * Work that has a limit of its own, such as that of a request. A lane may be inside of another one, such as that of a
 * key, whose limit then holds too. The lanes inside of the same lane take turns.
 */
class Lane {
  readonly tasks: QueuedTask[] = [];
  underWay = 0;
  /** Lanes inside of this one that may begin something, in the order of their turns. Created for the first one. */
  #ready: Set<Lane> | undefined;
  /** Whether the lane around this one has it in `#ready`. */
  #isQueued = false;

  /** `most` is how much may be under way at the same time; `owner` is whose work it is. */
  constructor(
    private readonly most = Number.POSITIVE_INFINITY,
    readonly outer?: Lane,
    readonly owner?: unknown,
  ) {}

  /** Whether something waits here that this lane's own limit allows to begin. */
  get isReady(): boolean {
    return this.underWay < this.most && !this.#isEmpty;
  }

  get isIdle(): boolean {
    return this.underWay === 0 && this.#isEmpty;
  }

  get #isEmpty(): boolean {
    return this.tasks.length === 0 && (this.#ready === undefined || this.#ready.size === 0);
  }

  /** Called after each change: takes the last place among the lanes beside it, keeps its place, or leaves it. */
  update(): void {
    const { outer, isReady } = this;
    if (!outer || isReady === this.#isQueued) return;
    this.#isQueued = isReady;
    outer.#ready ??= new Set();
    if (isReady) outer.#ready.add(this);
    else outer.#ready.delete(this);
    outer.update();
  }

  /** The next task, which counts as under way here and in the lanes inside that it comes from; undefined if none may begin. */
  next(): QueuedTask | undefined {
    if (!this.isReady) return undefined;
    this.underWay++;
    const inner = this.#ready?.values().next().value;
    if (!inner) return this.tasks.shift();
    this.#ready?.delete(inner);
    inner.#isQueued = false;
    const task = inner.next();
    inner.update();
    return task;
  }

  /** A task of this lane has ended. */
  end(): void {
    this.underWay--;
    this.outer?.end();
    this.update();
  }
}

/** What is left out has no limit. */
export interface TurnLimits {
  /** The most work under way, of all callers. */
  atOnce?: number;
  /** The most work under way for all callers with the same key. */
  perKey?: number;
  /** The most work under way for one caller. */
  perCaller?: number;
  /** The most callers that wait for a turn; further ones are refused. */
  waiting?: number;
  /** The longest wait for a turn, in milliseconds. Time spent waiting for the caller's own work does not count. */
  waitMillis?: number;
}

/** The errors for refused or stopped work. */
interface TurnErrors {
  /** Too many callers wait, or this one has waited too long. */
  busy(): Error;
  /** The caller's time is over. */
  over(): Error;
}

/** Runs work in its turn. Work with `last` runs even if the work before it failed. */
export type RunInTurn = <Result>(work: () => Promise<Result>, options?: { last: boolean }) => Promise<Result>;

/**
 * A queue for a resource that can do one thing at a time: work starts when the work before it has ended, or at once if
 * there is none. If work fails, the work queued after it fails with the same error without being started.
 */
export function createSerialQueue(): RunInTurn {
  let underWay: Promise<unknown> | undefined;
  return (work, { last } = { last: false }) => {
    const turn = underWay === undefined ? work() : underWay.then(work, last ? work : undefined);
    underWay = turn;
    const end = () => {
      if (underWay === turn) underWay = undefined;
    };
    turn.then(end, end);
    return turn;
  };
}

/** Work that has been started. */
export interface StartedTask<Result> {
  done: Promise<Result>;
  /** Cancels the work, where that is possible; `done` then rejects. */
  stop?: () => void;
}

/** Starts work; if starting it throws, the error becomes the rejection of `done`. */
function startTask<Result>(begin: () => StartedTask<Result>): StartedTask<Result> {
  try {
    return begin();
  } catch (error) {
    return { done: Promise.reject(error) };
  }
}
