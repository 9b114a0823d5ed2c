/** Milliseconds of work after which others get a turn of the event loop. */
const sliceMillis = 20;

/** Long work that waits for its next slice of time. It goes on in this order. */
const waiting: (() => void)[] = [];
let isUnderWay = false;

/** Resolves after a turn of the event loop. All waiting work shares one slice of each turn, however much it is. */
export function nextTurn(): Promise<void> {
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
