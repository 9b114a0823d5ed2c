/**
 * Groups journal entries into the changes that a stream reports: those of a record with its lines, or of each record by
 * itself.
 */
import type { ChangeAction } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import type { Entry } from './entry.js';

/** A record that was changed by one transaction. */
export interface ChangedRecord {
  /** The highest of its entries. */
  position: number;
  action: ChangeAction;
  resource: Resource;
  id: string;
  parentId: string;
  version: number;
  /** The names of changed fields, and of lists whose lines were changed. */
  fields: readonly string[];
  /** The entry of the record itself; undefined if only lines were changed. */
  own: Entry | undefined;
}

/** One for each entry of the types that are watched. */
export function changesOfAll(
  entries: readonly Entry[],
  isWatched: (resource: Resource) => boolean,
  actions: ReadonlySet<string> | undefined,
): ChangedRecord[] {
  return entries
    .filter(({ resource, action }) => isWatched(resource) && (actions?.has(action) ?? true))
    .map((entry) => ({ ...entry, parentId: entry.document.id, own: entry }));
}

/** One for each record of the type and transaction, in the order of their positions. `id` names one record. */
export function changesOfType(entries: readonly Entry[], resource: Resource, id?: string): ChangedRecord[] {
  const transactions = new Map<string, Entry[]>();
  for (const entry of entries) {
    const isOwn = entry.resource === resource;
    const isLine = !isOwn && entry.document.resource === resource;
    if (!isOwn && !isLine) continue;
    if (id !== undefined && (isOwn ? entry.id : entry.document.id) !== id) continue;
    const key = `${entry.commit} ${isOwn ? entry.id : entry.document.id}`;
    const together = transactions.get(key) ?? [];
    if (together.push(entry) === 1) transactions.set(key, together);
  }
  return [...transactions.values()]
    .map((together) => changeOf(together, resource))
    .sort((one, other) => one.position - other.position);
}

function changeOf(entries: readonly Entry[], resource: Resource): ChangedRecord {
  const last = entries.reduce((one, other) => (other.position > one.position ? other : one));
  // A request may write the same record in several transactions of the same millisecond.
  const own = entries.findLast((entry) => entry.resource === resource);
  const lists = resource.lines.filter((list) => entries.some((entry) => entry.resource === list.resource));
  const fields = entries.flatMap((entry) => (entry.resource === resource ? entry.fields : []));
  const isDocument = own === undefined || own.id === own.document.id;
  return {
    position: last.position,
    action: own?.action ?? 'update',
    resource,
    id: own?.id ?? last.document.id,
    parentId: last.document.id,
    version: !isDocument || own?.action === 'delete' ? (own?.version ?? last.revision) : last.revision,
    fields: [...new Set([...fields, ...lists.map(({ field }) => field)])],
    own,
  };
}
