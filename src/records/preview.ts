/** What submitting, cancelling or deleting a record would do: it is done, looked at, and undone. */
import type { RequestContext } from '../context.js';
import { type InTurn, oneAtATime } from '../database/one-at-a-time.js';
import { GatewayError } from '../errors.js';
import type { Resource } from '../model/resource.js';
import { delegate, type Row } from './delegate.js';
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
  context: Context,
  resource: Resource,
  id: string,
  action: Action | 'delete',
  version?: number,
): Promise<Preview | null> {
  const rehearse = async (rehearsal: Context): Promise<Preview | null> => {
    const before = await readOne(rehearsal, resource, id, wholeRecord(resource));
    if (!before) return null;
    try {
      if (action !== 'delete') {
        const after = await moveRecord(rehearsal, resource, id, action, wholeRecord(resource), version);
        return { changes: changesOf(resource, before, after), deletes: [] };
      }
      const deletes = await linesOf(rehearsal, resource, id);
      const remove = resource.kind === 'child' ? deleteLine : deleteRecord;
      await remove(rehearsal, resource, id, version);
      return { changes: [], deletes };
    } catch (error) {
      const isRefusal = error instanceof GatewayError && refusals.has(error.code);
      if (!isRefusal) throw error;
      return { reason: error.message, changes: [], deletes: [] };
    }
  };
  return turnsOf(context)(() => dryRun(context, rehearse), { last: true });
}

type Context = Pick<RequestContext, 'database'>;

/** Each holds the only writer of SQLite: those of one request take turns with the writes of all others. */
function turnsOf({ database }: Context): InTurn {
  const turns = known.get(database) ?? oneAtATime();
  known.set(database, turns);
  return turns;
}

const known = new WeakMap<Context['database'], InTurn>();

const refusals: ReadonlySet<string> = new Set<GatewayError['code']>(['INVALID_STATE', 'VERSION_CONFLICT']);

/** Every field. */
function wholeRecord({ fields }: Resource): { select: object } {
  return { select: { id: true, ...Object.fromEntries(fields.map(({ name }) => [name, true])) } };
}

function changesOf({ fields }: Resource, before: Row, after: Row): Change[] {
  return fields
    .filter(({ name }) => before[name] !== after[name])
    .map(({ name }) => ({ field: name, from: before[name], to: after[name] }));
}

/** How many lines there are in each list. Prisma's own count beside a record counts the lines of all records. */
async function linesOf({ database }: Context, { lines }: Resource, id: string): Promise<Preview['deletes']> {
  const deletes: Preview['deletes'] = [];
  for (const { field, resource, reference } of lines) {
    const count = await delegate(database.client, resource).count({ where: { [reference]: id } });
    deletes.push({ list: field, type: resource.model, count });
  }
  return deletes;
}
