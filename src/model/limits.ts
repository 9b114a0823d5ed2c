/** Records in a page where nobody says how many (document 8.1). */
export const defaultPageSize = 20;

/** Records in a page at most; a larger one is refused, never cut (decision: limit). */
export const largestPageSize = 1000;
