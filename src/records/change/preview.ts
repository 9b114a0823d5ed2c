/** Shows what submitting, cancelling or deleting a record would do, by a dry run. */
import { type InTurn, oneAtATime } from '../../database/one-at-a-time.js';
import { GatewayError } from '../../errors.js';
import type { Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import type { Work } from '../../work.js';
import type { Action } from '../lifecycle.js';
import { removeLine } from './line.js';
import { rehearse } from './perform.js';
import { present } from './present.js';
import { move, remove } from './record.js';
import { Text } from './text.js';
import type { WriteContext, Writing } from './writing.js';

export interface Preview {
  /** Why it is refused; undefined if it is allowed. */
  reason?: string;
  /** The fields whose value would change. */
  changes: FieldChange[];
  /** The lists whose lines would be deleted too. */
  deletes: { list: string; type: string; count: number }[];
}

export interface FieldChange {
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
export function preview(context: WriteContext, resource: Resource, request: PreviewRequest): Promise<Preview | null> {
  return turnsOf(context)(() => rehearse(context, (writing) => previewed(writing, resource, request)), { last: true });
}

function* previewed(
  writing: Writing,
  resource: Resource,
  { id, action, version }: PreviewRequest,
): Work<Preview | null> {
  const before = yield* valuesIn(writing, resource, id);
  if (!before) return null;
  try {
    if (action !== 'delete') {
      yield* move(writing, resource, { id, action, version });
      const after = yield* valuesIn(writing, resource, id);
      return { changes: changesOf(resource, before, after ?? {}), deletes: [] };
    }
    const deletes = yield* linesOf(writing, resource, id);
    yield* (resource.kind === 'child' ? removeLine : remove)(writing, resource, { id, version });
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
function turnsOf({ database }: WriteContext): InTurn {
  const turns = known.get(database) ?? oneAtATime();
  known.set(database, turns);
  return turns;
}

const known = new WeakMap<WriteContext['database'], InTurn>();

/** The refusal as a sentence; undefined for an error of another kind. */
function refusalIn({ code, message, details }: GatewayError): string | undefined {
  if (code === 'INVALID_STATE' || code === 'VERSION_CONFLICT') return message;
  if (code !== 'BAD_USER_INPUT') return undefined;
  return details.problems?.map(({ path, message: problem }) => `\`${path.join('.')}\` ${problem}.`).join(' ');
}

function* valuesIn({ provider }: Writing, resource: Resource, id: string): Work<Values | undefined> {
  const names = resource.fields.map(({ name }) => name);
  const [record] = yield* present(provider, resource, { by: 'id', among: [id], names, isLocked: false });
  return record?.values;
}

function changesOf({ fields }: Resource, before: Values, after: Values): FieldChange[] {
  return fields
    .filter(({ name }) => before[name] !== after[name])
    .map(({ name }) => ({ field: name, from: before[name], to: after[name] }));
}

/** The number of lines in each list. */
function* linesOf({ provider }: Writing, { lines }: Resource, id: string): Work<Preview['deletes']> {
  const deletes: Preview['deletes'] = [];
  for (const { field, resource, reference } of lines) {
    const text = new Text(provider);
    const [row] = yield text.statement(
      `SELECT count(*) FROM "${resource.model}" WHERE "${reference}" = ${text.bind(id)}`,
    );
    deletes.push({ list: field, type: resource.model, count: Number(row?.[0]) });
  }
  return deletes;
}
