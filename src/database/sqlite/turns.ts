import type { MaybePromise } from '../../common/maybe-promise.js';
import type { Procedure, Rows, Statement } from '../../common/work.js';
import { Turns } from '../turns.js';

/**
 * Runs a unit of work with `run` for each statement: synchronously while it is short. Long work gives others a turn now
 * and then, in which a deadline can pass, too.
 */
export function runInTurns<Result>(
  work: Procedure<Result>,
  run: (statement: Statement) => Rows,
  turns = new Turns(),
): MaybePromise<Result> {
  let step = work.next();
  while (!step.done) {
    const rows = run(step.value);
    const due = turns.due();
    if (due) return due.then(() => goOn(work, rows, run, turns));
    step = work.next(rows);
  }
  return step.value;
}

async function goOn<Result>(
  work: Procedure<Result>,
  rows: Rows,
  run: (statement: Statement) => Rows,
  turns: Turns,
): Promise<Result> {
  let step = work.next(rows);
  while (!step.done) {
    const next = run(step.value);
    await turns.due();
    step = work.next(next);
  }
  return step.value;
}
