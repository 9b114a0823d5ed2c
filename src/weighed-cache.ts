/**
 * A map that is bounded by what its entries weigh together, and forgets what has not been used for long. Reading an entry
 * only marks it as used; when room is needed the oldest entry is forgotten unless it was used since it was last looked at
 * ("second chance"), because moving an entry up at each use would take longer than finding it.
 */
export class WeighedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  #weight = 0;

  /** `capacity` is the most all entries may weigh together; `onForgotten` hears of each entry that is dropped. */
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

  /** What all entries weigh together. */
  get weight(): number {
    return this.#weight;
  }

  /** The value kept under `key`, which is marked as used, or undefined. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry) entry.isUsed = true;
    return entry?.value;
  }

  /** Keeps a value, and forgets others where there is no room. A value that is heavier than the whole cache is not kept. */
  set(key: string, value: Value): void {
    this.#remove(key);
    const weight = this.weightOf(key, value);
    if (weight > this.capacity) return;
    while (this.#weight + weight > this.capacity) this.#forgetOne();
    this.#entries.set(key, { value, weight, isUsed: false });
    this.#weight += weight;
  }

  delete(key: string): void {
    this.#remove(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  /** Looks at the oldest entry: where it was used, it becomes the youngest. */
  #forgetOne(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      if (entry.isUsed) {
        this.#entries.set(key, { ...entry, isUsed: false });
        continue;
      }
      this.#weight -= entry.weight;
      this.onForgotten(key, entry.value);
      return;
    }
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
    this.onForgotten(key, entry.value);
  }
}

interface Entry<Value> {
  value: Value;
  weight: number;
  isUsed: boolean;
}
