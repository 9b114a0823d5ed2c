/** The size of a page if the request does not state it. */
export const defaultPageSize = 20;

/** The largest page; a larger `limit` is refused, not reduced (docs/decisions.md: `limit`). */
export const largestPageSize = 1000;

/**
 * The longest parent id, in characters. A line's parent id is indexed, and PostgreSQL refuses index entries above about
 * 2,700 bytes, even if no such parent exists.
 */
export const longestId = 255;

/** The most lines of each kind in one create; more can be added one by one. */
export const mostLines = 5000;

/** The most ids of lines in a reorder: about as many as a body of 1 MB holds. */
export const mostOrdered = 30_000;

/** The most names of record types, actions or scopes in a list. */
export const mostNames = 1_000;

/** The most objects in one variable: lines and records that are written, and as many that stay as they are. */
export const mostObjectsSent = 24_000;

/** The most records changed by one mutation. */
export const largestBatch = 100;

/** How many records a mutation of many by a filter looks through in one call. */
export const mostLookedThrough = 10_000;

/** The most records and lines that one request creates, changes, moves or deletes. */
export const mostRowsWritten = 12_000;

/** The most characters of texts that one request writes: a variable may be named many times. */
export const mostCharactersWritten = 8_000_000;

/** The most fields to sort by. */
export const mostOrders = 8;

/** The most fields to group by. */
export const mostKeys = 4;

/** The number of groups of an aggregate if the request does not state it. */
export const defaultGroups = 100;

/** The largest answer that is stored for an `Idempotency-Key`, in bytes. */
export const largestKept = 1024 * 1024;

/** Changes that are undone to show a document as it was, those of its lines included, and the bytes of their values. */
export const mostChangesUndone = 20_000;
export const mostUndoneBytes = 8 * 1024 * 1024;

/** The most characters of a name that people choose, such as that of a key. */
export const longestGivenName = 100;

/** The most different words of a search, and its characters. */
export const mostWordsSought = 8;
export const longestSearch = 200;

/**
 * The most characters of a text that is looked for within others. PostgreSQL compares it at each place of a text, and can be
 * stopped only between two rows: 60,000 characters in one text of 150,000 kept it busy for minutes behind its deadline.
 */
export const longestPart = 500;

/** The highest version that an import brings and a check accepts: they end at 2,147,483,647, and changes need room. */
export const highestVersion = 2_000_000_000;

/** Milliseconds by which what an import brings may be ahead of the clock here: those of two machines differ a little. */
export const mostAhead = 5 * 60 * 1000;
