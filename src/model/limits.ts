/** Records in a page where nobody says how many (document 8.1). */
export const defaultPageSize = 20;

/** Records in a page at most; a larger one is refused, never cut (decision: limit). */
export const largestPageSize = 1000;

/**
 * Characters of a parent's id at most. Whatever a line names as its parent is kept in an index, and PostgreSQL refuses
 * index entries of more than about 2,700 bytes.
 */
export const longestId = 255;

/** Lines of each kind that a record can be created with at once; more can be added one by one. */
export const mostLines = 5000;

/** Records changed by one mutation at most. */
export const largestBatch = 100;

/** Groups of an aggregate where nobody says how many. */
export const defaultGroups = 100;

/** Bytes of an answer that is kept for the repetition of its request. */
export const largestKept = 1024 * 1024;
