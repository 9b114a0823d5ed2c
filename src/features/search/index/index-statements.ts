/** Writes the words of records into the search index. Triggers of the database write each word (`SearchWord`). */

import { rowsTable, type TableColumn } from '../../../change/statements/rows-table.js';
import { quoted, StatementBuilder } from '../../../change/statements/statement-builder.js';
import type { Statement } from '../../../common/work.js';
import type { Provider } from '../../../database/migrations/migration-history.js';

export interface IndexedRecord {
  /** The type and the id of the document. */
  model: string;
  documentId: string;
  /** The id of the line; empty for the document itself. */
  recordId: string;
  /** The text of a JSON array. */
  words: string;
}

const names = ['model', 'documentId', 'recordId', 'words'] as const;
const columns = names.map((name): TableColumn<IndexedRecord> => ({ name, type: 'text', cell: (each) => each[name] }));

export function* indexStatements(provider: Provider, records: Iterable<IndexedRecord>): Generator<Statement> {
  let batch: IndexedRecord[] = [];
  let characters = 0;
  for (const record of records) {
    batch.push(record);
    characters += record.words.length;
    if (characters < mostCharacters && batch.length < mostRecords) continue;
    yield statementOf(provider, batch);
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield statementOf(provider, batch);
}

/** What one statement writes, so that it takes some ten milliseconds: about two thousand words. */
const mostCharacters = 16_000;
const mostRecords = 500;

function statementOf(provider: Provider, records: readonly IndexedRecord[]): Statement {
  const text = new StatementBuilder(provider);
  return text.statement(`${into} ${source(text, records)} ${onConflict}`);
}

/** The rows as VALUES, or as arrays for PostgreSQL. */
function source(text: StatementBuilder, records: readonly IndexedRecord[]): string {
  if (text.provider === 'postgresql') return `SELECT * FROM ${rowsTable(text, 'new', columns, records)}`;
  for (const record of records) for (const name of names) text.bind(record[name]);
  return `VALUES ${Array(records.length).fill('(?, ?, ?, ?)').join(', ')}`;
}

const into = `INSERT INTO "SearchText" (${names.map(quoted).join(', ')})`;
const onConflict = `ON CONFLICT ("documentId", "recordId") DO UPDATE SET "words" = excluded."words"
  WHERE "SearchText"."words" <> excluded."words"`;
