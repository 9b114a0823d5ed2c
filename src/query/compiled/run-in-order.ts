import type { MaybePromise } from '../../common/maybe-promise.js';
import type { Turns } from '../../database/turns.js';

/**
 * How many reads are made at the same time on PostgreSQL. Not all at once, because the first ones may already exceed the
 * limit of the answer.
 */
const atOnce = 4;

/** Runs the reads in order and collects their results. Between two of them the event loop serves other requests. */
export function runInOrder<Value>(
  questions: readonly (() => MaybePromise<Value>)[],
  turns?: Turns,
  there: readonly Value[] = [],
): MaybePromise<readonly Value[]> {
  const values = [...there];
  while (values.length < questions.length) {
    const due = turns?.due();
    if (due) return due.then(() => runInOrder(questions, turns, values));
    const [first, ...others] = questions.slice(values.length, values.length + atOnce);
    if (!first) break;
    const value = first();
    if (value instanceof Promise) {
      return Promise.all([value, ...others.map((ask) => ask())]).then((more) =>
        runInOrder(questions, turns, [...values, ...more]),
      );
    }
    values.push(value);
  }
  return values;
}
