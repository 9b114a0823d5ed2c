/**
 * Sort values that are too long for a cursor: it holds their hash instead, so that every cursor fits into a request. The
 * database compares with the value of the cursor's record itself (`cursor-record.ts`).
 */
import { createHash } from 'node:crypto';

/** Characters of the longest text in a cursor. With the most sort columns, a cursor has less than 14,000 characters. */
export const longestInCursor = 200;

/** Stands for a long text in a cursor. */
export class LongValue {
  constructor(readonly sha256: string) {}
}

/** The value as a cursor holds it. */
export function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > longestInCursor ? new LongValue(hashOf(value)) : value;
}

/** The inverse for a parsed cursor: any value that is no `LongValue` is returned as it is. */
export function parsedLongValue(value: unknown): unknown {
  const isHash = typeof value === 'object' && value !== null && 'sha256' in value && typeof value.sha256 === 'string';
  return isHash ? new LongValue(String(value.sha256)) : value;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
