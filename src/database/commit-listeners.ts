import { type Procedure, type Statement, withStatementHook } from '../work.js';

/** Tells listeners of each transaction that has been committed. */
export class CommitListeners {
  readonly #listeners: (() => void)[] = [];

  /** `report` is called with what a listener throws: what is committed is acknowledged all the same. */
  constructor(private readonly report: (error: unknown) => void) {}

  readonly add = (listener: () => void): void => void this.#listeners.push(listener);

  /** The same result, once the listeners are told. */
  async after<Result>(committing: Promise<Result>): Promise<Result> {
    const result = await committing;
    this.#tell();
    return result;
  }

  /** The same for a unit of work that `perform` runs. Nobody is told of one that has only statements marked `isUntold`. */
  async afterWork<Result>(
    perform: (begin: () => Procedure<Result>) => Promise<Result>,
    begin: () => Procedure<Result>,
  ): Promise<Result> {
    let isTold = false;
    const look = ({ isUntold }: Statement) => {
      isTold ||= !isUntold;
    };
    const result = await perform(() => withStatementHook(begin(), look));
    if (isTold) this.#tell();
    return result;
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.report(error);
      }
    }
  }
}
