/** Work that has been started. */
export interface Begun<Result> {
  done: Promise<Result>;
  /** Cancels the work, where that is possible; `done` then rejects. */
  stop?: () => void;
}

/** Starts work; if starting it throws, the error becomes the rejection of `done`. */
export function begun<Result>(begin: () => Begun<Result>): Begun<Result> {
  try {
    return begin();
  } catch (error) {
    return { done: Promise.reject(error) };
  }
}
