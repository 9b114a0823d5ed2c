import type { Caller } from '../caller.js';
import { Lane, type QueuedTask } from './lane.js';
import { type StartedTask, startTask } from './started-task.js';
import type { TurnErrors, TurnLimits } from './turn-limits.js';
import { WaitingLanes } from './waiting-lanes.js';

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
    this.#waiting = new WaitingLanes(limits.waitMillis, (lane) => this.#refuse(lane));
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
    if (this.#waiting.size >= this.limits.waiting && !this.#waiting.has(lane))
      return this.#drop(lane, work, this.errors.busy());
    this.#note(lane);
    takeBack = caller?.whenOver(() => this.#drop(lane, work, this.errors.over()));
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
