import type { MaybePromise } from '../when-there.js';

/** Fields asked for at a time where the database answers later: those that come first may be too much already. */
const atOnce = 4;

/** What all of the questions give, asked in their order. */
export function allThere<Value>(
  questions: readonly (() => MaybePromise<Value>)[],
  there: readonly Value[] = [],
): MaybePromise<readonly Value[]> {
  const values = [...there];
  while (values.length < questions.length) {
    const [first, ...others] = questions.slice(values.length, values.length + atOnce);
    if (!first) break;
    const value = first();
    if (value instanceof Promise) {
      return Promise.all([value, ...others.map((ask) => ask())]).then((more) =>
        allThere(questions, [...values, ...more]),
      );
    }
    values.push(value);
  }
  return values;
}
