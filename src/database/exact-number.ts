import { Prisma } from '../generated/sqlite/client.js';

/**
 * `value` in the form in which Prisma stores every double as it is, to be given to a Float field. Prisma puts whole
 * numbers beyond 32 bits into the text of its query plan: beyond 64 bits they lose digits (1.0987392948039692e278 comes
 * out as 1.098739294803969e278, the largest double as Infinity), and each makes a plan of its own. As a decimal they are
 * a parameter like any other.
 */
export function exactNumber(value: number): number | Prisma.Decimal {
  return isBeyondInt32(value) ? new Prisma.Decimal(value) : value;
}

/**
 * The values of one list, to be compared with a Float field. Beside a decimal Prisma writes a plain number with fewer
 * digits, 0.30000000000000004 as 0.3, so all become decimals where one must.
 */
export function exactNumbers(values: readonly unknown[]): unknown[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (!numbers.some(isBeyondInt32)) return [...values];
  return values.map((value) => (typeof value === 'number' ? new Prisma.Decimal(value) : value));
}

const isBeyondInt32 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) > MOST_INT32;

const MOST_INT32 = 2 ** 31 - 1;

/** The number in the form that `exactNumber` gives it; any other value as it is. */
export const exactNumberOf = (value: unknown): unknown => (value instanceof Prisma.Decimal ? value.toNumber() : value);
