import { constrained } from '../../../graphql/inputs/constraint.js';
import { perBuilder } from '../../../graphql/per-builder.js';
import { longestSearch } from '../../../model/limits.js';

/** The argument `search` of the lists of a type. */
export const searchArgument = perBuilder((builder) =>
  builder.args((t) => ({ search: t.string(constrained({ longest: longestSearch })) })),
);
