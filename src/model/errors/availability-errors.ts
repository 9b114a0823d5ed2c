import { GatewayError } from './gateway-error.js';

/** The gateway or its database cannot serve the request now, or did not in time. */
export const availabilityErrors = {
  /**
   * The request cannot be served now, but may succeed later. `limit` says which limit was met, in a sentence without its
   * full stop.
   */
  unavailable: (why: Unavailability, cause?: unknown, limit?: string) => {
    const reason = why === 'busy' || why === 'storage_full' ? why : 'database_unavailable';
    const details = passing.includes(why) ? { reason } : { reason, retryAfter: untilMended };
    return new GatewayError('UNAVAILABLE', `${unavailable[why]}${limit ? ` ${limit}.` : ''}`, details, { cause });
  },

  /** The database was lost during a commit: the change may have been made or not. */
  outcomeUnknown: (cause?: unknown) =>
    new GatewayError(
      'UNAVAILABLE',
      'The database was lost while the change was being saved, so it may or may not have been made. Repeat the request with the same Idempotency-Key, or read the record before you repeat it.',
      { reason: 'database_unavailable' },
      { cause },
    ),

  timeout: (cause?: unknown) =>
    new GatewayError(
      'TIMEOUT',
      'The request took too long and was stopped. Nothing of it was kept.',
      { reason: 'timeout' },
      { cause },
    ),
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
