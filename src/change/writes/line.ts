/**
 * Creates, changes or deletes one line. `idx` runs from 1 without gaps. Every change first raises the parent's version,
 * which serialises the writers of one parent's lines, and then opens or closes the gap it makes, all in one transaction
 * (docs/decisions.md: `idx`).
 */

import type { Procedure, Rows } from '../../common/work.js';
import type { Values } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import type { Resource } from '../../model/resource.js';
import { largestInt32 } from '../../model/storable.js';
import { scopeOf } from '../../query/scope.js';
import { type AppliedPlan, applyPlan } from '../apply-plan.js';
import type { ChangeContext } from '../change-context.js';
import { requiredParent } from '../parent-type.js';
import { refuseRows, unknownParent } from '../refusals.js';
import { problemsOfInput } from '../rules.js';
import type { AnswerSql } from '../statements/answer-sql.js';
import { parentOf } from '../statements/parent.js';
import type { ParentState, Step } from '../step.js';
import { unreadPlan } from '../unread-line.js';
import { differences, newRow, valuesOf } from '../values.js';
import { type LineWithParent, lineWithParent } from './line-with-parent.js';
import type { WrittenRecord } from './record.js';

export interface WrittenLine {
  id: string;
  parentId: string;
  /** The answer's row, if the writing statement has returned it. */
  answer?: Rows | undefined;
}

/** Creates a line at `idx`, or after the last one. @throws BAD_USER_INPUT for an unknown parent */
export function* createLine(writing: ChangeContext, resource: Resource, input: Values): Procedure<WrittenLine> {
  const scope = scopeOf(resource);
  const parentId = String(input[scope]);
  const given = input.idx == null ? undefined : Number(input.idx);
  const required = requiredParent(resource);
  const requires = required && { line: resource, id: parentId, path: ['input', scope] };
  for (;;) {
    const parent: Pick<ParentState, 'id' | 'resource'> | undefined = required
      ? { id: parentId, resource: required.resource }
      : yield* parentOf(writing.provider, resource, parentId, false);
    if (!parent) throw new Error('A parent that need not exist always has a state');
    const link = resource.parents.find((candidate) => candidate.resource === parent.resource);
    const place = { idx: given ?? largestInt32 };
    const row = newRow(resource, input, link ? { ...place, [link.reference]: parentId } : place);
    const steps: Step[] = [{ kind: 'raise', parent }];
    if (given !== undefined) steps.push({ kind: 'shift', resource, parentId, from: given, by: 1 });
    steps.push({ kind: 'insert', resource, rows: [row], behind: scope, at: () => ['input'] });
    if (yield* applyPlan(writing, { steps, requires })) return { id: row.id, parentId };
    if (required) throw unknownParent(required.resource, parentId, ['input', scope]);
  }
}

/** Changes a line, and moves it if `idx` is given. @throws NOT_FOUND, VERSION_CONFLICT, BAD_USER_INPUT */
export function* updateLine(
  writing: ChangeContext,
  resource: Resource,
  { id, input, version }: { id: string; input: Values; version?: number | null | undefined },
  folded?: AnswerSql,
): Procedure<WrittenRecord> {
  const scope = scopeOf(resource);
  const values = valuesOf(resource, input);
  const given = { kind: 'update', resource, rows: [{ id, values }], action: 'update', at: () => ['input'] } as const;
  const problems = problemsOfInput(writing, given);
  if (problems.length > 0) throw errors.badInput(problems);
  const unread = folded && unreadPlan(writing, { ...given, rows: [{ id, values, version }] });
  const applied = unread && (yield* applyPlan(writing, unread, folded));
  if (applied) return { id, answer: applied.answer };
  return yield* withLockedParent(writing, resource, id, Object.keys(values), function* ({ line, parent, count }) {
    if (values[scope] !== undefined && values[scope] !== parent.id) throw parentIsFixed(scope);
    refuseRows({ resource, rows: [{ id }] }, [{ id, values, version }], new Map([[id, line]]));
    const from = Number(line.values.idx);
    const to = count === undefined ? from : Math.min(Number(values.idx), count);
    const changed = differences(line.values, { ...values, idx: to });
    if (Object.keys(changed).length === 0) {
      return yield* applyPlan(writing, { steps: [{ kind: 'lock', parent }], inputProblems: [] });
    }
    const steps: Step[] = [{ kind: 'raise', parent, version: parent.version }];
    const between = { kind: 'shift', resource, parentId: parent.id } as const;
    if (to < from) steps.push({ ...between, from: to, to: from - 1, by: 1 });
    if (to > from) steps.push({ ...between, from: from + 1, to, by: -1 });
    steps.push({ kind: 'update', resource, rows: [{ id, values: changed }], action: 'update', at: () => ['input'] });
    return yield* applyPlan(writing, { steps, inputProblems: [] }, folded);
  });
}

/** Deletes a line and closes its gap. @throws NOT_FOUND, VERSION_CONFLICT */
export function* removeLine(
  writing: ChangeContext,
  resource: Resource,
  { id, version }: { id: string; version?: number | null | undefined },
): Procedure<WrittenLine> {
  return yield* withLockedParent(writing, resource, id, ['idx'], function* ({ line, parent, count }) {
    refuseRows({ resource, rows: [{ id }] }, [{ id, values: {}, version }], new Map([[id, line]]));
    const idx = Number(line.values.idx);
    const steps: Step[] = [
      { kind: 'raise', parent, version: parent.version },
      { kind: 'remove', resource, rows: [{ id }] },
    ];
    if (count === undefined || idx < count)
      steps.push({ kind: 'shift', resource, parentId: parent.id, from: idx + 1, by: -1 });
    if (count === 1 && !parent.resource) steps.push({ kind: 'forget', line: resource, parent });
    return yield* applyPlan(writing, { steps });
  });
}

/**
 * Reads a line and runs `work`, which returns undefined if the parent has changed since. If so, locks the parent and
 * tries again. @throws NOT_FOUND
 */
function* withLockedParent(
  { provider }: ChangeContext,
  resource: Resource,
  id: string,
  names: readonly string[],
  work: (standing: LineWithParent) => Procedure<AppliedPlan | undefined>,
): Procedure<WrittenLine> {
  for (let isOvertaken = false; ; isOvertaken = true) {
    let standing = yield* lineWithParent(provider, resource, id, names);
    if (standing && isOvertaken) {
      yield* parentOf(provider, resource, standing.parent.id, true);
      standing = yield* lineWithParent(provider, resource, id, names);
    }
    if (!standing) throw errors.notFound(resource.title, id);
    const applied = yield* work(standing);
    if (applied) return { id, parentId: standing.parent.id, answer: applied.answer };
  }
}

const parentIsFixed = (scope: string): Error =>
  errors.badInput([
    {
      path: ['input', scope],
      code: 'parameter_immutable',
      message: 'cannot change; delete this line and create it under the other parent',
    },
  ]);
