import { GatewayError } from './gateway-error.js';

/** The gateway or its database cannot serve the request now, or did not in time. */
export const availabilityErrors = {
  /**
   * The request cannot be served now, but may succeed later. `limit` says which limit was met, in a sentence without its
   * full stop.
   */
  unavailable: (reason: 'busy' | 'database_unavailable' | 'storage_full', cause?: unknown, limit?: string) =>
    new GatewayError(
      'UNAVAILABLE',
      `${unavailableMessages[reason]}${limit ? ` ${limit}.` : ''}`,
      reason === 'storage_full' ? { reason, retryAfter: untilMended } : { reason },
      { cause },
    ),

  /** It stays so until somebody brings the file back, or restores a backup of one that was overwritten. */
  fileLost: (how: 'gone' | 'overwritten', cause?: unknown) =>
    new GatewayError(
      'UNAVAILABLE',
      `The database cannot be reached. ${lostFiles[how]}`,
      { reason: 'database_unavailable', retryAfter: untilMended },
      { cause },
    ),

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

const lostFiles = {
  gone: 'Its file was removed, moved or replaced, so nothing is written. Reading goes on.',
  overwritten: 'Its file was truncated or overwritten by another program, so nothing is read or written.',
};

const unavailableMessages = {
  busy: 'The gateway is busy. Try again in a moment.',
  database_unavailable: 'The database cannot be reached. Try again in a moment.',
  storage_full: 'The database has no room left, so nothing can be written. Reading goes on.',
};
