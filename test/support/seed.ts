/**
 * The seed of every random test. It is fixed, so that a run that passed passes again, and a failure is caused by a
 * change of the code. `SEED=random npm test` uses new random values, `SEED=123` those of an earlier run; a failure
 * names its seed.
 */
import fc from 'fast-check';

const { SEED = '7' } = process.env;

/** One seed for all files of a run, whether they share a process or not. */
export const seed = SEED === 'random' ? Math.floor(Date.now() / 1000) : Number(SEED);

fc.configureGlobal({ seed });
