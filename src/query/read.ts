import type { RequestContext } from '../change/context.js';
import { type Resource, singletonId } from '../model/resource.js';
import { type Client, delegate, type SelectedRecord, type Selection } from './delegate.js';

/** The record with the id, or null. Ids of other record types find nothing. */
export function readOne(
  { database }: Pick<RequestContext, 'database'>,
  resource: Resource,
  id: string,
  selection: Selection,
): Promise<SelectedRecord | null> {
  return delegate(database.client, resource).findUnique({ ...selection, where: { id } });
}

/** A singleton's only record, which the first migration creates. */
export async function readSingleton(
  context: Pick<RequestContext, 'database'>,
  resource: Resource,
  selection: Selection,
): Promise<SelectedRecord> {
  const row = await readOne(context, resource, singletonId(resource), selection);
  if (!row) throw new Error(`${resource.model}: its record is missing; the first migration makes it`);
  return row;
}

/** The records in the given order; missing ones are left out. */
export async function readMany(
  client: Client,
  resource: Resource,
  ids: readonly string[],
  selection: Selection,
): Promise<SelectedRecord[]> {
  const select = { ...selection.select, id: true };
  const rows = await delegate(client, resource).findMany({
    where: { id: { in: [...ids] } },
    select,
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
