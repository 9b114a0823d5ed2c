/**
 * Sort values that are too long for a cursor: it holds their hash instead, so that every cursor fits into a request. The
 * value itself is read from the cursor's record.
 */
import { createHash } from 'node:crypto';
import { errors } from '../errors.js';
import type { Delegate } from './delegate.js';
import type { SortKeys } from './keyset.js';

/** Characters of the longest text in a cursor. With the most sort columns, a cursor has less than 14,000 characters. */
const longestInCursor = 200;

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

/** Whether the position can be used only after `withLongValues`. */
export const hasLongValues = (position: readonly unknown[]): boolean =>
  position.some((value) => value instanceof LongValue);

/**
 * The position with the values of the record `id`. @throws BAD_USER_INPUT for `argument` if the record is gone or has
 * other values: nothing tells then where the cursor was
 */
export async function withLongValues(
  model: Delegate,
  keys: SortKeys,
  { position, id }: { position: readonly unknown[]; id: string },
  argument: 'after' | 'before',
): Promise<readonly unknown[]> {
  if (!hasLongValues(position)) return position;
  const fields = keys.filter((_, index) => position[index] instanceof LongValue).map(({ field }) => field);
  const select = Object.fromEntries(['id', ...fields].map((field) => [field, true]));
  const row = await model.findUnique({ where: { id }, select });
  return position.map((value, index) => {
    if (!(value instanceof LongValue)) return value;
    const field = keys[index]?.field ?? '';
    const present = row?.[field];
    if (typeof present === 'string' && hashOf(present) === value.sha256) return present;
    const message =
      `marks a record that is gone, or whose \`${field}\` has changed: a text of more than ${longestInCursor} characters ` +
      'is not kept in a cursor. Send the cursor of another record, or none to begin again';
    throw errors.badInput([{ path: [argument], code: 'parameter_invalid', message }]);
  });
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
