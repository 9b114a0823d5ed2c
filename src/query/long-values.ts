/**
 * Sort values that are too long for a cursor: it holds their hash instead, so that every cursor fits into a request. The
 * database compares with the value of the cursor's record itself (`cursor-record.ts`).
 */
import { createHash } from 'node:crypto';
import type { Provider } from '../database/migrations/migration-history.js';

/** Characters of the longest text in a cursor. With the most sort columns, a cursor has less than 14,000 characters. */
export const longestInCursor = 200;

/** Stands for a long text in a cursor. */
export class LongValue {
  constructor(readonly sha256: string) {}
}

/** The value as a cursor holds it. */
export function cursorValueOf(value: unknown): unknown {
  return typeof value === 'string' && isLong(value) ? new LongValue(hashOf(value)) : value;
}

/** Characters are counted as the databases do, for which half of a surrogate pair is none. */
const isLong = (text: string): boolean =>
  text.length > 2 * longestInCursor || (text.length > longestInCursor && [...text].length > longestInCursor);

/** The text of a column as a cursor holds it, so that a long one never leaves the database; `readShortened` reads it. */
export const shortenedSql = (provider: Provider, column: string): string =>
  `CASE WHEN length(${column}) > ${longestInCursor} THEN '#' || ${hashSql[provider](column)} ELSE '=' || ${column} END`;

/** A text, or a `LongValue`. */
export const readShortened = (value: string): unknown =>
  value.startsWith('=') ? value.slice(1) : new LongValue(Buffer.from(value.slice(1), 'hex').toString('base64url'));

/** The hash of the text of a column, in hexadecimal. */
export const hashSql: Record<Provider, (column: string) => string> = {
  // An SQL function defined by `SqliteConnection`.
  sqlite: (column) => `sha256_hex(CAST(${column} AS BLOB))`,
  postgresql: (column) => `encode(sha256(convert_to(${column}, 'UTF8')), 'hex')`,
};

/** The inverse for a parsed cursor: any value that is no `LongValue` is returned as it is. */
export function parsedLongValue(value: unknown): unknown {
  const isHash = typeof value === 'object' && value !== null && 'sha256' in value && typeof value.sha256 === 'string';
  return isHash ? new LongValue(String(value.sha256)) : value;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
