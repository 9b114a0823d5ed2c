/**
 * What SQLite answers is there at once, what PostgreSQL answers comes later. Where one way serves both, waiting for what
 * is there already would cost as much as the answer itself.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Goes on with `value`: at once where it is there, else when it comes. */
export function whenThere<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The outcome of `work`, or of `recover` where it fails, now or later. */
export function orElse<Result>(
  work: () => MaybePromise<Result>,
  recover: (error: unknown) => MaybePromise<Result>,
): MaybePromise<Result> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
