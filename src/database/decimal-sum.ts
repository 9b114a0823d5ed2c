/**
 * Numbers added up as they are written: 0.1 + 0.2 is 0.3. The sum of the decimals is exact and becomes the nearest double
 * at its end only, so it is the same in any order, and on PostgreSQL, which adds the same decimals as `numeric`.
 */
export interface DecimalSum {
  /** Undefined until there is a number. */
  fast: number | undefined;
  /** Sums of whole numbers by the power of ten they are to be multiplied with. */
  exact: Map<number, bigint>;
}

export const emptySum = (): DecimalSum => ({ fast: undefined, exact: new Map() });

/** Adds a number, or null, which adds nothing. */
export function add(sum: DecimalSum, number: unknown): DecimalSum {
  if (typeof number !== 'number') return sum;
  sum.fast ??= 0;
  const scaled = Math.round(number * scale);
  // A decimal of up to 15 digits is the one that the double is written as.
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

/** Null where no number was added, an infinity where no double holds the sum. */
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

/** Up to here another number of 15 digits can be added and the sum is still exact. */
const mostFast = 2 ** 53 - 1e15;
