const { THOROUGH } = process.env;

/**
 * How much an open-ended test does: `npm test` does enough to find what a change breaks, in the time that people wait
 * for it; `npm run test:thorough` does everything.
 */
export const thorough = THOROUGH === 'true';

/**
 * Whether all files and all cases are tested: in a thorough run, and by `.ci/run`, which uses no more random values.
 * Otherwise a run leaves out `*.slow.test.ts`, and of cases that are alike it tests the same ones every day.
 */
export const allCases = thorough || THOROUGH === 'cases';

/** The number of repetitions: `few`, or `many` in a thorough run. */
export function runs(few: number, many: number): number {
  return thorough ? many : few;
}

/** Whether the case with this number is tested in every run: one in `among` cases that are alike. */
export function isChosen(number: number, among: number): boolean {
  return allCases || number % among === 0;
}

/**
 * The same for expensive cases that are seldom broken by changes elsewhere: a run with named files tests all of them.
 */
export const isChosenOrNamed = (number: number, among: number): boolean =>
  Boolean(process.env.FILES_NAMED) || isChosen(number, among);
