/**
 * The two statements every change of an existing record is made of: one conditional update, and, where it changed
 * nothing, a look at why. Because the condition is in the update itself, of many racing writers exactly one wins.
 */
import { errors } from '../errors.js';
import type { Resource } from '../model/resource.js';
import type { ChangedRecord } from './changed-record.js';
import { type Client, delegate, type Row, type Selection } from './delegate.js';
import { touchValues } from './values.js';

/** Changes the record and returns what was selected of it. @throws NOT_FOUND, VERSION_CONFLICT, or what `explain` says. */
export async function changeRecord(
  tx: Client,
  { resource, id, values, version, statuses }: ChangedRecord,
  selection: Selection,
  explain?: (current: Row) => Error,
): Promise<Row> {
  const model = delegate(tx, resource);
  const where = {
    id,
    ...(version === undefined ? {} : { version }),
    ...(statuses === undefined ? {} : { status: { in: statuses } }),
  };
  const { count } = await model.updateMany({ where, data: { ...values, ...touchValues(resource) } });
  if (count === 0) throw await reasonOf(tx, resource, id, version, explain);
  const row = await model.findUnique({ ...selection, where: { id } });
  if (!row) throw errors.notFound(resource.title, id);
  return row;
}

/** Removes the record and, by the foreign keys, its children. @throws NOT_FOUND, VERSION_CONFLICT */
export async function removeRecord(tx: Client, resource: Resource, id: string, version?: number): Promise<undefined> {
  const where = { id, ...(version === undefined ? {} : { version }) };
  const { count } = await delegate(tx, resource).deleteMany({ where });
  if (count === 0) throw await reasonOf(tx, resource, id, version);
}

async function reasonOf(
  tx: Client,
  resource: Resource,
  id: string,
  version: number | undefined,
  explain?: (current: Row) => Error,
): Promise<Error> {
  const select = { id: true, version: true, ...(resource.documentLike ? { status: true } : {}) };
  const current = await delegate(tx, resource).findUnique({ where: { id }, select });
  if (!current) return errors.notFound(resource.title, id);
  if (version !== undefined && current.version !== version) {
    return errors.versionConflict(resource.title, Number(current.version));
  }
  return (
    explain?.(current) ?? errors.internal(new Error(`${resource.model} ${id} was not changed and nothing says why`))
  );
}
