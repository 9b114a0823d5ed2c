/**
 * The number of the day, which decides which share of similar cases a normal run tests. So everything is tested within
 * a few days, and a run that passed passes again on the same day. `ROTATION=20779 npm test` repeats the choice of that
 * day; the last lines of a failing run name it.
 */
export function rotationOf({ ROTATION }: NodeJS.ProcessEnv): number {
  return ROTATION === undefined ? Math.floor(Date.now() / 86_400_000) : Number(ROTATION);
}
