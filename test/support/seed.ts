/**
 * The seed of every random test. It is fixed, so that a run that passed passes again: whoever changes the code is told of
 * their change only. `SEED=random npm test` asks new questions, SEED=123 those of a run before; a failure names its seed.
 */
import fc from 'fast-check';

const { SEED = '7' } = process.env;

/** One for all the files of a run, which share a process or not. */
export const seed = SEED === 'random' ? Math.floor(Date.now() / 1000) : Number(SEED);

fc.configureGlobal({ seed });
