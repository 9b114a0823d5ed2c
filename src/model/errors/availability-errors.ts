import { refusal } from './error-rows.js';

/** The gateway or its database cannot serve the request now, or did not in time, or has a fault: the caller can do nothing about it. */
export const availabilityErrors = {
  /**
   * The request cannot be served now, but may succeed later. `limit` says which limit was met, in a sentence without its
   * full stop.
   */
  unavailable: (why: Unavailability, cause?: unknown, limit?: string) => {
    const reason = why === 'busy' || why === 'storage_full' ? why : 'database_unavailable';
    const details = passing.includes(why) ? {} : { retryAfter: untilMended };
    return refusal(reason, `${unavailable[why]}${limit ? ` ${limit}.` : ''}`, details, { cause });
  },

  /** The database was lost during a commit: the change may have been made or not. */
  outcomeUnknown: (cause?: unknown) =>
    refusal(
      'database_unavailable',
      'The database was lost while the change was being saved, so it may or may not have been made. Repeat the request with the same Idempotency-Key, or read the record before you repeat it.',
      {},
      { cause },
    ),

  timeout: (cause?: unknown) => refusal('timeout', undefined, {}, { cause }),

  /**
   * The stored state of a document is none of the three, because SQL written by hand has stored it. Without `id` it is
   * unknown which document it is.
   */
  unknownStatus: ({ title, id, stored }: { title: string; id: string | undefined; stored: string }) => {
    const text = JSON.stringify(stored.slice(0, 100));
    const message = `The status of ${id ? `the ${title} ${id}` : `some ${title}`} is stored as ${text}, which is not a state of a document. Correct it in the database; it must be draft, submitted or cancelled.`;
    return refusal('internal', message, id ? { recordId: id } : {}, { cause: new Error(message) });
  },

  /** A fault of the gateway. The cause is logged with the request id and never shown. */
  internal: (cause?: unknown) => refusal('internal', undefined, {}, { cause }),
};

/** Seconds after which to try again what waits for a person. */
const untilMended = 60;

const unavailable = {
  busy: 'The gateway is busy. Try again in a moment.',
  database_unavailable: 'The database cannot be reached. Try again in a moment.',
  storage_full: 'The database has no room left, so nothing can be written. Reading goes on.',
  read_only:
    'The database is read-only, so nothing is written: it is a standby, or was made read-only. Reading goes on.',
  damaged:
    'The database is damaged where this request needs it. Its operator finds out where with `records check`, and restores a backup. What does not need that part goes on.',
  gone: 'The database cannot be reached. Its file was removed, moved or replaced, so nothing is written. Reading goes on.',
  overwritten:
    'The database cannot be reached. Its file was truncated or overwritten by another program, so nothing is read or written.',
  number_taken:
    'A sequence of the database is behind the rows of its table, so nothing is written. Its operator starts a gateway again, which raises it.',
};

/** Why nothing, or not everything, can be read or written. */
export type Unavailability = keyof typeof unavailable;

/** What may end by itself; the rest lasts until somebody mends it. */
const passing: readonly Unavailability[] = ['busy', 'database_unavailable', 'read_only'];
