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
