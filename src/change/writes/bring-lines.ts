/** Creates lines that bring their ids and versions with them, under a parent that has been there before or is not stored here. */

import type { Procedure } from '../../common/work.js';
import type { Resource } from '../../model/resource.js';
import { applyPlan } from '../apply-plan.js';
import type { ChangeContext } from '../change-context.js';
import { parentOf } from '../statements/parent.js';
import type { Step } from '../step.js';
import { raiseAboveDeleted } from './above-deleted.js';
import { type Brought, broughtRow } from './brought-row.js';
import { linesWithParent } from './line-with-parent.js';

/** Puts each line at its `idx`, or after all others; existing lines move down. */
export function* bringLines(
  writing: ChangeContext,
  resource: Resource,
  parentId: string,
  lines: readonly Brought[],
): Procedure<void> {
  for (;;) {
    const parent = yield* parentOf(writing.provider, resource, parentId, true);
    if (!parent) throw new Error('A parent that need not exist always has a state');
    const places = (yield* linesWithParent(writing.provider, resource, parentId))?.places ?? new Map<string, number>();
    const order: (string | Brought)[] = [...places.keys()];
    for (const line of lines.toSorted((one, other) => placeOf(one) - placeOf(other))) {
      order.splice(Math.min(placeOf(line) - 1, order.length), 0, line);
    }
    const link = resource.parents.find((candidate) => candidate.resource === parent.resource);
    const owned = link ? { [link.reference]: parentId } : {};
    const moved: { id: string; values: { idx: number } }[] = [];
    const rows: ReturnType<typeof broughtRow>[] = [];
    for (const [index, each] of order.entries()) {
      const idx = index + 1;
      if (typeof each !== 'string') rows.push(broughtRow(resource, each, { ...owned, parentId, idx }));
      else if (places.get(each) !== idx) moved.push({ id: each, values: { idx } });
    }
    yield* raiseAboveDeleted(writing.provider, parentId, rows);
    const steps: Step[] = [{ kind: 'raise', parent, version: parent.version }];
    if (moved.length > 0) steps.push({ kind: 'update', resource, rows: moved, action: 'move' });
    steps.push({ kind: 'insert', resource, rows, versions: new Map() });
    const ofItsOwn = { ...writing, written: { rows: 0, characters: 0 } };
    if (yield* applyPlan(ofItsOwn, { steps })) return;
  }
}

const placeOf = ({ idx }: Brought): number => (typeof idx === 'number' ? idx : Number.MAX_SAFE_INTEGER);
