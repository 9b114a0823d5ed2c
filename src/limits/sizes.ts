/**
 * How large a GraphQL operation may be. Generous enough for real front ends: a page of 100 records with all lines of two
 * kinds costs about 40,000, the largest page of the widest record 80,000, GraphiQL's look at the whole schema 50,000.
 */

/** Names, signs and values in the text; beyond, it is not parsed. */
export const mostTokens = 10_000;

/** Lines of the text: comments and block strings take the parser as much time as tokens, and each takes a line. */
export const mostTextLines = 10_000;

/** Characters of a name; the texts of errors repeat names, and answers repeat aliases for every record. */
export const longestName = 255;

/** Brackets that may stand open at a time; beyond a few thousand, GraphQL's parser runs out of stack. */
export const deepestBrackets = 200;

/** Fields within fields. */
export const deepestFields = 20;

/** Fields of Query or Mutation asked for at once, each of which reads or writes by itself. */
export const mostRootFields = 100;

/**
 * Pairs of fields that are answered under the same name: validation compares each with each, fragments included. A
 * thousand fields of one name make half a million.
 */
export const mostPairs = 500_000;

export const mostAliases = 500;
export const mostDirectives = 100;
export const mostFragments = 100;

/** What a value of introspection counts, of which the server knows all without asking anybody. */
export const introspectionWeight = 0.5;

/** What a comparison in a filter counts: it is made for every record there is, not only for those of the answer. */
export const comparisonWeight = 10;

/** What `previewAction` counts, which does what it tells of, and undoes it, while others who write wait. */
export const previewWeight = 100;

/** `previewAction`s of one operation. */
export const mostPreviews = 10;

/** Lines of a record where the operation does not say how many: what a list without `limit` is taken for. */
export const presumedLines = 20;
