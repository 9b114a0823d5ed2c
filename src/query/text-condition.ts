/** Conditions on parts of texts: `contains`, `startsWith`, `endsWith`. */

import { createHash } from 'node:crypto';
import { ignoredCase, markedPattern } from '../database/ignored-case.js';
import type { Provider } from '../database/migrations/migration-history.js';
import type { Where } from './delegate.js';

export const textOperators = ['contains', 'startsWith', 'endsWith'] as const;

export type TextOperator = (typeof textOperators)[number];

export const isTextOperator = (operator: string): operator is TextOperator =>
  textOperators.some((each) => each === operator);

interface TextCondition {
  operator: TextOperator;
  text: string;
  ignoreCase: boolean;
}

/** The condition on a field, or its negation for values that are not null. */
export function textCondition(field: string, { operator, text, ignoreCase }: TextCondition, isDenied: boolean): Where {
  if (operator === 'startsWith' && !ignoreCase) return range(field, text, isDenied);
  const pattern = { [operator]: ignoreCase ? patternOf(text) : escaped(text) };
  return { [field]: isDenied ? { not: pattern } : pattern };
}

/** Texts with a prefix are a range, which an index supports. */
function range(field: string, prefix: string, isDenied: boolean): Where {
  const end = afterPrefix(prefix);
  if (!isDenied) return { [field]: { gte: prefix, ...(end === undefined ? {} : { lt: end }) } };
  const before = { [field]: { lt: prefix } };
  return end === undefined ? before : { OR: [before, { [field]: { gte: end } }] };
}

function patternOf(text: string): string {
  const ignored = ignoredCase(text);
  const pattern = escaped(ignored.text);
  return ignored.from === '' ? pattern : markedPattern({ ...ignored, text: pattern });
}

/** Prisma passes wildcards on to LIKE; both databases use the backslash as escape. */
const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * The first text, in bytewise order, after all texts that begin with `prefix`; undefined if there is none. "Begins
 * with" then becomes a range that an index supports: `prefix <= text < afterPrefix(prefix)`.
 */
export function afterPrefix(prefix: string): string | undefined {
  const characters = Array.from(prefix);
  while (characters.length > 0) {
    const last = characters.pop()?.codePointAt(0) ?? 0;
    if (last < lastPoint)
      return characters.join('') + String.fromCodePoint(last === beforeSurrogates ? afterSurrogates : last + 1);
  }
  return undefined;
}

const lastPoint = 0x10ffff;
/** The range of surrogates, which are no characters of their own. */
const beforeSurrogates = 0xd7ff;
const afterSurrogates = 0xe000;

/**
 * Sort values that are too long for a cursor: it holds their hash instead, so that every cursor fits into a request. The
 * database compares with the value of the cursor's record itself (`cursor.ts`).
 */

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
