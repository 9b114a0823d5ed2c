/**
 * Keeps the search index with a plan that has been carried out, in its transaction. New records are indexed by the values
 * that are written; changed ones are read again, because an update knows only what it sets.
 */
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Resource } from '../../../model/resource.js';
import type { Procedure } from '../../../work.js';
import { scopeOf } from '../../scope.js';
import { searchIsOn } from '../../search/search-state.js';
import { isSearched, noWords, searchedFields, storedWords } from '../../search/searched-fields.js';
import type { ChangeContext } from '../change-context.js';
import { documentOf } from '../journal/journaled.js';
import { parentResource } from '../parent-type.js';
import type { Plan } from '../plan.js';
import { StatementBuilder } from '../statement-builder.js';
import type { Insert, Remove, Step } from '../step.js';
import { readStored } from '../stored-record.js';
import type { Update } from '../update.js';
import { type IndexedRecord, indexStatements } from './index-statements.js';

/** Whether the search index is kept, and the plan changes something in it. */
export function* changesIndex({ handlers: { search } }: ChangeContext, { steps }: Plan): Procedure<boolean> {
  if (!search || !steps.some(isIndexed)) return false;
  return search === true || (yield* searchIsOn());
}

export function* indexPlan(provider: Provider, steps: readonly Step[]): Procedure<void> {
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
    if (words !== noWords) yield* recordOf(resource, row.id, row[scopeName(resource)], words);
  }
}

function* ofUpdate(provider: Provider, { resource, rows }: Update): Procedure<void> {
  const fields = searchedFields(resource);
  const changed = rows.filter(({ values }) => fields.some((name) => name in values)).map(({ id }) => id);
  const scope = resource.kind === 'child' ? [scopeOf(resource)] : [];
  for (let start = 0; start < changed.length; start += mostAtOnce) {
    const reading = {
      by: 'id',
      among: changed.slice(start, start + mostAtOnce),
      names: [...new Set([...scope, ...fields])],
      isLocked: false,
    };
    const records = (yield* readStored(provider, resource, reading)).flatMap(({ id, values }) =>
      recordOf(resource, id, values[scopeName(resource)], storedWords(resource, values)),
    );
    yield* indexStatements(provider, records);
  }
}

/** A result larger than an answer may be is refused, so many are read in parts. */
const mostAtOnce = 250;

const scopeName = (resource: Resource): string => (resource.kind === 'child' ? scopeOf(resource) : 'id');

/** Nothing for lines of parents that no list shows. */
function recordOf(resource: Resource, id: string, parentId: unknown, words: string): IndexedRecord[] {
  if (resource.kind !== 'child') return [{ model: resource.model, documentId: id, recordId: '', words }];
  const documentId = String(parentId);
  const document = parentResource(resource, documentId);
  return document && isSearched(document) ? [{ model: document.model, documentId, recordId: id, words }] : [];
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

/** Records whose words one statement deletes. */
const mostDeleted = 100;
