/**
 * How much one statement may have to make before it can count it. Where that is little, what has been made is counted:
 * lines one by one, and rows. Where a selection repeats itself, each object is counted before it is made, which takes
 * longer: one text of 1 MB asked for a thousand times would be there before it could be counted.
 */
export class Extent {
  #repeats = 0;
  #lists = 0;
  #isDeep = false;

  constructor(
    /** Bytes of an answer. */
    readonly limit: number,
    /** Whether objects are counted before they are made. */
    readonly inAdvance: boolean,
  ) {}

  /** The same text, or the same parent, is asked for again in the same object. */
  repeat(): void {
    this.#repeats++;
  }

  /** Writes what stands in a list of lines. */
  withinList<Result>(write: () => Result): Result {
    if (++this.#lists > 1) this.#isDeep = true;
    const result = write();
    this.#lists--;
    return result;
  }

  get isLarge(): boolean {
    return this.#isDeep || this.#repeats > mostRepeats;
  }
}

const mostRepeats = 8;

/** What `write` makes, once it is known how its parts are to be counted. */
export function written<Result>(limit: number, write: (extent: Extent) => Result): Result {
  const extent = new Extent(limit, false);
  const result = write(extent);
  return extent.isLarge ? write(new Extent(limit, true)) : result;
}
