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
export function startTask<Result>(begin: () => StartedTask<Result>): StartedTask<Result> {
  try {
    return begin();
  } catch (error) {
    return { done: Promise.reject(error) };
  }
}
