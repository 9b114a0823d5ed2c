/** The entries of new records, whose values are known before anything is written. */
import type { Author } from '../../model/change.js';
import { firstVersion } from '../../model/resource.js';
import { scopeOf } from '../../query/scope.js';
import type { Insert } from '../plan.js';
import { parentResource } from '../refusals.js';
import { batchesOf, type StatementBuilder } from '../statements/statement-builder.js';
import { rowsTable, type SqlType, type TableColumn } from '../statements/update-rows.js';
import { type ExpressionWriter, recordJson, selectEntries } from './changes-sql.js';
import type { Journaled } from './journaled.js';
import type { Part } from './sqlite-updates.js';

/**
 * `document` is that of all lines; without it, lines are created together with their documents, which come first in the
 * plan, and have their times.
 */
export function createdEntries(
  inserts: readonly Insert[],
  { at, document, createdAt: times }: Pick<Journaled, 'at' | 'document' | 'createdAt'>,
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

/** The same entries with those of each document together, in the order in which the documents come first. */
export function byDocument(entries: readonly CreatedEntry[]): CreatedEntry[] {
  const documents = new Map<string, CreatedEntry[]>();
  for (const entry of entries) {
    const known = documents.get(entry.documentId);
    if (known) known.push(entry);
    else documents.set(entry.documentId, [entry]);
  }
  return [...documents.values()].flat();
}

/** What new lines take from their document, if it existed before. */
export interface NewLines {
  at: ExpressionWriter;
  revision: ExpressionWriter;
  /** The table from which these are read. */
  from?: string;
  /** The place of a single line, if the database finds it. */
  idx?: ExpressionWriter;
}

/**
 * Entries of new documents with their lines on SQLite, which takes bound values in half the time that it needs to read
 * them from JSON. In batches that fit into a statement.
 */
export function* valuesOfCreated(by: Author, entries: readonly CreatedEntry[]): Generator<Part> {
  for (const batch of batchesOf('sqlite', entries, valuesOfEntry)) {
    yield { select: (text) => writtenValues(text, by, batch), size: batch.length * valuesOfEntry };
  }
}

function writtenValues(text: StatementBuilder, by: Author, entries: readonly CreatedEntry[]): string {
  const { keyId, keyName, requestId, operation = null } = by;
  for (const { at, model, id, documentModel = null, documentId, revision, version, changes } of entries) {
    for (const value of [at, model, id, documentModel, documentId, revision, version]) text.bind(value);
    for (const value of [keyId, keyName, requestId, operation, changes]) text.bind(value);
  }
  return `VALUES ${Array(entries.length).fill(rowOfEntry).join(', ')}`;
}

/** In the order of the columns in `changes-sql.ts`. */
const rowOfEntry = `(?, 'create', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const valuesOfEntry = rowOfEntry.split('?').length - 1;

/** A SELECT of the entries. */
export function selectCreated(
  text: StatementBuilder,
  by: Author,
  entries: readonly CreatedEntry[],
  lines?: NewLines,
): string {
  const [first] = entries;
  if (first && entries.length === 1) {
    const { model, documentModel, id, documentId, revision, version, changes } = first;
    const idx = lines?.idx;
    return selectEntries(text, by, {
      action: 'create',
      revision: lines?.revision ?? (() => String(revision)),
      version: () => String(version),
      model,
      documentModel,
      at: lines?.at ?? (() => text.typed(first.at, 'timestamp(3)')),
      id: () => text.typed(id, 'text'),
      documentId: () => text.typed(documentId, 'text'),
      changes: () =>
        idx ? `'{"idx":' || ${idx()} || ',' || ${text.typed(changes.slice(1), 'text')}` : text.typed(changes, 'text'),
      from: lines?.from === undefined ? undefined : () => lines.from ?? '',
    });
  }
  const column = (name: keyof CreatedEntry) => () =>
    text.provider === 'sqlite' ? `"new"."value" ->> '${name}'` : `"new"."${name}"`;
  return selectEntries(text, by, {
    action: 'create',
    revision: lines?.revision ?? column('revision'),
    version: column('version'),
    model: column('model'),
    documentModel: column('documentModel'),
    at: lines?.at ?? column('at'),
    id: column('id'),
    documentId: column('documentId'),
    changes: column('changes'),
    from: () => [...(lines?.from ? [lines.from] : []), createdTable(text, entries)].join(' CROSS JOIN '),
  });
}

/** The entries of new records as a table that a statement reads. */
interface CreatedEntry {
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

function createdTable(text: StatementBuilder, entries: readonly CreatedEntry[]): string {
  if (text.provider === 'postgresql') return rowsTable(text, 'new', columnsOfEntry, entries);
  const rows = entries.map((entry) => ({ ...entry, at: text.stored(entry.at) }));
  return `json_each(${text.bind(JSON.stringify(rows))}) AS "new"`;
}

const column = (name: keyof CreatedEntry, type: SqlType): TableColumn<CreatedEntry> => ({
  name,
  type,
  cell: (entry) => entry[name] ?? null,
});
const columnsOfEntry = [
  ...(['model', 'id', 'documentModel', 'documentId', 'changes'] as const).map((name) => column(name, 'text')),
  ...(['revision', 'version'] as const).map((name) => column(name, 'integer')),
  column('at', 'timestamp(3)'),
];
