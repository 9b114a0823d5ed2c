/** Tells listeners of each transaction that has been committed. */
export class CommitListeners {
  readonly #listeners: (() => void)[] = [];

  /** `report` is called with what a listener throws: what is committed is acknowledged all the same. */
  constructor(private readonly report: (error: unknown) => void) {}

  readonly add = (listener: () => void): void => void this.#listeners.push(listener);

  /** The same result, once the listeners are told. */
  async after<Result>(committing: Promise<Result>): Promise<Result> {
    const result = await committing;
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.report(error);
      }
    }
    return result;
  }
}
