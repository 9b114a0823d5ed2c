import { rotationOf } from './rotation.js';

const { THOROUGH } = process.env;
const rotation = rotationOf(process.env);

/**
 * How much a test asks that could ask without end: `npm test` asks enough to find what a change breaks, in the time that
 * people wait for it; `npm run test:thorough` asks all of it.
 */
export const thorough = THOROUGH === 'true';

/** Whether all of what takes turns is asked: in a thorough run, and by `.ci/run`, which asks no more random values. */
export const allCases = thorough || THOROUGH === 'cases';

/** Of something to be repeated: `few` times, or `many` in a thorough run. */
export function runs(few: number, many: number): number {
  return thorough ? many : few;
}

/** Whether it is the turn of number `turn` today, of `among` that take turns from day to day. */
export function hasTurn(turn: number, among: number): boolean {
  return allCases || (turn + rotation) % among === 0;
}

/** The same of what is dear and seldom broken by what is changed elsewhere: who names the files of a run is asked all. */
export const hasTurnOrName = (turn: number, among: number): boolean =>
  Boolean(process.env.FILES_NAMED) || hasTurn(turn, among);
