/** Shows what submitting, cancelling or deleting a record would do, by a dry run. */

import { oncePer } from '../../common/kept.js';
import type { Procedure } from '../../common/work.js';
import { createSerialQueue } from '../../database/queues.js';
import type { RecordModel } from '../../model/catalogue.js';
import type { Values } from '../../model/change.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Action } from '../../model/lifecycle.js';
import type { Resource } from '../../model/resource.js';
import { countLines } from '../apply-plan.js';
import type { ChangeContext, WriteRequestContext } from '../context.js';
import { isSeen } from '../limit-plan.js';
import { dryRun } from '../perform.js';
import { readStored } from '../statements/stored-record.js';
import { removeLine } from './line.js';
import { moveRecord, removeRecords } from './record.js';

export interface Preview {
  /** Why it is refused; undefined if it is allowed. */
  reason?: string;
  /** The fields whose value would change. */
  changes: PreviewedChange[];
  /** The lists whose lines would be deleted too. */
  deletes: { list: string; type: RecordModel; count: number }[];
}

export interface PreviewedChange {
  field: string;
  from: unknown;
  to: unknown;
}

export interface PreviewRequest {
  id: string;
  action: Action | 'delete';
  version?: number | null | undefined;
}

/** Null if there is no such record. */
export function preview(
  context: WriteRequestContext,
  resource: Resource,
  request: PreviewRequest,
): Promise<Preview | null> {
  return turnsOf(context.database)(() => dryRun(context, (writing) => previewed(writing, resource, request)), {
    last: true,
  });
}

function* previewed(
  writing: ChangeContext,
  resource: Resource,
  { id, action, version }: PreviewRequest,
): Procedure<Preview | null> {
  const before = yield* valuesIn(writing, resource, id);
  if (!before) return null;
  try {
    if (action !== 'delete') {
      yield* moveRecord(writing, resource, { id, action, expectedVersion: version });
      const after = yield* valuesIn(writing, resource, id);
      const changes = resource.fields.map(({ name: field }) => ({ field, from: before[field], to: after?.[field] }));
      return { changes: changes.filter(({ from, to }) => from !== to), deletes: [] };
    }
    const counts = yield* countLines(writing, resource, [id]);
    const deletes = resource.lines.map(({ field: list, resource: { model: type } }, place) => {
      return { list, type, count: counts[place] ?? 0 };
    });
    if (resource.kind === 'child') yield* removeLine(writing, resource, { id, version });
    else yield* removeRecords(writing, resource, [{ id, version }], false);
    return { changes: [], deletes };
  } catch (error) {
    const reason = error instanceof GatewayError ? refusalIn(error) : undefined;
    if (reason === undefined) throw error;
    return { reason, changes: [], deletes: [] };
  }
}

/**
 * Each dry run occupies SQLite's only writer, so those of one request are queued, with the writes of others in between.
 */
const turnsOf = oncePer((_database: WriteRequestContext['database']) => createSerialQueue());

/** The refusal as a sentence; undefined for an error of another kind. */
function refusalIn({ code, message, details }: GatewayError): string | undefined {
  if (code === 'INVALID_STATE' || code === 'VERSION_CONFLICT' || code === 'FORBIDDEN') return message;
  if (code !== 'BAD_USER_INPUT') return undefined;
  return details.problems?.map(({ path, message: problem }) => `\`${path.join('.')}\` ${problem}.`).join(' ');
}

function* valuesIn(writing: ChangeContext, resource: Resource, id: string): Procedure<Values | undefined> {
  if (!(yield* isSeen(writing, resource, id))) return undefined;
  const { provider } = writing;
  const names = resource.fields.map(({ name }) => name);
  const [record] = yield* readStored(provider, resource, { by: 'id', among: [id], names, isLocked: false });
  return record?.values;
}
