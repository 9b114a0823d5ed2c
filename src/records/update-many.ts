import type { RequestContext } from '../context.js';
import type { Problem } from '../errors.js';
import type { Resource } from '../model/resource.js';
import { changeMany, type RowChange } from './change-many.js';
import { type Client, delegate, type Row, type Selection, type Values } from './delegate.js';
import { allowedActions, originOf } from './lifecycle.js';
import { refuse, repetitions, unknown } from './list-problems.js';
import { readMany } from './read.js';
import { updateProblems } from './rules/index.js';
import { valuesOf } from './values.js';

export interface Update {
  id: string;
  input: Values;
  /** The version the caller has seen. */
  expectedVersion?: number | null | undefined;
}

/**
 * Changes records, each in its own way; returns them in the order of the updates.
 * @throws BAD_USER_INPUT, VERSION_CONFLICT or INVALID_STATE with the problem of every update that cannot be
 */
export function updateRecords(
  { database }: Pick<RequestContext, 'database'>,
  resource: Resource,
  updates: readonly Update[],
  selection: Selection,
): Promise<Row[]> {
  const changes = updates.map(({ id, input, expectedVersion }): RowChange => {
    const values = valuesOf(resource, input);
    return { id, values, version: expectedVersion ?? undefined, origin: originOf(values.status) };
  });
  refuse([
    ...repetitions(
      updates,
      ({ id }) => id,
      (index) => ['updates', index, 'id'],
    ),
    ...updates.flatMap(({ input }, index) =>
      updateProblems(resource, input).map(({ path, ...problem }) => ({
        ...problem,
        path: ['updates', index, ...path],
      })),
    ),
  ]);
  return database.transaction(async (tx) => {
    const changed = await changeMany(tx, resource, changes);
    if (changed.size < changes.length) refuse(await reasons(tx, resource, changes, changed));
    return readMany(tx, resource, updates, selection);
  });
}

/** Why the changes that were not made could not be. */
async function reasons(
  tx: Client,
  resource: Resource,
  changes: readonly RowChange[],
  changed: ReadonlySet<string>,
): Promise<Problem[]> {
  const left = changes
    .map((change, index) => ({ ...change, path: ['updates', index] }))
    .filter(({ id }) => !changed.has(id));
  const select = { id: true, version: true, ...(resource.documentLike ? { status: true } : {}) };
  const rows = await delegate(tx, resource).findMany({ where: { id: { in: left.map(({ id }) => id) } }, select });
  const current = new Map(rows.map((row) => [row.id, row]));
  return left.map(({ id, version, values, path }): Problem => {
    const row = current.get(id);
    if (!row) return unknown(resource, id, [...path, 'id']);
    if (version !== undefined && version !== row.version) {
      const message = `is not the version the ${resource.title} is at, which is ${row.version}`;
      return {
        path: [...path, 'expectedVersion'],
        code: 'version_conflict',
        message,
        details: { currentVersion: row.version },
      };
    }
    const message = `cannot become "${values.status}": the ${resource.title} is ${row.status}`;
    const details = { currentState: row.status, allowedActions: allowedActions(row.status) };
    return { path: [...path, 'input', 'status'], code: 'invalid_state', message, details };
  });
}
