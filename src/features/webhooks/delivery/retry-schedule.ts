const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Milliseconds between an attempt and the next; after the last of them, the last is repeated. */
const pauses = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour];

/** The pause after so many failures, from 1. */
export const pauseAfter = (failures: number): number => pauses[Math.min(failures, pauses.length) - 1] ?? 0;

/**
 * The pause after a message could not be built so many times, from 1. Short, because the fault is the gateway's own.
 */
export const pauseUnmade = (tries: number): number => Math.min(second * 2 ** (tries - 1), minute);

/** The pause before one more document is tried, after so many at a receiver where nearly all fail. */
export const pauseForFurther = (tried: number): number => Math.min(pauseAfter(tried), 2 * minute);

/** Milliseconds for which a delivery is attempted again. */
export const retriedFor = 3 * 24 * hour;

/** A longer time than between any attempt and the next. */
const longestPause = 14 * hour;

/**
 * Whether a delivery waits for its time. One that no attempt could have set comes from a clock that was ahead, and is not
 * waited for: it could be years.
 */
export const isAwaited = (dueAt: number, now: number): boolean => dueAt > now && dueAt <= now + longestPause;

/**
 * When to attempt a delivery again that has failed `attempts` times, the first time at `since`; undefined if it has been
 * attempted for three days. Pauses vary by up to a tenth, so that deliveries that failed together are not repeated
 * together.
 */
export function nextAttempt(attempts: number, since: Date, now: Date, random = Math.random()): Date | undefined {
  const end = since.getTime() + retriedFor;
  if (now.getTime() >= end) return undefined;
  const pause = pauseAfter(attempts);
  // The last attempt is made at the end of the three days.
  return new Date(Math.min(end, now.getTime() + pause * (0.9 + 0.2 * random)));
}
