/** The transactions of a request whose commit has begun, is done, or has an unknown outcome, each as an object of its own. */
export class BegunCommits {
  /** Made for the first. */
  #all: Set<object> | undefined;

  get isEmpty(): boolean {
    return this.#all === undefined || this.#all.size === 0;
  }

  add(transaction: object): void {
    this.#all ??= new Set();
    this.#all.add(transaction);
  }

  delete(transaction: object): void {
    this.#all?.delete(transaction);
  }

  has(transaction: object): boolean {
    return this.#all?.has(transaction) ?? false;
  }
}
