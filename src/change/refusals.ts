/** Why a record was not changed: it is missing, or has another version or state. */
import { errors } from '../model/errors/errors.js';
import { quotedId } from '../model/errors/gateway-error.js';
import type { Problem } from '../model/errors/problem.js';
import { allowedActions, lockProblem, refused, refusedByLock } from '../model/lifecycle.js';
import { withArticle } from '../model/names.js';
import { isIdOf, type Resource, scopeOf } from '../model/resource.js';
import { columnsIn, matches } from '../query/matches.js';
import type { AllowedRows, PathOf, Refusable, RowUpdate } from './plan.js';
import { differences, type StoredRecord } from './values.js';

export type Mismatch = 'missing' | 'forbidden' | 'version' | 'state' | 'locked';

/** Undefined if the row may be changed. What the caller may not see is missing, whatever else is wrong. */
export function mismatchOf(
  { version, statuses, values = {} }: Partial<Wanted>,
  present: StoredRecord | undefined,
  { locked, allowed }: Pick<Refusable, 'locked' | 'allowed'> = {},
): Mismatch | undefined {
  if (!present || (allowed && !matches(allowed.seen, present.values))) return 'missing';
  if (allowed && !matches(allowed.rule, present.values)) return 'forbidden';
  if (version != null && version !== present.version) return 'version';
  if (statuses && !statuses.some((status) => status === present.values.status)) return 'state';
  if (allowed && !matches(allowed.rule, { ...present.values, ...values })) return 'forbidden';
  if (!locked || !lockProblem(present.values.status)) return undefined;
  const changed = Object.keys(differences(present.values, values)).filter((name) => name !== 'status');
  return locked === 'whole' || changed.length > 0 ? 'locked' : undefined;
}

/** The columns that decide whether a row may be changed, besides those of its version. */
export const decidingColumns = ({ documentLike }: Resource, allowed: AllowedRows | undefined): string[] => [
  ...new Set([
    ...(documentLike ? ['status'] : []),
    ...(allowed ? columnsIn(allowed.rule) : []),
    ...(allowed ? columnsIn(allowed.seen) : []),
  ]),
];

type Wanted = Pick<RowUpdate, 'id' | 'values' | 'version' | 'statuses'>;

/**
 * Refuses rows that may not be changed: with an error for a single record, with a problem for each item of a list.
 * @throws NOT_FOUND, VERSION_CONFLICT or INVALID_STATE; for a list BAD_USER_INPUT or the kind of its first problem
 */
export function refuseRows(...rows: Parameters<typeof problemsOfRows>): void {
  const problems = problemsOfRows(...rows);
  if (problems.length > 0) throw errors.badItems(problems);
}

/** The problem of each record of a list that may not be changed, where it is named first. @throws the error for a single record */
export function problemsOfRows(
  step: Refusable & { rows: readonly { id: string }[] },
  open: readonly Wanted[],
  found: Iterable<StoredRecord>,
): Problem[] {
  const { resource, rows, items } = step;
  const records = new Map(Array.from(found, (record) => [record.id, record]));
  const problems = new Map<string, Problem>();
  for (const row of open) {
    const present = records.get(row.id);
    const reason = mismatchOf(row, present, step);
    if (!reason || problems.has(row.id)) continue;
    if (reason === 'forbidden') throw errors.notAllowed(resource.title, step.allowed?.actions ?? []);
    if (!items) throw errorOfRow(resource, row, reason, present);
    const path = [items, rows.findIndex(({ id }) => id === row.id)];
    problems.set(row.id, problemOf(resource, row, reason, present, path));
  }
  return [...problems.values()];
}

/** The error for a single record: NOT_FOUND, VERSION_CONFLICT or INVALID_STATE. */
function errorOfRow(
  resource: Resource,
  { id, values }: Wanted,
  reason: Mismatch,
  present: StoredRecord | undefined,
): Error {
  if (!present || reason === 'missing') return errors.notFound(resource.title, id);
  if (reason === 'version') return errors.versionConflict(resource.title, present.version);
  if (reason === 'locked') return refusedByLock(resource, present.values.status);
  return refused(resource, values.status, present.values.status);
}

/** The same for an item of a list. */
function problemOf(
  resource: Resource,
  { id, values }: Wanted,
  reason: Mismatch,
  present: StoredRecord | undefined,
  path: Problem['path'],
): Problem {
  if (!present || reason === 'missing') return missingRecord(resource, id, path[0] === 'ids' ? path : [...path, 'id']);
  if (reason === 'version') {
    return {
      path: [...path, 'expectedVersion'],
      code: 'version_conflict',
      message: `is not the version the ${resource.title} is at, which is ${present.version}`,
      details: { currentVersion: present.version },
    };
  }
  const { status } = present.values;
  const isLocked = reason === 'locked';
  return {
    path: isLocked ? path : [...path, 'input', 'status'],
    code: 'invalid_state',
    message: isLocked
      ? `names ${withArticle(resource.title)} that is ${status}, and submitted documents are locked here`
      : `cannot become "${values.status}": the ${resource.title} is ${status}`,
    details: { currentState: status, allowedActions: allowedActions(status) },
  };
}

/** Another transaction was there in between: the whole mutation is repeated. */
export const overtaken = ({ model }: Resource, id: string | undefined, what: 'changed' | 'deleted'): Error =>
  Object.assign(new Error(`${model} ${id} was not ${what} and nothing says why`), { code: '40001' });

/** The error for an input value at `path` that names a missing parent. */
export const unknownParent = (parent: Resource, id: string, path: Problem['path']): Error =>
  errors.badInput([missingRecord(parent, id, path)]);

/** The record type of a parent: by the type of the line, or else by the parent's id. */
export function parentResource(child: Resource, id: string): Resource | undefined {
  return (requiredParent(child) ?? child.parents.find(({ resource }) => isIdOf(resource, id)))?.resource;
}

/** The relation to the parent of lines whose parent must exist; undefined for lines that may belong to any record. */
export const requiredParent = (child: Resource) => child.parents.find(({ reference }) => reference === scopeOf(child));

export const foreignParents = 'ForeignParent';

/** Items that name the same record as an earlier one. */
export function repetitions(ids: readonly string[], pathOf: PathOf): Problem[] {
  const first = new Map<string, number>();
  return ids.flatMap((id, index) => {
    const before = first.get(id);
    first.set(id, before ?? index);
    if (before === undefined) return [];
    const message = `names the same record as number ${before + 1} of the list`;
    return [{ path: pathOf(index), code: 'parameter_invalid', message }];
  });
}

const missingRecord = ({ title }: Resource, id: string, path: Problem['path']): Problem => ({
  path,
  code: 'resource_missing',
  message: `names no ${title}: there is none with the id ${quotedId(id)}`,
});
