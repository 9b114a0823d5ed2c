/** The entries of new records, whose values are known before anything is written. */
import { groupedBy } from '../../common/grouped.js';
import type { SqlType, StatementBuilder, TableColumn } from '../../database/statement-builder.js';
import type { Values } from '../../model/change.js';
import { firstVersion, type Resource, scopeOf } from '../../model/resource.js';
import type { Insert } from '../plan.js';
import { parentResource } from '../refusals.js';
import { type Journaled, lineDocument, mask, nameSql, selectEntries } from './entry-sql.js';

export interface CreatedEntry {
  model: string;
  id: string;
  documentModel: string | undefined;
  documentId: string;
  at: Date;
  /** The versions of the document and of the record. */
  revision: number;
  version: number;
  readonly changes: string;
}

/**
 * Without a `document`, which is that of all lines, lines are created together with their documents, which come first in the
 * plan, and have their times.
 */
export function createdEntries(
  inserts: readonly Insert[],
  { at, document, createdAt: times }: Journaled,
): CreatedEntry[] {
  const entries: CreatedEntry[] = [];
  for (const { resource, rows, behind, versions } of inserts) {
    const isLine = resource.kind === 'child';
    for (const row of rows) {
      const documentId = isLine ? String(row[scopeOf(resource)]) : row.id;
      if (row.createdAt instanceof Date && !versions) times.set(row.id, row.createdAt);
      entries.push({
        model: resource.model,
        id: row.id,
        documentModel: (document ? document.resource : isLine ? parentResource(resource, documentId) : resource)?.model,
        documentId,
        at: times.get(documentId) ?? at,
        revision: versions?.get(documentId) ?? 1,
        version: versions ? Number(row.version) : firstVersion,
        // Built together with its statement, so that other work can run between many of them.
        get changes() {
          return recordJson(resource, row, behind && 'idx');
        },
      });
    }
  }
  return entries;
}

/** The JSON text of a new record: its fields that are not null. */
function recordJson({ fields }: Resource, row: Values, but?: string): string {
  const given: Values = {};
  for (const { name, secret } of fields) {
    const value = row[name];
    if (value !== null && value !== undefined && name !== but) given[name] = secret ? mask : value;
  }
  return JSON.stringify(given);
}

/** The same entries with those of each document together, in the order in which the documents come first. */
export const byDocument = (entries: readonly CreatedEntry[]): CreatedEntry[] =>
  [...groupedBy(entries, ({ documentId }) => documentId).values()].flat();

/** Where new lines of a document that existed before are read from. */
export interface NewLines {
  /** The table from which their document, or the place of a single line, is read. */
  from?: string | undefined;
  /** The place of a single line, if the database finds it. */
  idx?: string | undefined;
}

/** A SELECT of the entries; those of new `lines` take from their document what they have in common. */
export function selectCreated(
  text: StatementBuilder,
  journaled: Journaled,
  entries: readonly CreatedEntry[],
  lines?: NewLines,
): string {
  const document = lines && lineDocument(text, journaled);
  const [first] = entries;
  if (first && entries.length === 1) {
    const changes = () => text.typed(first.changes.slice(lines?.idx ? 1 : 0), 'text');
    return selectEntries(text, journaled.by, {
      action: nameSql('create'),
      model: nameSql(first.model),
      id: text.typed(first.id, 'text'),
      version: String(first.version),
      changes: lines?.idx ? `'{"idx":' || ${lines.idx} || ',' || ${changes()}` : changes(),
      from: lines?.from,
      ...(document ?? {
        at: text.typed(first.at, 'timestamp(3)'),
        revision: String(first.revision),
        documentModel: nameSql(first.documentModel),
        documentId: text.typed(first.documentId, 'text'),
      }),
    });
  }
  const table = text.table('new', columnsOfEntry, entries);
  const column = (name: keyof CreatedEntry) => `"new"."${name}"`;
  return selectEntries(text, journaled.by, {
    action: nameSql('create'),
    model: column('model'),
    id: column('id'),
    version: column('version'),
    changes: column('changes'),
    from: lines?.from ? `${lines.from} CROSS JOIN ${table}` : table,
    ...(document ?? {
      at: column('at'),
      revision: column('revision'),
      documentModel: column('documentModel'),
      documentId: column('documentId'),
    }),
  });
}

const column = (name: keyof CreatedEntry, type: SqlType): TableColumn<CreatedEntry> => ({
  name,
  type,
  cell: (entry) => entry[name] ?? null,
});
export const columnsOfEntry = [
  ...(['model', 'id', 'documentModel', 'documentId', 'changes'] as const).map((name) => column(name, 'text')),
  ...(['revision', 'version'] as const).map((name) => column(name, 'integer')),
  column('at', 'timestamp(3)'),
];
