import type { FieldArguments } from './root-field.js';
import type { TranslationProblem } from './shell-words.js';

/** Says of the first of these arguments that no endpoint takes it. */
export const noTwin = (args: FieldArguments): TranslationProblem => ({
  problem: `REST has nothing for the argument \`${Object.keys(args)[0]}\`: only GraphQL filters, sorts and pages by cursors.`,
});
