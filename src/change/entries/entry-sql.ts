/** The journal's entries as SQL: a SELECT of new entries, which an INSERT takes. */
import type { Author, ChangeAction } from '../../model/change.js';
import { quoted, type StatementBuilder } from '../statements/statement-builder.js';

const columns = [
  'at',
  'action',
  'model',
  'recordId',
  'documentModel',
  'documentId',
  'revision',
  'version',
  'keyId',
  'keyName',
  'requestId',
  'operation',
  'changes',
];

/** The place of the document's id among the columns, from 1. */
export const documentIdColumn = columns.indexOf('documentId') + 1;

export const insertEntries = `INSERT INTO "JournalEntry" (${columns.map(quoted).join(', ')})`;

/** Writes an expression. Called in the order of the text, because SQLite numbers values by their position. */
export type ExpressionWriter = () => string;

/** Where the entries of a SELECT come from. */
export interface EntryValues {
  model: string | ExpressionWriter;
  action: ChangeAction | ExpressionWriter;
  /** The time of the change, as in the document's `updatedAt`. */
  at: ExpressionWriter;
  id: ExpressionWriter;
  documentModel: string | undefined | ExpressionWriter;
  documentId: ExpressionWriter;
  revision: ExpressionWriter;
  version: ExpressionWriter;
  /** The JSON text of the changed fields. */
  changes: ExpressionWriter;
  /** What follows FROM; undefined for a single entry of given values. */
  from?: ExpressionWriter | undefined;
}

export function selectEntries(text: StatementBuilder, by: Author, source: EntryValues): string {
  const { model, action, documentModel, from } = source;
  const values = [
    source.at(),
    written(action),
    written(model),
    source.id(),
    documentModel === undefined ? text.typed(null, 'text') : written(documentModel),
    source.documentId(),
    source.revision(),
    source.version(),
    text.typed(by.keyId, 'text'),
    text.typed(by.keyName, 'text'),
    text.typed(by.requestId, 'text'),
    text.typed(by.operation ?? null, 'text'),
    source.changes(),
  ];
  return `SELECT ${values.join(', ')}${from ? ` FROM ${from()}` : ''}`;
}

/** Names of types and actions hold nothing that would need quoting. */
const written = (name: string | ExpressionWriter): string => (typeof name === 'string' ? `'${name}'` : name());
