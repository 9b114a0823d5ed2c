import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds of work after which others get a turn of the event loop. */
const sliceMillis = 20;

/** Measures how long synchronous work has held the event loop, and lets others have a turn when it has been long. */
export class Turns {
  #since = performance.now();

  /** Resolves after a turn of the event loop; undefined if none is due. */
  due(): Promise<void> | undefined {
    if (performance.now() - this.#since < sliceMillis) return undefined;
    return turn().then(() => {
      this.#since = performance.now();
    });
  }
}

/** The items of a long list, with a turn for others now and then. @throws the reason of `signal` once it is aborted */
export async function* itemsInTurns<Item>(
  items: Iterable<Item>,
  signal?: AbortSignal,
): AsyncGenerator<Item, void, void> {
  const turns = new Turns();
  for (const item of items) {
    const due = turns.due();
    if (due) await due;
    signal?.throwIfAborted();
    yield item;
  }
}
