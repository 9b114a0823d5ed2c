/**
 * How much a test asks that could ask without end: `npm test` asks enough to find what a change breaks, in the time that
 * people wait for it; `npm run test:thorough` asks all of it.
 */
export const thorough = process.env.THOROUGH === 'true';

/** Of something to be repeated: `few` times, or `many` in a thorough run. */
export function runs(few: number, many: number): number {
  return thorough ? many : few;
}
