import { setTimeout as sleep } from 'node:timers/promises';
import type { MaybePromise } from '../common/maybe-promise.js';

/** Milliseconds of work after which others get a turn of the event loop. */
const sliceMillis = 20;

/** Long work that waits for its next slice of time. It goes on in this order. */
const waiting: (() => void)[] = [];
let isUnderWay = false;

/** Resolves after a turn of the event loop. All waiting work shares one slice of each turn, however much it is. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (isUnderWay) return;
    isUnderWay = true;
    setImmediate(shareSlice);
  });
}

function shareSlice(): void {
  const since = performance.now();
  const next = () => {
    if (waiting.length === 0) {
      isUnderWay = false;
    } else if (performance.now() - since >= sliceMillis) {
      setImmediate(shareSlice);
    } else {
      waiting.shift()?.();
      // The work goes on in microtasks. All of them are done before the next tick.
      queueMicrotask(() => process.nextTick(next));
    }
  };
  next();
}

/** Measures how long synchronous work has held the event loop, and yields when it has been long. */
export class Turns {
  #since = performance.now();

  /** Resolves after a turn of the event loop; undefined if none is due. */
  due(): Promise<void> | undefined {
    if (performance.now() - this.#since < sliceMillis) return undefined;
    return nextTurn().then(() => {
      this.#since = performance.now();
    });
  }
}

/** The turns of all lists. An answer can have thousands, each of which is short. */
const turnsOfLists = new Turns();

/**
 * The items of a list; now and then the event loop serves other requests. @throws the reason of `signal` once it is
 * aborted
 */
export async function* itemsInTurns<Item>(
  items: Iterable<Item>,
  signal?: AbortSignal,
): AsyncGenerator<Item, void, void> {
  for (const item of items) {
    const due = turnsOfLists.due();
    if (due) await due;
    signal?.throwIfAborted();
    yield item;
  }
}

/** Items whose fields are resolved without a look at the clock. */
const group = 32;

/** The longest list that is never divided. */
const whole = 100;

/**
 * The most items whose loads are made together: those of a thousand would hold the event loop for a tenth of a second.
 */
const loadedTogether = 100;

/** What is known of a list. */
export interface KnownList {
  /** Whether its items load something each; undefined until the first has been seen. */
  readonly loads: boolean | undefined;
  /** Resolves when that is known. */
  readonly seen: Promise<void>;
  /** Whether the answer has one list at this place; otherwise one for each item of a list around it. */
  readonly isOnlyOne: boolean;
}

/**
 * The items of a list whose fields take a while each; now and then the event loop serves other requests. Items wait
 * until it is known whether they load something, because what items load in one turn is loaded together, for at most
 * 100 items. The first item of a long list comes at once, so that this is soon known; what it loads is loaded
 * separately.
 *
 * Not an async generator: where one of its items fails later than the next is asked for, GraphQL leaves that rejection
 * unhandled.
 */
export function settledInTurns<Item>(
  items: readonly Item[],
  known: KnownList,
  signal?: AbortSignal,
): MaybePromise<readonly MaybePromise<Item>[]> {
  expected(items);
  if (items.length <= whole) {
    const due = known.isOnlyOne || known.loads === false ? turnsOfLists.due() : undefined;
    return due ? due.then(() => items) : items;
  }
  const [first, ...others] = items;
  const settle: ((item: MaybePromise<Item>) => void)[] = [];
  const settled = others.map(() => new Promise<Item>((resolve) => settle.push(resolve)));
  expected(settled);
  const goOn = async () => {
    if (known.loads === undefined) await known.seen;
    let from = 0;
    while (from < others.length) {
      const due = known.loads ? loadsSent(from) : turnsOfLists.due();
      if (due) await due;
      const failed = signal?.aborted ? Promise.reject<Item>(signal.reason) : undefined;
      const next = others.slice(from, from + (known.loads ? loadedTogether : group));
      for (const [index, item] of next.entries()) settle[from + index]?.(failed ?? item);
      from += next.length;
      // Their fields are resolved in microtasks, which come before this goes on.
      await undefined;
    }
  };
  goOn();
  return first === undefined ? settled : [first, ...settled];
}

/**
 * Resolves after the loads of the `count` items before have been sent; undefined if there are no such items. Prisma's
 * plugin for Pothos sends them in a timer, and a later timer of the same time comes after it.
 */
const loadsSent = (count: number): Promise<void> | undefined => (count > 0 ? sleep(0).then(nextTurn) : undefined);

/**
 * Marks rejections as handled: items may fail before they are awaited, or when they are no longer awaited. Awaiting one
 * still throws.
 */
function expected(items: readonly unknown[]): void {
  for (const item of items) if (item instanceof Promise) item.catch(() => undefined);
}
