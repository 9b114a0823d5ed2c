/** Reads a row of the journal's table. */
import type { Rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { quoted } from '../../database/statement-builder.js';
import { type ChangeAction, changeActions } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import { entryColumns } from '../entries/entry-sql.js';

export const positionColumn = (provider: Provider): string => (provider === 'sqlite' ? '"entry"' : '"position"');

/** An entry with what only the past of a record needs. */
export interface StoredEntry extends JournalEntry {
  /** Of a change the document's `updatedAt` before it; of a deleted record both of its times. */
  times: { createdAt?: Date; updatedAt?: Date };
}

/** The columns to select, and how their row becomes an entry. */
export function entryReader(
  provider: Provider,
  resources: readonly Resource[],
  changes = '"changes"',
): { columns: string; entryOf: (row: Rows[number]) => StoredEntry } {
  const byModel = new Map<string, Resource>(resources.map((resource) => [resource.model, resource]));
  const at = provider === 'sqlite' ? '"at"' : '"at"::text';
  const columns = [positionColumn(provider), at, ...entryColumns.slice(1, -1).map(quoted), changes].join(', ');
  return {
    columns,
    entryOf: (row) => {
      const [position, time, action, model, id, documentModel, documentId, revision, version, ...rest] = row;
      const [keyId, keyName, requestId, operation, changes] = rest;
      const resource = byModel.get(String(model));
      if (!resource) throw new Error(`The journal names a type that is not there: ${model}`);
      return {
        position: Number(position),
        at: instant(time),
        action: actionIn(action),
        resource,
        id: String(id),
        document: { resource: byModel.get(String(documentModel)), id: String(documentId) },
        revision: Number(revision),
        version: Number(version),
        author: {
          keyId: String(keyId),
          keyName: String(keyName),
          requestId: String(requestId),
          operation: operation == null ? undefined : String(operation),
        },
        ...changesIn(actionIn(action), JSON.parse(String(changes))),
      };
    },
  };
}

function changesIn(action: ChangeAction, stored: Record<string, unknown>): Pick<StoredEntry, 'changes' | 'times'> {
  const changes: FieldChange[] = [];
  const times: StoredEntry['times'] = {};
  for (const [field, value] of Object.entries(stored)) {
    const [before, after] = valuesIn(action, value);
    if (field === 'createdAt' || field === 'updatedAt') times[field] = instant(before);
    else changes.push({ field, before, after });
  }
  return { changes, times };
}

function valuesIn(action: ChangeAction, value: unknown): [before: unknown, after: unknown] {
  if (action === 'create') return [null, value];
  if (action === 'delete') return [value, null];
  const [before, after] = Array.isArray(value) ? value : [];
  return [before ?? null, after ?? null];
}

function actionIn(text: unknown): ChangeAction {
  const action = changeActions.find((each) => each === text);
  if (!action) throw new Error(`The journal has an action that is not known: ${text}`);
  return action;
}

/** Both databases store UTC, PostgreSQL without saying so. */
export function instant(text: unknown): Date {
  const written = String(text).replace(' ', 'T');
  const read = new Date(/(Z|[+-]\d\d:\d\d)$/.test(written) ? written : `${written}Z`);
  if (Number.isNaN(read.getTime()))
    throw new Error(`The database returned an instant in a form that is not known: ${text}`);
  return read;
}

/** One committed change of one record. */
export interface JournalEntry {
  /** Ascending in the order in which readers may see the entries; never used again. */
  position: number;
  /** When the document was changed, as in its `updatedAt`. */
  at: Date;
  action: ChangeAction;
  resource: Resource;
  id: string;
  /** The record itself, or the parent of a line; without a resource if that is not stored here. */
  document: { resource: Resource | undefined; id: string };
  /** The version of the document after the change; of a deleted document one more than its last. */
  revision: number;
  /** The version of the record after the change; of a deleted record its last. */
  version: number;
  author: { keyId: string; keyName: string; requestId: string; operation: string | undefined };
  changes: readonly FieldChange[];
}

export interface FieldChange {
  /** The name of the field in GraphQL. */
  field: string;
  /** Null if it had none, or if the record is new. */
  before: unknown;
  after: unknown;
}
