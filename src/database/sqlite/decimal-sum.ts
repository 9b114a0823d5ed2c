/**
 * Adds numbers as decimals: 0.1 + 0.2 is 0.3. The sum is exact and is rounded to a double only at the end, so it does
 * not depend on the order, and equals the sum of PostgreSQL, which adds the same decimals as `numeric`.
 */
export interface DecimalSum {
  /** The part of the sum in units of 10⁻⁴ that a double holds exactly; undefined until a number was added. */
  fast: number | undefined;
  /** The rest of the sum: integers by the power of ten that scales them. */
  exact: Map<number, bigint>;
}

export const emptySum = (): DecimalSum => ({ fast: undefined, exact: new Map() });

/** Adds a number; null adds nothing. */
export function add(sum: DecimalSum, number: unknown): DecimalSum {
  if (typeof number !== 'number') return sum;
  sum.fast ??= 0;
  const scaled = Math.round(number * scale);
  // Up to 15 significant digits, a double and its shortest decimal text convert into each other without loss.
  if (scaled / scale === number && Math.abs(scaled) < 1e15) {
    sum.fast += scaled;
    if (Math.abs(sum.fast) < mostFast) return sum;
    addExact(sum, BigInt(sum.fast), -places);
    sum.fast = 0;
    return sum;
  }
  const [digits = '', exponent = '0'] = `${number}`.split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  addExact(sum, BigInt(whole + fraction), Number(exponent) - fraction.length);
  return sum;
}

/** The sum as a double; null if no number was added, infinite if it exceeds the range of doubles. */
export function total({ fast, exact }: DecimalSum): number | null {
  if (fast === undefined) return null;
  if (exact.size === 0) return fast / scale;
  const parts: [number, bigint][] = [...exact, [-places, BigInt(fast)]];
  const least = Math.min(...parts.map(([power]) => power));
  const digits = parts.reduce((sum, [power, part]) => sum + part * 10n ** BigInt(power - least), 0n);
  return Number(`${digits}e${least}`);
}

function addExact({ exact }: DecimalSum, part: bigint, power: number): void {
  exact.set(power, (exact.get(power) ?? 0n) + part);
}

const places = 4;
const scale = 10 ** places;

/** Below this, adding another number of 15 digits is still exact. */
const mostFast = 2 ** 53 - 1e15;
