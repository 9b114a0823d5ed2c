/**
 * The only function that writes records. Everything that happens with each change is here: rules are asked before,
 * observers are called after, and nothing is written if nothing differs.
 */
import type { Change } from '../../model/change.js';
import type { Procedure, Rows } from '../../work.js';
import { ids } from '../ids.js';
import type { ChangeContext } from './change-context.js';
import { changesOf } from './changes.js';
import { insertStatements } from './insert.js';
import { forgetParentStatement, lockParentStatement, raiseVersionStatement } from './parent.js';
import type { Plan, Step } from './plan.js';
import { remove } from './remove.js';
import { askRules } from './rules.js';
import { runUpdate } from './run-update.js';
import { shiftStatement } from './shift.js';
import { type AnswerSql, singleStatement } from './single-statement.js';

export interface AppliedPlan {
  /** The answer's row, if the writing statement has returned it. */
  answer?: Rows[number];
}

/**
 * Applies a plan within the transaction of the work. Returns undefined, with nothing written, if the parent of the
 * plan's lines has changed since they were read: then they have to be read again. @throws NOT_FOUND, VERSION_CONFLICT,
 * INVALID_STATE, BAD_USER_INPUT
 */
export function* applyPlan(writing: ChangeContext, plan: Plan, folded?: AnswerSql): Procedure<AppliedPlan | undefined> {
  const { observers } = writing.handlers;
  const befores = yield* askRules(writing, plan);
  const at = ids.now();
  const isUnwatched = befores.size === 0 && observers.length === 0;
  const whole = folded && isUnwatched && singleStatement(writing.provider, plan, folded, at);
  if (whole) {
    const [answer] = yield whole;
    if (answer) return { answer };
  }
  const changes: Change[] = [];
  for (const step of plan.steps) {
    const written = yield* write(writing, step, at, isUnwatched && plan.steps.length === 1);
    if (!written) return undefined;
    if (observers.length === 0) continue;
    // Not spread: a document may have more lines than a call takes arguments.
    for (const change of changesOf(step, written, befores.get(step), writing.by, at)) changes.push(change);
  }
  if (changes.length > 0) for (const observe of observers) yield* observe(changes);
  return {};
}

/** The rows returned by a step's statements; undefined if a parent has changed. */
function* write({ provider }: ChangeContext, step: Step, at: Date, isWhole: boolean): Procedure<Rows | undefined> {
  switch (step.kind) {
    case 'insert': {
      const found: Rows[number][] = [];
      for (const statement of insertStatements(provider, step)) for (const row of yield statement) found.push(row);
      return found;
    }
    case 'update':
      return yield* runUpdate(provider, step, at);
    case 'remove':
      return yield* remove(provider, step, isWhole);
    case 'shift':
      return yield shiftStatement(provider, step);
    case 'raise': {
      const raised = yield raiseVersionStatement(provider, step, at);
      return raised.length > 0 ? raised : undefined;
    }
    case 'lock': {
      const statement = lockParentStatement(provider, step);
      return !statement || (yield statement).length > 0 ? [] : undefined;
    }
    case 'forget':
      return yield forgetParentStatement(provider, step);
  }
}
