/** Converts the steps of a plan to the changes that observers receive. */
import type { Procedure, Rows } from '../common/work.js';
import type { Provider } from '../database/migrations/migration-history.js';
import type { Author, Change, ChangeAction, Values } from '../model/change.js';
import { actionTo } from '../model/lifecycle.js';
import { firstVersion, type Resource, scopeOf } from '../model/resource.js';
import type { Insert, Remove, Step, Update } from './plan.js';
import { decidingColumns } from './refusals.js';
import { readStored } from './statements/stored-record.js';
import type { StoredRecord } from './values.js';

/** `written` holds the rows returned by the step's statements. */
export const changesOf = (step: Step, written: Rows, before: Before | undefined, by: Author, at: Date): Change[] =>
  madeBy(step, written, before).map((change) => ({ by, at, ...change }));

function madeBy(step: Step, written: Rows, before: Before | undefined): Made[] {
  switch (step.kind) {
    case 'insert':
      return inserted(step, written);
    case 'update':
      return updated(step, written, before);
    case 'remove':
      return [
        ...(before?.lines ?? []).flatMap(({ resource, lines }) => lines.map((line) => removed(resource, line))),
        ...step.rows.flatMap(({ id }) => before?.records.get(id) ?? []).map((record) => removed(step.resource, record)),
      ];
    case 'shift':
      return written.map(([id, idx, version]) => ({
        resource: step.resource,
        id: String(id),
        action: 'move',
        before: { idx: Number(idx) - step.by },
        after: { idx: Number(idx) },
        version: Number(version),
        documentId: step.parentId,
      }));
    default:
      return [];
  }
}

type Made = Omit<Change, 'by' | 'at'>;

function inserted({ resource, rows, behind }: Insert, written: Rows): Made[] {
  return rows.map((row) => {
    const fields = Object.fromEntries(resource.fields.map(({ name }) => [name, row[name] ?? null]));
    const after = behind ? { ...fields, idx: Number(written[0]?.[0]) } : fields;
    const documentId = documentOf(resource, row.id, after);
    return { resource, id: row.id, action: 'create', before: undefined, after, version: firstVersion, documentId };
  });
}

function updated({ resource, rows }: Update, written: Rows, before: Before | undefined): Made[] {
  const versions = new Map(written.map(([id, version]) => [String(id), Number(version)]));
  return rows.flatMap(({ id, values }) => {
    const [record, version] = [before?.records.get(id), versions.get(id)];
    const changed = Object.keys(values).filter((name) => record?.values[name] !== values[name]);
    if (!record || version === undefined || changed.length === 0) return [];
    const after = { ...record.values, ...values };
    const action = actionOf(resource, changed, after);
    return { resource, id, action, before: record.values, after, version, documentId: documentOf(resource, id, after) };
  });
}

function actionOf({ documentLike, kind }: Resource, changed: readonly string[], { status }: Values): ChangeAction {
  const reached = documentLike && changed.includes('status') ? actionTo(status) : undefined;
  if (reached) return reached;
  return kind === 'child' && changed.every((name) => name === 'idx') ? 'move' : 'update';
}

function removed(resource: Resource, { id, version, values }: StoredRecord): Made {
  return {
    resource,
    id,
    action: 'delete',
    before: values,
    after: undefined,
    version,
    documentId: documentOf(resource, id, values),
  };
}

/** The id of the document that a record belongs to: for a line that of its parent. */
function documentOf(resource: Resource, id: string, values: Values): string {
  return resource.kind === 'child' ? String(values[scopeOf(resource)]) : id;
}

/** The records of a step before it, by id, with the lines that would be deleted with them. */
export interface Before {
  records: ReadonlyMap<string, StoredRecord>;
  lines: readonly { resource: Resource; lines: readonly StoredRecord[] }[];
}

/** The records read for rules and observers; steps that neither rules nor observers need are missing. */
export type Befores = ReadonlyMap<Step, Before>;

/** Lines need no lock: the plan first raises their parent's version, which detects concurrent changes. */
export function* readBefore(provider: Provider, step: Update | Remove): Procedure<Before> {
  const { resource, rows, allowed } = step;
  const ids = rows.map(({ id }) => id);
  const found = yield* whole(provider, resource, ids, resource.kind !== 'child', decidingColumns(resource, allowed));
  const lines: { resource: Resource; lines: StoredRecord[] }[] = [];
  if (step.kind === 'remove') {
    for (const { resource: child, reference } of resource.lines) {
      const reading = { by: reference, among: ids, names: [], isLocked: false };
      const there = (yield* readStored(provider, child, reading)).map(({ id }) => id);
      lines.push({ resource: child, lines: yield* whole(provider, child, there, false) });
    }
  }
  return { records: new Map(found.map((each) => [each.id, each])), lines };
}

/** Records read by one statement: a result larger than an answer may be is refused, so many are read in parts. */
const mostAtOnce = 250;

/** Records with all their fields. They are locked in the order of their ids, as everybody locks several. */
function* whole(
  provider: Provider,
  resource: Resource,
  ids: readonly string[],
  isLocked: boolean,
  further: readonly string[] = [],
): Procedure<StoredRecord[]> {
  const names = [...new Set([...resource.fields.map(({ name }) => name), ...further])];
  const ordered = ids.length > mostAtOnce ? ids.toSorted() : ids;
  const found: StoredRecord[] = [];
  for (let start = 0; start < ordered.length; start += mostAtOnce) {
    const among = ordered.slice(start, start + mostAtOnce);
    for (const each of yield* readStored(provider, resource, { by: 'id', among, names, isLocked })) found.push(each);
  }
  return found;
}
