import { rotationOf } from './rotation.js';

const { THOROUGH } = process.env;
const rotation = rotationOf(process.env);

/**
 * How much an open-ended test does: `npm test` does enough to find what a change breaks, in the time that people wait
 * for it; `npm run test:thorough` does everything.
 */
export const thorough = THOROUGH === 'true';

/**
 * Whether all cases that take turns are tested: in a thorough run, and by `.ci/run`, which uses no more random values.
 */
export const allCases = thorough || THOROUGH === 'cases';

/** The number of repetitions: `few`, or `many` in a thorough run. */
export function runs(few: number, many: number): number {
  return thorough ? many : few;
}

/** Whether number `turn` of `among`, which take turns from day to day, has its turn today. */
export function hasTurn(turn: number, among: number): boolean {
  return allCases || (turn + rotation) % among === 0;
}

/**
 * The same for expensive cases that are seldom broken by changes elsewhere: a run with named files tests all of them.
 */
export const hasTurnOrName = (turn: number, among: number): boolean =>
  Boolean(process.env.FILES_NAMED) || hasTurn(turn, among);
