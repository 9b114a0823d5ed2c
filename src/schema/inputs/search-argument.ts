import { longestSearch } from '../../model/limits.js';
import { perBuilder } from '../per-builder.js';
import { constrained } from './constraint.js';

/** The argument `search` of the lists of a type. */
export const searchArgument = perBuilder((builder) =>
  builder.args((t) => ({ search: t.string(constrained({ longest: longestSearch })) })),
);
