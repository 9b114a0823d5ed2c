/**
 * Decides how a statement counts its answer. Normally it counts lines and rows after building them. If a selection
 * repeats itself, objects are counted before they are built, which takes longer: a text of 1 MB that is selected a
 * thousand times would exceed the memory before it could be counted.
 */
export class AnswerSize {
  #repeats = 0;
  #lists = 0;
  #isDeep = false;
  #hasLines = false;

  constructor(
    /** The largest answer, in bytes. */
    readonly limit: number,
    /** Whether objects are counted before they are built. */
    readonly inAdvance: boolean,
  ) {}

  /** Reports that an object selects the same text or parent again. */
  repeat(): void {
    this.#repeats++;
  }

  /** Writes the inside of a list of lines. */
  withinList<Result>(write: () => Result): Result {
    this.#hasLines = true;
    if (++this.#lists > 1) this.#isDeep = true;
    const result = write();
    this.#lists--;
    return result;
  }

  /** Whether the objects written so far contain lists of lines. */
  get hasLines(): boolean {
    return this.#hasLines;
  }

  get isLarge(): boolean {
    return this.#isDeep || this.#repeats > mostRepeats;
  }
}

const mostRepeats = 8;

/** Writes SQL, and writes it again with counting in advance if the first pass shows that it is needed. */
export function writeSized<Result>(limit: number, write: (answerSize: AnswerSize) => Result): Result {
  const answerSize = new AnswerSize(limit, false);
  const result = write(answerSize);
  return answerSize.isLarge ? write(new AnswerSize(limit, true)) : result;
}
