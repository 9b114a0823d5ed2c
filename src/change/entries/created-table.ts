/** The entries of new records as a table that a statement reads. */
import { rowsTable, type SqlType, type TableColumn } from '../statements/rows-table.js';
import type { StatementBuilder } from '../statements/statement-builder.js';

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

export function createdTable(text: StatementBuilder, entries: readonly CreatedEntry[]): string {
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
