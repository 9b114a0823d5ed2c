/** Reorders the lines of a parent. */

import type { Procedure } from '../../common/work.js';
import { errors } from '../../model/errors/errors.js';
import { shownId } from '../../model/errors/gateway-error.js';
import { mostProblems } from '../../model/errors/problem.js';
import type { Resource } from '../../model/resource.js';
import { applyPlan } from '../apply-plan.js';
import type { ChangeContext } from '../context.js';
import type { Step } from '../plan.js';
import { unknownParent } from '../refusals.js';
import { parentOf } from '../statements/parent.js';
import { linesWithParent } from './line.js';

/**
 * Puts a parent's lines into the order of `ids`, which must name each of them once; without `ids` it only closes gaps.
 * Returns the ids in their new order (docs/decisions.md: reorder). @throws BAD_USER_INPUT `reorder_mismatch` with the
 * `unexpected` ids, and the `missing` ones if `reportsMissing`; `resource_missing`
 */
export function* reorder(
  writing: ChangeContext,
  resource: Resource,
  {
    parentId,
    ids,
    reportsMissing,
  }: { parentId: string; ids?: readonly string[] | null | undefined; reportsMissing: boolean },
): Procedure<string[]> {
  const { provider } = writing;
  for (let isOvertaken = false; ; isOvertaken = true) {
    if (isOvertaken) yield* parentOf(provider, resource, parentId, true);
    const present = yield* linesWithParent(provider, resource, parentId);
    const parent = present?.parent ?? (yield* parentOf(provider, resource, parentId, false));
    const known = resource.parents[0]?.resource;
    if (!parent) throw known ? unknownParent(known, parentId, ['parentId']) : new Error('A line has a parent');
    const places = present?.places ?? new Map<string, number>();
    const wanted = [...(ids ?? places.keys())];
    refuseMismatch([...places.keys()], wanted, reportsMissing);
    const rows = wanted
      .map((id, index) => ({ id, values: { idx: index + 1 } }))
      .filter(({ id, values }) => places.get(id) !== values.idx);
    const steps: Step[] =
      rows.length === 0
        ? [{ kind: 'lock', parent }]
        : [
            { kind: 'raise', parent, version: parent.version },
            { kind: 'update', resource, rows, action: 'update' },
          ];
    if (yield* applyPlan(writing, { steps })) return wanted;
  }
}

/** The most ids of lines that an error lists; a document may have any number. */
const mostMissing = 1_000;

function refuseMismatch(present: readonly string[], wanted: readonly string[], reportsMissing: boolean): void {
  const left = new Set(present);
  const unexpected = wanted.filter((id) => !left.delete(id));
  if (unexpected.length === 0 && left.size === 0) return;
  const told = unexpected.slice(0, mostProblems).map(shownId);
  const missing = reportsMissing ? [...left].slice(0, mostMissing) : [];
  const named = [
    ...(told.length > 0 ? [`it names ${firstOf(told, unexpected.length)}, not among them or named before`] : []),
    ...(missing.length > 0 ? [`it lacks ${firstOf(missing, left.size)}`] : []),
  ];
  throw errors.badInput([
    {
      path: ['ids'],
      code: 'reorder_mismatch',
      message: ['must name every line of the parent exactly once', ...named].join('; '),
      details: reportsMissing ? { missing, unexpected: told } : { unexpected: told },
    },
  ]);
}

function firstOf([first]: readonly string[], count: number): string {
  return count > 1 ? `"${first}" and ${count - 1} more` : `"${first}"`;
}
