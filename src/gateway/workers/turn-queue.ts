/** Who writes to SQLite: one at a time, in the order in which they ask. */
export class TurnQueue<Writer> {
  readonly #waiting: Writer[] = [];
  #holder: Writer | undefined;

  /**
   * `give` gives a writer its turn, and says whether others wait; `ask` asks the writer whose turn it is to give it
   * back.
   */
  constructor(
    private readonly give: (writer: Writer, isWanted: boolean) => void,
    private readonly ask: (writer: Writer) => void,
  ) {}

  want(writer: Writer): void {
    if (writer === this.#holder || this.#waiting.includes(writer)) return;
    this.#waiting.push(writer);
    if (this.#holder === undefined) this.#next();
    else if (this.#waiting.length === 1) this.ask(this.#holder);
  }

  /** The writer gives its turn back, or has ended. */
  leave(writer: Writer): void {
    const place = this.#waiting.indexOf(writer);
    if (place >= 0) this.#waiting.splice(place, 1);
    if (writer === this.#holder) this.#next();
  }

  #next(): void {
    this.#holder = this.#waiting.shift();
    if (this.#holder !== undefined) this.give(this.#holder, this.#waiting.length > 0);
  }
}
