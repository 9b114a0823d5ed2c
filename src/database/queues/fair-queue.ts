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
  /** Of owners. */
  readonly #waiting: WaitingLanes;

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

  /** Calls `begin` in a turn, which lasts until `begin` or whoever it told calls `end`; or `fail`, if there is none. */
  enter(
    caller: Caller | undefined,
    begin: (end: () => void) => void,
    fail: (error: Error) => void,
    owner: unknown = caller ?? {},
  ): void {
    const known = this.#owners.get(owner);
    const isFull = this.#waiting.size >= this.limits.waiting && !(known && this.#waiting.has(known));
    if (isFull && this.#all.underWay >= this.limits.atOnce) return fail(this.errors.busy());
    const lane = known ?? this.#add(owner, caller?.keyId);
    let isWaiting = true;
    let takeBack = () => {};
    const work: QueuedTask = {
      fail: (error) => {
        takeBack();
        fail(error);
      },
      begin: () => {
        isWaiting = false;
        takeBack();
        // Its next work waits from now on.
        this.#waiting.delete(lane);
        this.#note(lane);
        begin(() => {
          lane.end();
          this.#note(lane);
          this.#next();
        });
      },
    };
    lane.tasks.push(work);
    lane.update();
    this.#next();
    if (!isWaiting) return;
    this.#note(lane);
    takeBack = caller?.whenOver(() => this.#drop(lane, work)) ?? takeBack;
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
    if (lane.isReady) this.#waiting.add(lane);
    else this.#waiting.delete(lane);
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

  #refuse(lane: Lane): void {
    const tooLate = lane.tasks.splice(0);
    lane.update();
    this.#note(lane);
    for (const work of tooLate) work.fail(this.errors.busy());
  }
}
