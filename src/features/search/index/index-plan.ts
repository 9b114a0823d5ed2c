/**
 * Keeps the search index with a plan that has been carried out, in its transaction. New records are indexed by the values
 * that are written; changed ones are read again, because an update knows only what it sets.
 */
import { documentOf } from '../../../change/entries/entry-sql.js';
import type { Insert, PlanWriter, Remove, Step, Update } from '../../../change/plan.js';
import { readStored } from '../../../change/statements/stored-record.js';
import type { Procedure, Statement } from '../../../common/work.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import { quoted, StatementBuilder, type TableColumn } from '../../../database/statement-builder.js';
import type { Values } from '../../../model/change.js';
import type { Resource } from '../../../model/resource.js';
import { searchIsOn } from '../search-state.js';
import { isSearched, noWords, searchedFields, storedWords } from '../searched-fields.js';

/** Indexes the words of each change; with `ifOn` only while a gateway keeps the index. */
export const indexingWriter = (ifOn: boolean): PlanWriter =>
  function* (provider, { steps }) {
    if (!steps.some(isIndexed) || (ifOn && !(yield* searchIsOn()))) return undefined;
    return () => indexSteps(provider, steps);
  };

function* indexSteps(provider: Provider, steps: readonly Step[]): Procedure<void> {
  for (const step of steps) {
    const indexed = isIndexed(step);
    if (indexed?.kind === 'insert') yield* indexStatements(provider, ofInsert(indexed));
    if (indexed?.kind === 'update') yield* ofUpdate(provider, indexed);
    if (indexed?.kind === 'remove') yield* forgetWords(provider, indexed, documentOf(steps)?.id);
  }
}

/** The step if it writes or deletes texts that are indexed. */
function isIndexed(step: Step): Insert | Update | Remove | undefined {
  if (step.kind !== 'insert' && step.kind !== 'update' && step.kind !== 'remove') return undefined;
  const { resource } = step;
  if (!isSearched(resource) && !resource.parents.some((parent) => isSearched(parent.resource))) return undefined;
  if (step.kind === 'insert') return searchedFields(resource).length > 0 ? step : undefined;
  if (step.kind === 'remove') return step;
  const names = searchedFields(resource);
  return step.rows.some(({ values }) => names.some((name) => name in values)) ? step : undefined;
}

/** One by one, so that other work can run between the words of many. */
function* ofInsert({ resource, rows }: Insert): Generator<IndexedRecord> {
  for (const row of rows) {
    const words = storedWords(resource, row);
    if (words !== noWords) yield* recordOf(resource, row.id, row, words);
  }
}

function* ofUpdate(provider: Provider, { resource, rows }: Update): Procedure<void> {
  const fields = searchedFields(resource);
  const changed = rows.filter(({ values }) => fields.some((name) => name in values)).map(({ id }) => id);
  const references = resource.parents.map(({ reference }) => reference);
  for (let start = 0; start < changed.length; start += mostAtOnce) {
    const reading = {
      by: 'id',
      among: changed.slice(start, start + mostAtOnce),
      names: [...references, ...fields],
      isLocked: false,
    };
    const records = (yield* readStored(provider, resource, reading)).flatMap(({ id, values }) =>
      recordOf(resource, id, values, storedWords(resource, values)),
    );
    yield* indexStatements(provider, records);
  }
}

/** A result larger than an answer may be is refused, so many are read in parts. */
const mostAtOnce = 250;

/** Nothing for lines of parents that no list shows, or that are not stored here, to which lines have no reference. */
function recordOf(resource: Resource, id: string, values: Values, words: string): IndexedRecord[] {
  if (resource.kind !== 'child') return [{ model: resource.model, documentId: id, recordId: '', words }];
  return resource.parents.flatMap(({ resource: document, reference }) => {
    const documentId = values[reference];
    const isFound = isSearched(document) && typeof documentId === 'string';
    return isFound ? [{ model: document.model, documentId, recordId: id, words }] : [];
  });
}

/** The lines of a deleted document go with it. In parts, because a document may have thousands of them. */
function* forgetWords(provider: Provider, { resource, rows }: Remove, documentId: string | undefined): Procedure<void> {
  const ids = rows.map(({ id }) => id);
  if (resource.kind === 'child' && documentId === undefined) {
    throw new Error('A plan that deletes lines begins with their document');
  }
  for (let gone = mostDeleted; gone === mostDeleted; ) {
    const text = new StatementBuilder(provider);
    const condition =
      resource.kind === 'child'
        ? `"documentId" = ${text.bind(documentId)} AND "recordId" ${text.among(ids)}`
        : `"documentId" ${text.among(ids)}`;
    const some = `SELECT "id" FROM "SearchText" WHERE ${condition} LIMIT ${mostDeleted}`;
    gone = (yield text.statement(`DELETE FROM "SearchText" WHERE "id" IN (${some}) RETURNING "id"`)).length;
  }
}

const mostDeleted = 100;

/** Writes the words of records into the search index. Triggers of the database write each word (`SearchWord`). */
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
  if (text.provider === 'postgresql') return `SELECT * FROM ${text.table('new', columns, records)}`;
  for (const record of records) for (const name of names) text.bind(record[name]);
  return `VALUES ${Array(records.length).fill('(?, ?, ?, ?)').join(', ')}`;
}

const into = `INSERT INTO "SearchText" (${names.map(quoted).join(', ')})`;
const onConflict = `ON CONFLICT ("documentId", "recordId") DO UPDATE SET "words" = excluded."words"
  WHERE "SearchText"."words" <> excluded."words"`;
