/**
 * The limits of a GraphQL operation. They leave room for real front ends: a page of 100 records with all lines of two
 * kinds costs about 40,000, the largest page of the widest record 80,000, and GraphiQL's introspection 55,000.
 */

/** Tokens of the text; a longer text is not parsed. */
export const mostTokens = 10_000;

/** Lines of the text: comments and block strings take the parser as long as tokens do, and each takes a line. */
export const mostTextLines = 10_000;

/** Characters of a name: error messages repeat names, and answers repeat aliases for every record. */
export const longestName = 255;

/** Brackets open at the same time: at a few thousand, GraphQL's parser overflows the stack. */
export const deepestBrackets = 200;

/** Levels of nested fields. */
export const deepestFields = 20;

/** Fields of Query or Mutation in one operation, each of which reads or writes on its own. */
export const mostRootFields = 100;

/**
 * Pairs of fields with the same response name: validation compares those of one record, including fields of fragments, and
 * here those under different names count too. A field with arguments counts as two, so that its pairs count four times: to
 * compare these takes as much longer. So many take up to 40 ms.
 */
export const mostPairs = 250_000;

export const mostAliases = 500;
export const mostDirectives = 100;
export const mostFragments = 100;

/** The cost of an introspection value, which the server answers from memory. */
export const introspectionWeight = 0.5;

/**
 * The cost of one comparison of a filter: the database may make it for every record, not only for those of the answer.
 */
export const comparisonWeight = 10;

/** The cost of `previewAction`, which makes its change and rolls it back while other writers wait. */
export const previewWeight = 100;

/** The number of `previewAction` fields in one operation. */
export const mostPreviews = 10;

/**
 * The most characters of all arguments of an operation, where a variable counts as often as it is named, and the
 * characters that each value counts in addition to its own.
 */
export const mostArgumentCharacters = 8_000_000;
export const charactersOfValue = 32;

/** The presumed number of lines of a record where the operation has no `limit`. */
export const presumedLines = 20;
