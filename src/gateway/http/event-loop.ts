/** Milliseconds: the interval of the timer, and the delay from which one tick counts as late. */
export const tickTimes = { every: 100, late: 500 };
/** How many ticks in a row must be late: one long task is not an overload. */
export const lateTicks = 4;

/**
 * Detects overload: when more work arrives than the process can do, timers fire late again and again. Costs one timer,
 * which ends with the process.
 */
export function watchEventLoop({ every, late } = tickTimes): () => boolean {
  let lateInRow = 0;
  let due = performance.now() + every;
  const tick = () => {
    const now = performance.now();
    lateInRow = now - due > late ? lateInRow + 1 : 0;
    due = now + every;
  };
  setInterval(tick, every).unref();
  return () => lateInRow >= lateTicks;
}
