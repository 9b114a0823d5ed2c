import type { Procedure, Rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { Journaled } from '../entries/journaled.js';
import { mismatchOf, refuseRows } from '../refusals.js';
import type { RaiseVersion } from '../step.js';
import { differences } from '../values.js';
import { raiseForeignStatement } from './parent.js';
import { readStored } from './stored-record.js';
import { raising, type Update } from './update.js';
import { updateStatements } from './update-many.js';

interface UpdateOptions {
  isObserved: boolean;
  journaled: Journaled | undefined;
}

/**
 * Runs an update step and returns the id and version of each changed row; rows that already have the values are not
 * written. Undefined if the step raises a version and the row has changed since it was read. @throws NOT_FOUND,
 * VERSION_CONFLICT, INVALID_STATE
 */
export function* runUpdate(
  provider: Provider,
  step: Update,
  at: Date,
  { isObserved, journaled }: UpdateOptions,
): Procedure<Rows | undefined> {
  const { resource, raises } = step;
  if (provider === 'sqlite' && !isObserved && (yield* changesAll(step, at))) return [];
  const changed = new Map<string, Rows[number]>();
  let open = step.rows;
  for (let attempt = 1; attempt <= 2; attempt++) {
    const rows = open.filter(({ values }) => raises || Object.keys(values).length > 0);
    if (rows.length > 0) {
      for (const statement of updateStatements(provider, { ...step, rows }, at, journaled)) {
        for (const row of yield statement) changed.set(String(row[0]), row);
      }
    }
    open = open.filter(({ id }) => !changed.has(id));
    if (open.length === 0) return [...changed.values()];
    if (raises && !open.some(({ locked }) => locked)) return undefined;

    // Locked, so that the state cannot change any more: a row that may be changed now is changed by the second attempt.
    const names = [...new Set(open.flatMap(({ values }) => Object.keys(values)))];
    if (resource.documentLike && !names.includes('status')) names.push('status');
    const among = open.map(({ id }) => id);
    const found = yield* readStored(provider, resource, { by: 'id', among, names, isLocked: true });
    const records = new Map(found.map((record) => [record.id, record]));
    if (raises && !open.some((row) => mismatchOf(row, records.get(row.id)) === 'locked')) return undefined;
    refuseRows(step, open, records);
    open = open.filter(({ id, values }) => Object.keys(differences(records.get(id)?.values ?? {}, values)).length > 0);
    if (open.length === 0) return [...changed.values()];
  }
  // Another transaction was there in between: the whole mutation is repeated.
  throw Object.assign(new Error(`${resource.model} ${open[0]?.id} was not changed and nothing says why`), {
    code: '40001',
  });
}

/** Raises the version of a plan's document. Undefined if it is gone, or has changed since its lines were read, or is not known. */
export function* raiseVersion(
  provider: Provider,
  step: RaiseVersion,
  at: Date,
  options: UpdateOptions,
): Procedure<Rows | undefined> {
  const { parent, version, locked } = step;
  const { id, resource } = parent;
  if (id === undefined) return undefined;
  if (resource) return yield* runUpdate(provider, raising(resource, { id, version, locked }), at, options);
  const raised = yield raiseForeignStatement(provider, step);
  return raised.length > 0 ? raised : undefined;
}

/**
 * Updates many rows on SQLite, and says whether all of them have changed. Counting them takes half as long as returning
 * them. Only for rows without conditions: of those, the ones that have changed are found by reading them.
 */
function* changesAll(step: Update, at: Date): Procedure<boolean> {
  const { rows } = step;
  const isPlain = rows.every(({ values, version, statuses, locked }) => {
    return Object.keys(values).length > 0 && version == null && !statuses && !locked;
  });
  if (rows.length < 2 || !isPlain) return false;
  let count = 0;
  for (const statement of updateStatements('sqlite', step, at, 'nothing returned')) {
    const [counted] = yield { ...statement, isCounted: true };
    count += Number(counted?.[0]);
  }
  return count === rows.length;
}
