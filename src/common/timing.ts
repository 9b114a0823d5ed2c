import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `work` until the signal is aborted; resolves then. `first` are the milliseconds before the first time,
 * `every` those after the end of each. A failure goes to `onError`, because the next attempt follows.
 */
export async function repeat(
  work: () => Promise<unknown>,
  { first, every, signal }: { first: number; every: number; signal: AbortSignal },
  onError: (error: unknown) => void,
): Promise<void> {
  for (let wait = first; !signal.aborted; wait = every) {
    await sleep(wait, undefined, { ref: false, signal }).catch(() => undefined);
    if (!signal.aborted) await work().catch(onError);
  }
}

/** What `work` resolves with, or what `late` returns or throws if that takes more milliseconds. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number, late: () => Result): Promise<Result> {
  const ended = new AbortController();
  try {
    return await Promise.race([work, sleep(milliseconds, undefined, ended).then(late)]);
  } finally {
    ended.abort();
  }
}
