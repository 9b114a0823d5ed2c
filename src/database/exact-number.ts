import { Prisma } from '../generated/sqlite/client.js';

/**
 * Converts a number for a Float field so that Prisma stores it exactly. Prisma writes integers beyond 32 bits into the
 * text of its query plan. There those beyond 64 bits lose digits (1.0987392948039692e278 becomes 1.098739294803969e278,
 * the largest double Infinity), and each value makes a new plan. A decimal is passed as a parameter.
 */
export function exactNumber(value: number): number | Prisma.Decimal {
  return isBeyondInt32(value) ? new Prisma.Decimal(value) : value;
}

/**
 * Converts the values of a list that is compared with a Float field. In a list with a decimal, Prisma shortens plain
 * numbers (0.30000000000000004 becomes 0.3), so if one value has to be a decimal, all are.
 */
export function exactNumbers(values: readonly unknown[]): unknown[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (!numbers.some(isBeyondInt32)) return [...values];
  return values.map((value) => (typeof value === 'number' ? new Prisma.Decimal(value) : value));
}

const isBeyondInt32 = (value: number): boolean => Number.isInteger(value) && Math.abs(value) > MOST_INT32;

const MOST_INT32 = 2 ** 31 - 1;
