/**
 * A bounded map that forgets what has not been used for long. Holds the prepared statements of one connection by their
 * SQL: preparing again each time takes 40 % of a short read, and keeping every statement for ever would grow with each
 * new shape of query that a caller invents. What is used is only marked: the oldest is forgotten unless it was used
 * since it was last looked at ("second chance"), because to move it up at each use takes longer than to find it.
 */
export class StatementCache<Value> {
  readonly #entries = new Map<string, { value: Value; isUsed: boolean }>();

  /** `capacity` is the number of statements kept, at least 1. */
  constructor(readonly capacity: number) {
    if (capacity < 1) throw new RangeError('A statement cache keeps at least one statement');
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value kept under `sql`, which it marks as used, or undefined. */
  get(sql: string): Value | undefined {
    const entry = this.#entries.get(sql);
    if (entry) entry.isUsed = true;
    return entry?.value;
  }

  set(sql: string, value: Value): void {
    this.#entries.delete(sql);
    while (this.#entries.size >= this.capacity) this.#forgetOne();
    this.#entries.set(sql, { value, isUsed: false });
  }

  clear(): void {
    this.#entries.clear();
  }

  /** Looks at the oldest: where it was used, it becomes the youngest. */
  #forgetOne(): void {
    for (const [sql, entry] of this.#entries) {
      this.#entries.delete(sql);
      if (!entry.isUsed) return;
      this.#entries.set(sql, { value: entry.value, isUsed: false });
    }
  }
}
