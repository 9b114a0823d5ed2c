import { AsyncLocalStorage } from 'node:async_hooks';
import { type Procedure, type Statement, withStatementHook } from '../common/work.js';

/** Calls listeners after each committed transaction. */
export class CommitListeners {
  readonly #listeners: (() => void)[] = [];

  /** `report` gets the errors of listeners. The commit is acknowledged all the same. */
  constructor(private readonly report: (error: unknown) => void) {}

  /** Listeners are not called in the name of the request that has committed. */
  readonly add = (listener: () => void): void => void this.#listeners.push(AsyncLocalStorage.bind(listener));

  /** The same result, after the listeners were called. */
  async after<Result>(committing: Promise<Result>): Promise<Result> {
    const result = await committing;
    this.#call();
    return result;
  }

  /**
   * The same for a unit of work that `perform` runs. Listeners are not called if all of its statements are marked
   * `callsNoListeners`.
   */
  async afterWork<Result>(
    perform: (begin: () => Procedure<Result>) => Promise<Result>,
    begin: () => Procedure<Result>,
  ): Promise<Result> {
    let callsListeners = false;
    const noteStatement = ({ callsNoListeners }: Statement) => {
      callsListeners ||= !callsNoListeners;
    };
    const result = await perform(() => withStatementHook(begin(), noteStatement));
    if (callsListeners) this.#call();
    return result;
  }

  #call(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        this.report(error);
      }
    }
  }
}
