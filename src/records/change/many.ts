/** Creates, changes or deletes many records of one type, all or nothing. */
import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import type { Work } from '../../work.js';
import { openStatuses } from '../lifecycle.js';
import { carryOut } from './carry-out.js';
import { repetitions } from './list-problems.js';
import { insertsOf } from './record.js';
import { valuesOf } from './values.js';
import type { Writing } from './writing.js';

export interface RecordUpdate {
  id: string;
  input: Values;
  /** The version that the caller has read. */
  expectedVersion?: number | null | undefined;
}

/** Creates records, each with its lines. Returns their ids in the order of the inputs. */
export function* createMany(writing: Writing, resource: Resource, inputs: readonly Values[]): Work<string[]> {
  if (inputs.length === 0) return [];
  const steps = insertsOf(resource, inputs, (record) => ['inputs', record]);
  yield* carryOut(writing, { steps, isList: true });
  return steps[0].rows.map(({ id }) => id);
}

/**
 * Changes records, each in its own way. Returns their ids in the order of the updates. @throws BAD_USER_INPUT,
 * VERSION_CONFLICT or INVALID_STATE with the problem of every refused update
 */
export function* updateMany(writing: Writing, resource: Resource, updates: readonly RecordUpdate[]): Work<string[]> {
  const rows = updates.map(({ id, input, expectedVersion }) => {
    const values = valuesOf(resource, input);
    return { id, values, version: expectedVersion, statuses: openStatuses(resource, values) };
  });
  const ids = rows.map(({ id }) => id);
  const problems = repetitions(ids, (index) => ['updates', index, 'id']);
  const at = (row: number) => ['updates', row, 'input'];
  const steps = [{ kind: 'update', resource, rows, action: 'update', items: 'updates', at } as const];
  yield* carryOut(writing, { steps, problems, isList: true });
  return ids;
}

/** Deletes records and their lines permanently. @throws BAD_USER_INPUT with every unknown id */
export function* removeMany(writing: Writing, resource: Resource, ids: readonly string[]): Work<void> {
  const problems = repetitions(ids, (index) => ['ids', index]);
  if (ids.length === 0) return;
  const rows = ids.map((id) => ({ id }));
  yield* carryOut(writing, { steps: [{ kind: 'remove', resource, rows, items: 'ids' }], problems, isList: true });
}
