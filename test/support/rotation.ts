/**
 * Which share of what is alike a normal run asks. It changes from day to day, so that within days everything is asked;
 * within a day a run that passed passes again. ROTATION=20779 npm test asks what was asked on that day; the last lines of
 * a failing run name it.
 */
export function rotationOf({ ROTATION }: NodeJS.ProcessEnv): number {
  return ROTATION === undefined ? Math.floor(Date.now() / 86_400_000) : Number(ROTATION);
}
