/** Creates, changes or deletes many records of one type, all or nothing. */

import type { Procedure, Rows } from '../../common/work.js';
import type { Values } from '../../model/change.js';
import { openStatuses } from '../../model/lifecycle.js';
import type { Resource } from '../../model/resource.js';
import { applyPlan } from '../apply-plan.js';
import type { ChangeContext } from '../change-context.js';
import type { AnswerSql } from '../statements/answer-sql.js';
import { valuesOf } from '../values.js';
import { repetitions } from './list-problems.js';
import { type InsertPlan, insertsOf } from './record.js';

export interface RecordUpdate {
  id: string;
  input: Values;
  /** The version that the caller has read. */
  expectedVersion?: number | null | undefined;
}

export interface WrittenRecords {
  ids: readonly string[];
  /** The answer's rows in any order, if the writing statement has returned them. */
  answer?: Rows | undefined;
}

/** Creates records, each with its lines. Returns their ids in the order of the inputs. */
export function* createRecords(
  writing: ChangeContext,
  resource: Resource,
  inputs: readonly Values[],
  folded?: AnswerSql,
): Procedure<WrittenRecords> {
  if (inputs.length === 0) return { ids: [] };
  const plan = creationsOf(resource, inputs);
  const applied = yield* applyPlan(writing, plan, folded);
  return { ids: plan.steps[0].rows.map(({ id }) => id), answer: applied?.answer };
}

/** The plan of new records with their lines. */
export const creationsOf = (resource: Resource, inputs: readonly Values[]): InsertPlan => ({
  steps: insertsOf(resource, inputs, (record) => ['inputs', record]),
  isList: true,
});

/**
 * Changes records, each in its own way. Returns their ids in the order of the updates. @throws BAD_USER_INPUT,
 * VERSION_CONFLICT or INVALID_STATE with the problem of every refused update
 */
export function* updateRecords(
  writing: ChangeContext,
  resource: Resource,
  updates: readonly RecordUpdate[],
): Procedure<string[]> {
  const rows = updates.map(({ id, input, expectedVersion }) => {
    const values = valuesOf(resource, input);
    return { id, values, version: expectedVersion, statuses: openStatuses(resource, values) };
  });
  const ids = rows.map(({ id }) => id);
  const problems = repetitions(ids, (index) => ['updates', index, 'id']);
  const at = (row: number) => ['updates', row, 'input'];
  const steps = [{ kind: 'update', resource, rows, action: 'update', items: 'updates', at } as const];
  yield* applyPlan(writing, { steps, problems, isList: true });
  return ids;
}

/** Deletes records and their lines permanently. @throws BAD_USER_INPUT with every unknown id */
export function* removeRecords(writing: ChangeContext, resource: Resource, ids: readonly string[]): Procedure<void> {
  const problems = repetitions(ids, (index) => ['ids', index]);
  if (ids.length === 0) return;
  const rows = ids.map((id) => ({ id }));
  yield* applyPlan(writing, { steps: [{ kind: 'remove', resource, rows, items: 'ids' }], problems, isList: true });
}
