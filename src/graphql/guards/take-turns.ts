import { setTimeout as sleep } from 'node:timers/promises';
import { getNamedType, getNullableType, isCompositeType, isListType } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { oncePer } from '../../common/kept.js';
import { type MaybePromise, whenResolved } from '../../common/maybe-promise.js';
import { nextTurn } from '../../database/turns.js';
import type { Guard } from '../answered-by-sql.js';

/**
 * Makes the lists of objects yield to the event loop after each hundred items: the fields of a thousand records take a
 * quarter of a second. All lists of one field count together, because an answer can have thousands of short ones.
 */
export function takeTurns(): Guard {
  return ({ type }) => {
    if (!isListType(getNullableType(type)) || !isCompositeType(getNamedType(type))) return undefined;
    const itemsOf = oncePer((_operation: RequestContext) => new ListItems());
    return (resolve) => (source, args, context, info) =>
      whenResolved<unknown, unknown>(resolve(source, args, context, info), (items) => {
        if (!Array.isArray(items)) return items;
        return itemsOf(context).inTurns<unknown>(items, context.deadline?.signal);
      });
  };
}

/**
 * The most items whose fields are resolved without a turn in between. What they load is loaded together: for a thousand,
 * that would hold the event loop for a tenth of a second.
 */
const together = 100;

/** The items of all lists of one field in an operation. */
export class ListItems {
  #count = 0;
  /** The turn in which the items are resolved that come next. */
  #turn = Promise.resolve();

  /**
   * The items, which wait where there are many; they fail with the reason of `signal` once it is aborted. Not an async
   * generator: where one of its items fails later than the next is asked for, GraphQL leaves that rejection unhandled.
   */
  inTurns<Item>(items: readonly Item[], signal?: AbortSignal): MaybePromise<readonly MaybePromise<Item>[]> {
    expected(items);
    if (this.#count + items.length <= together) {
      this.#count += items.length;
      return items;
    }
    const inTurn = <Value>(value: Value, count: number) =>
      this.#turnFor(count).then(() => {
        signal?.throwIfAborted();
        return value;
      });
    // A short list waits as a whole: a promise for each of 40,000 lines took 150 MB.
    if (items.length <= together) return inTurn(items, items.length);
    const settled = items.map((item) => inTurn(item, 1));
    expected(settled);
    return settled;
  }

  /** The turn of so many more items: another one as soon as a further hundred begins. */
  #turnFor(count: number): Promise<void> {
    const before = this.#count;
    this.#count += count;
    const isFurther = Math.ceil(this.#count / together) > Math.ceil(before / together);
    if (before > 0 && isFurther) this.#turn = turnAfter(this.#turn);
    return this.#turn;
  }
}

/** What the items before load is sent in a timer, and a later timer of the same time comes after it. */
async function turnAfter(before: Promise<void>): Promise<void> {
  await before;
  await sleep(0);
  await nextTurn();
}

/**
 * Marks rejections as handled: items may fail before they are awaited, or when they are no longer awaited. Awaiting one
 * still throws.
 */
function expected(items: readonly unknown[]): void {
  for (const item of items) if (item instanceof Promise) item.catch(() => undefined);
}
