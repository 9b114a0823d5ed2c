import type { MaybePromise } from '../when-there.js';

/** Fields asked for at a time where the database answers later: those that come first may be too much already. */
const atOnce = 4;

/** What all of the questions give, asked in their order, or undefined where one of them gives nothing. */
export function allThere<Value>(
  questions: readonly (() => MaybePromise<Value | undefined>)[],
  there: readonly Value[] = [],
): MaybePromise<readonly Value[] | undefined> {
  const values = [...there];
  while (values.length < questions.length) {
    const [first, ...others] = questions.slice(values.length, values.length + atOnce);
    const value = first?.();
    if (value instanceof Promise) {
      return Promise.all([value, ...others.map((ask) => ask())]).then((more) => {
        const found = more.filter((each) => each !== undefined);
        return found.length < more.length ? undefined : allThere(questions, [...values, ...found]);
      });
    }
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}
