import type { Caller } from './direct-access.js';

/**
 * A fair queue: each caller has limited work under way, and goes to the end of the queue after each piece of work, so that
 * no caller waits for all the work of another. The keys take turns, and the callers of a key among themselves, so that no key
 * waits for all the callers of another.
 */
export class FairQueue {
  readonly #all: Lane;
  /** The lanes of owners that wait for a turn, each with the timer that refuses it. */
  readonly #waiting = new Map<Lane, NodeJS.Timeout | undefined>();

  /** Work is refused as `busy` where too many callers wait, or this one has waited too long; as `over` where its time is. */
  constructor(
    private readonly limits: TurnLimits,
    private readonly errors: { busy(): Error; over(): Error },
  ) {
    this.#all = new Lane(limits.atOnce);
  }

  /** How many callers wait for a turn. */
  get waiting(): number {
    return this.#waiting.size;
  }

  async take<Result>(caller: Caller | undefined, work: () => Promise<Result>, owner?: unknown): Promise<Result> {
    const end = await this.turn(caller, owner);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /**
   * Resolves in a turn of `owner`: by default the caller, and without a caller an owner of its own. The turn lasts until the
   * returned function is called.
   */
  turn(caller: Caller | undefined, owner: unknown = caller ?? {}): Promise<() => void> {
    if (caller?.isOver) return Promise.reject(this.errors.over());
    const { perKey, perCaller, waiting = Number.POSITIVE_INFINITY } = this.limits;
    const all = this.#all;
    const key = caller?.keyId;
    const ofKey = key === undefined ? all : (all.inside.get(key) ?? new Lane(perKey, all, key));
    const lane = ofKey.inside.get(owner) ?? new Lane(perCaller, ofKey, owner);
    return new Promise((resolve, reject) => {
      const task: QueuedTask = {
        begin: () => {
          takeBack?.();
          // The wait of its next work is measured from now on.
          this.#stopWaiting(lane);
          this.#note(lane);
          let isUnderWay = true;
          resolve(() => {
            if (isUnderWay) this.#end(lane);
            isUnderWay = false;
          });
        },
        fail: (error) => {
          takeBack?.();
          reject(error);
        },
      };
      const takeBack = caller?.whenOver(() => this.#drop(lane, task, this.errors.over()));
      lane.add(task);
      this.#next();
      if (this.#waiting.size >= waiting && !this.#waiting.has(lane)) this.#drop(lane, task, this.errors.busy());
      else this.#note(lane);
    });
  }

  #next(): void {
    for (let task = this.#all.next(); task; task = this.#all.next()) task.begin();
  }

  #end(lane: Lane): void {
    lane.end();
    this.#note(lane);
    this.#next();
  }

  /** Called after each change of a lane: notes whether it waits, and forgets it if it has nothing to do. */
  #note(lane: Lane): void {
    if (!lane.isReady) this.#stopWaiting(lane);
    else if (!this.#waiting.has(lane)) this.#waiting.set(lane, this.#refuseLater(lane));
    lane.leaveIfIdle();
  }

  #stopWaiting(lane: Lane): void {
    clearTimeout(this.#waiting.get(lane));
    this.#waiting.delete(lane);
  }

  /** Refuses all that still waits in the lane when it has waited for too long. */
  #refuseLater(lane: Lane): NodeJS.Timeout | undefined {
    const { waitMillis } = this.limits;
    if (!waitMillis) return undefined;
    const refuse = () => {
      for (const task of [...lane.tasks]) this.#drop(lane, task, this.errors.busy());
    };
    return setTimeout(refuse, waitMillis).unref();
  }

  /** Removes a task that has not begun. */
  #drop(lane: Lane, task: QueuedTask, why: Error): void {
    const place = lane.tasks.indexOf(task);
    if (place < 0) return;
    lane.tasks.splice(place, 1);
    this.#note(lane);
    task.fail(why);
  }
}

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
  /** The lanes inside, by their owners, in the order of their turns. */
  readonly inside = new Map<unknown, Lane>();
  #underWay = 0;

  /** `most` is how much may be under way at the same time; `owner` is whose work it is. */
  constructor(
    private readonly most = Number.POSITIVE_INFINITY,
    private readonly outer?: Lane,
    private readonly owner?: unknown,
  ) {
    this.#goLast();
  }

  /** Whether something waits here that this lane's own limit allows to begin. */
  get isReady(): boolean {
    return this.#underWay < this.most && this.tasks.length > 0;
  }

  /** What begins to wait comes after those that wait already. */
  add(task: QueuedTask): void {
    if (this.tasks.push(task) === 1) this.#goLast();
  }

  /** The next task, which counts as under way here and in the lanes inside that it comes from; undefined if none may begin. */
  next(): QueuedTask | undefined {
    if (this.#underWay === this.most) return undefined;
    const task = this.tasks.shift() ?? this.#nextInside();
    if (task) this.#underWay++;
    return task;
  }

  /** Passes over lanes that have something under way, and over no others. */
  #nextInside(): QueuedTask | undefined {
    for (const lane of this.inside.values()) {
      const task = lane.next();
      if (!task) continue;
      lane.#goLast();
      return task;
    }
    return undefined;
  }

  /** A task of this lane has ended. If there were as many as may be, the next one comes after those that wait already. */
  end(): void {
    if (this.#underWay-- === this.most) this.#goLast();
    this.outer?.end();
  }

  leaveIfIdle(): void {
    if (this.#underWay > 0 || this.tasks.length > 0 || this.inside.size > 0) return;
    this.outer?.inside.delete(this.owner);
    this.outer?.leaveIfIdle();
  }

  #goLast(): void {
    this.outer?.inside.delete(this.owner);
    this.outer?.inside.set(this.owner, this);
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
  /** The longest wait for a turn, in milliseconds; 0 for any wait. Time spent waiting for the caller's own work does not count. */
  waitMillis?: number;
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
