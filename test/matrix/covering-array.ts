/** A covering array: rows in which every possible pair of values of different columns occurs at least once. */

/** The columns of a matrix and the values each may have. */
export type Columns = Readonly<Record<string, readonly string[]>>;
/** One value of each column. */
export type Row = Readonly<Record<string, string>>;
/** Says why the values given so far cannot be in one row; undefined if they can. */
export type Incompatibility = (row: Row) => string | undefined;

export interface CoveringArray {
  rows: Row[];
  /** Pairs that cannot be in one row, each with the reason. */
  excluded: Map<string, string>;
}

/** One value of one column. */
interface Value {
  column: number;
  name: string;
  /** Among the values of all columns. */
  number: number;
}

/**
 * A greedy algorithm with the same result every time: each row begins with the first uncovered pair, and takes in each
 * further column the value that covers the most new pairs. @throws if a pair is impossible without a reason
 */
export function coveringArray(columns: Columns, incompatibilityOf: Incompatibility): CoveringArray {
  const names = Object.keys(columns);
  const values = valuesOf(columns);
  const pairs = new UncoveredPairs(values);
  const rows: Row[] = [];
  const excluded = new Map<string, string>();
  const reasons = new Set<string>();
  const rowOf = (chosen: readonly (Value | undefined)[]): Row => {
    const row: Record<string, string> = {};
    for (const value of chosen) if (value) row[names[value.column] ?? ''] = value.name;
    return row;
  };
  const isPossible = (chosen: readonly (Value | undefined)[]): boolean => {
    const reason = incompatibilityOf(rowOf(chosen));
    if (reason !== undefined) reasons.add(reason);
    return reason === undefined;
  };

  /** The row that begins with these values; undefined if no row is possible. */
  const completed = (chosen: readonly (Value | undefined)[]): readonly (Value | undefined)[] | undefined => {
    const column = names.findIndex((_, index) => chosen[index] === undefined);
    if (column < 0) return chosen;
    // Rotated by the number of uncovered pairs, so that values without a gain take turns.
    const candidates = rotated(values[column] ?? [], pairs.left);
    const gains = new Map(candidates.map((value) => [value, pairs.gain(chosen, value)]));
    for (const value of candidates.toSorted((one, other) => (gains.get(other) ?? 0) - (gains.get(one) ?? 0))) {
      const longer = chosen.with(column, value);
      const whole = isPossible(longer) ? completed(longer) : undefined;
      if (whole) return whole;
    }
    return undefined;
  };

  for (const [one, other] of pairsOf(values)) {
    if (!pairs.isUncovered(one, other)) continue;
    reasons.clear();
    const beginning = names.map((_, index) => [one, other].find(({ column }) => column === index));
    const whole = isPossible(beginning) ? completed(beginning) : undefined;
    if (whole) {
      rows.push(rowOf(whole));
      pairs.cover(whole);
    } else {
      const pair = `${names[one.column]}: ${one.name}, ${names[other.column]}: ${other.name}`;
      if (reasons.size === 0) throw new Error(`${pair} can never be in one row, and no reason is given`);
      excluded.set(pair, [...reasons].join('; '));
      pairs.remove(one, other);
    }
  }
  return { rows, excluded };
}

/** The uncovered pairs of values. */
class UncoveredPairs {
  readonly #count: number;
  readonly #isCovered: Uint8Array;
  left = 0;

  constructor(values: readonly (readonly Value[])[]) {
    this.#count = values.flat().length;
    this.#isCovered = new Uint8Array(this.#count ** 2);
    this.left = pairsOf(values).length;
  }

  isUncovered(one: Value, other: Value): boolean {
    return this.#isCovered[this.#at(one, other)] === 0;
  }

  remove(one: Value, other: Value): void {
    if (!this.isUncovered(one, other)) return;
    this.#isCovered[this.#at(one, other)] = 1;
    this.left--;
  }

  /** How many uncovered pairs the value forms with those of the row. */
  gain(row: readonly (Value | undefined)[], value: Value): number {
    let gained = 0;
    for (const present of row) if (present && this.isUncovered(present, value)) gained++;
    return gained;
  }

  cover(row: readonly (Value | undefined)[]): void {
    for (const one of row)
      for (const other of row) if (one && other && one.column < other.column) this.remove(one, other);
  }

  #at(one: Value, other: Value): number {
    const [lower, higher] = one.number < other.number ? [one, other] : [other, one];
    return lower.number * this.#count + higher.number;
  }
}

function valuesOf(columns: Columns): Value[][] {
  let number = 0;
  return Object.values(columns).map((names, column) => names.map((name) => ({ column, name, number: number++ })));
}

function pairsOf(values: readonly (readonly Value[])[]): [Value, Value][] {
  return values.flatMap((ones, index) =>
    ones.flatMap((one) =>
      values.slice(index + 1).flatMap((others) => others.map((other): [Value, Value] => [one, other])),
    ),
  );
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}
