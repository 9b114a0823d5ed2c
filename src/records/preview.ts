/** What submitting, cancelling or deleting a record would do: it is done, looked at, and undone. */
import type { RequestContext } from '../context.js';
import { GatewayError } from '../errors.js';
import type { Resource } from '../model/resource.js';
import type { Row } from './delegate.js';
import { dryRun } from './dry-run.js';
import type { Action } from './lifecycle.js';
import { deleteLine } from './lines.js';
import { readOne } from './read.js';
import { deleteRecord, moveRecord } from './write.js';

export interface Preview {
  /** Why it cannot be done; undefined where it can. */
  reason?: string;
  /** The fields that would have another value. */
  changes: Change[];
  /** The lists whose lines would go with the record. */
  deletes: { list: string; type: string; count: number }[];
}

export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** Null where there is no such record. */
export function preview(
  context: Pick<RequestContext, 'database'>,
  resource: Resource,
  id: string,
  action: Action | 'delete',
  version?: number,
): Promise<Preview | null> {
  return dryRun(context, async (rehearsal) => {
    const before = await readOne(rehearsal, resource, id, wholeRecord(resource));
    if (!before) return null;
    try {
      if (action !== 'delete') {
        const after = await moveRecord(rehearsal, resource, id, action, wholeRecord(resource), version);
        return { changes: changesOf(resource, before, after), deletes: [] };
      }
      const remove = resource.kind === 'child' ? deleteLine : deleteRecord;
      await remove(rehearsal, resource, id, version);
      return { changes: [], deletes: linesOf(resource, before) };
    } catch (error) {
      const isRefusal = error instanceof GatewayError && refusals.has(error.code);
      if (!isRefusal) throw error;
      return { reason: error.message, changes: [], deletes: [] };
    }
  });
}

const refusals: ReadonlySet<string> = new Set<GatewayError['code']>(['INVALID_STATE', 'VERSION_CONFLICT']);

/** Every field, and how many lines there are in each list. */
function wholeRecord({ fields, lines }: Resource): { select: object } {
  const columns = Object.fromEntries(fields.map(({ name }) => [name, true]));
  const counts = Object.fromEntries(lines.map(({ field }) => [field, true]));
  return { select: { id: true, ...columns, ...(lines.length > 0 ? { _count: { select: counts } } : {}) } };
}

function changesOf({ fields }: Resource, before: Row, after: Row): Change[] {
  return fields
    .filter(({ name }) => before[name] !== after[name])
    .map(({ name }) => ({ field: name, from: before[name], to: after[name] }));
}

function linesOf({ lines }: Resource, { _count: counts }: Row): Preview['deletes'] {
  const counted: Record<string, unknown> = typeof counts === 'object' && counts !== null ? { ...counts } : {};
  return lines.map(({ field, resource }) => ({
    list: field,
    type: resource.model,
    count: Number(counted[field] ?? 0),
  }));
}
