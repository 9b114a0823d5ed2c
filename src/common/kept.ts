/** What is made once and kept: for the process, with an object, until it follows from another value, or up to a weight. */

/** Makes a value at its first use and keeps it. A failure is not kept: the next use makes the value again. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * Makes something once for each object, which is the first argument; it is garbage-collected together with the object. What
 * is made may follow from further arguments too, where they are the same for each object.
 */
export function oncePer<Key extends object, Others extends readonly unknown[], Made>(
  make: (key: Key, ...others: Others) => Made,
): (key: Key, ...others: Others) => Made {
  const known = new WeakMap<Key, { made: Made }>();
  return (key, ...others) => {
    let kept = known.get(key);
    if (!kept) {
      kept = { made: make(key, ...others) };
      known.set(key, kept);
    }
    return kept.made;
  };
}

/** The same work for those who ask for the same key while it is done for the first of them. Nothing of it is kept. */
export function sharedWhileDone<Key, Others extends readonly unknown[], Made>(
  work: (key: Key, ...others: Others) => Promise<Made>,
): (key: Key, ...others: Others) => Promise<Made> {
  const underWay = new Map<Key, Promise<Made>>();
  return (key, ...others) => {
    const doing = underWay.get(key) ?? work(key, ...others).finally(() => underWay.delete(key));
    underWay.set(key, doing);
    return doing;
  };
}

/**
 * A value that may be replaced while the process runs. Code reads it each time it needs it, and what is derived from it
 * is derived again after a replacement, so nothing keeps using an old value.
 */
export class Current<Value> {
  constructor(private read: () => Value) {}

  /** One that keeps its value until that is replaced. */
  static of<Value>(value: Value): Current<Value> {
    return new Current(() => value);
  }

  get value(): Value {
    return this.read();
  }

  replace(value: Value): void {
    this.read = () => value;
  }

  /** What `make` derives from the value: at its first use, and again after each replacement. */
  derive<Made>(make: (value: Value) => Made): Current<Made> {
    let last: { of: Value; made: Made } | undefined;
    return new Current(() => {
      const { value } = this;
      if (!last || last.of !== value) last = { of: value, made: make(value) };
      return last.made;
    });
  }
}

/**
 * A cache limited by the total weight of its entries. It evicts by the second-chance algorithm: reading marks an entry
 * as used, and the oldest entry is evicted unless it has been used since it was last considered. Moving an entry at
 * each read (LRU) would take longer than finding it.
 */
export class WeighedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  #weight = 0;

  /** `capacity` is the highest total weight; `onForgotten` is called for each removed entry. */
  constructor(
    readonly capacity: number,
    readonly weightOf: (key: string, value: Value) => number,
    readonly onForgotten: (key: string, value: Value) => void = () => {},
  ) {
    if (capacity < 1) throw new RangeError('A cache has room for at least one entry');
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The total weight of all entries. */
  get weight(): number {
    return this.#weight;
  }

  /** The value of `key`, which is marked as used; undefined if there is none. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry) entry.isUsed = true;
    return entry?.value;
  }

  /** Stores a value and evicts others if needed. A value heavier than the capacity is not stored. */
  set(key: string, value: Value): void {
    this.delete(key);
    const weight = this.weightOf(key, value);
    if (weight > this.capacity) return;
    while (this.#weight + weight > this.capacity) this.#forgetOne();
    this.#entries.set(key, { value, weight, isUsed: false });
    this.#weight += weight;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
    this.onForgotten(key, entry.value);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  /** Evicts the oldest unused entry; used entries on the way become the youngest. */
  #forgetOne(): void {
    for (const [key, entry] of this.#entries) {
      if (!entry.isUsed) return this.delete(key);
      this.#entries.delete(key);
      this.#entries.set(key, { ...entry, isUsed: false });
    }
  }
}

interface Entry<Value> {
  value: Value;
  weight: number;
  isUsed: boolean;
}
