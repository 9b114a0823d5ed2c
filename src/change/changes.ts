/** Converts the steps of a plan to the changes that observers receive. */

import type { Rows } from '../common/work.js';
import type { Author, Change, ChangeAction, Values } from '../model/change.js';
import { transitions } from '../model/lifecycle.js';
import { firstVersion, type Resource } from '../model/resource.js';
import { scopeOf } from '../query/scope.js';
import type { Before } from './before.js';
import type { StoredRecord } from './statements/stored-record.js';
import type { Update } from './statements/update.js';
import type { Insert, Step } from './step.js';

/** `written` holds the rows returned by the step's statements. */
export function changesOf(step: Step, written: Rows, before: Before | undefined, by: Author, at: Date): Change[] {
  switch (step.kind) {
    case 'insert':
      return inserted(step, written).map((change) => ({ ...change, by, at }));
    case 'update':
      return updated(step, written, before).map((change) => ({ ...change, by, at }));
    case 'remove': {
      const lines = before?.lines ?? [];
      return [
        ...lines.flatMap(({ resource, lines }) => lines.map((line) => removed(resource, line))),
        ...step.rows.flatMap(({ id }) => before?.records.get(id) ?? []).map((record) => removed(step.resource, record)),
      ].map((change) => ({ ...change, by, at }));
    }
    case 'shift':
      return written.map(([id, idx, version]) => ({
        resource: step.resource,
        id: String(id),
        action: 'move',
        before: { idx: Number(idx) - step.by },
        after: { idx: Number(idx) },
        version: Number(version),
        documentId: step.parentId,
        by,
        at,
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
  if (documentLike && changed.includes('status')) {
    if (status === transitions.submit.to) return 'submit';
    if (status === transitions.cancel.to) return 'cancel';
  }
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
