/** A piece of work that has begun. */
export interface Begun<Result> {
  done: Promise<Result>;
  /** Ends it early, where that can be done; `done` then rejects. */
  stop?: () => void;
}

/** Begins it; where it cannot even begin, it is done at once. */
export function begun<Result>(begin: () => Begun<Result>): Begun<Result> {
  try {
    return begin();
  } catch (error) {
    return { done: Promise.reject(error) };
  }
}
