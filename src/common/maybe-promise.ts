/**
 * A value, or a promise of it. SQLite answers synchronously and PostgreSQL does not; awaiting a value that is already
 * there would cost as much as the read itself.
 */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues with `value`: synchronously if it is no promise. */
export function whenResolved<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The result of `work`, or of `recover` if it throws or rejects. */
export function recoverWith<Result>(
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
