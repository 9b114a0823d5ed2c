/** Indexes the records that were there before the index was kept, some in each transaction. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readStored } from '../../../change/statements/stored-record.js';
import { type Procedure, rows, withoutListeners } from '../../../common/work.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Database } from '../../../database/open-database.js';
import { StatementBuilder } from '../../../database/statement-builder.js';
import type { Resource } from '../../../model/resource.js';
import { afterPrefix } from '../../../query/filter.js';
import { isSearched, searchedFields, sourcesOf, storedWords } from '../searched-fields.js';
import { type IndexedRecord, indexStatements } from './index-plan.js';

/**
 * Documents in one transaction, each of which may have thousands of lines, and milliseconds between two transactions,
 * for other writers.
 */
const documents = 20;
const pause = 2;

/**
 * Resolves when all of them are indexed, or stops at the signal; the next call then continues after what is indexed.
 */
export async function indexExisting(
  { perform, provider }: Pick<Database, 'perform' | 'provider'>,
  resources: readonly Resource[],
  signal?: AbortSignal,
): Promise<void> {
  for (const resource of resources.filter(isSearched)) {
    while (!signal?.aborted && (await perform(() => withoutListeners(indexSome(provider, resource))))) {
      await sleep(pause, undefined, { ref: false });
    }
  }
}

/** Indexes the next documents of a type; returns whether there may be more. */
export function* indexSome(provider: Provider, resource: Resource): Procedure<boolean> {
  const { model } = resource;
  const [state] = yield* rows(
    `SELECT "upTo" FROM "SearchState" WHERE "model" = '${model}' AND "isComplete" = FALSE`,
    [],
  );
  if (!state) return false;
  const text = new StatementBuilder(provider);
  // Locked, so that no change comes between what is read and what is indexed: who changes lines locks their document too.
  const found = yield text.statement(
    `SELECT "id" FROM "${model}" WHERE "id" > ${text.bind(String(state[0]))} ORDER BY "id" LIMIT ${documents}${text.locked}`,
  );
  const ids = found.map(([id]) => String(id));
  const upTo = ids.at(-1);
  if (yield* forgetGone(provider, resource, { from: String(state[0]), upTo, there: ids })) return true;
  if (upTo !== undefined) yield* indexDocuments(provider, resource, ids);
  const note = new StatementBuilder(provider);
  const change = upTo === undefined ? '"isComplete" = TRUE' : `"upTo" = ${note.bind(upTo)}`;
  // Another process may have turned the index off and on meanwhile: then it begins anew.
  yield note.statement(
    `UPDATE "SearchState" SET ${change} WHERE "model" = '${model}' AND "upTo" = ${note.bind(String(state[0]))}`,
  );
  return upTo !== undefined;
}

/**
 * Deletes the index entries of documents that were deleted by a process which did not keep the index. Returns whether
 * there may be more between the ids.
 */
function* forgetGone(
  provider: Provider,
  { model, slug }: Resource,
  { from, upTo, there }: { from: string; upTo: string | undefined; there: readonly string[] },
): Procedure<boolean> {
  const prefix = `${slug}_`;
  const text = new StatementBuilder(provider);
  const [first, last] = [from || prefix, upTo ?? afterPrefix(prefix)].map((id) => text.bind(id));
  // Some of those that were not read may have been created since.
  const gone = `SELECT "id" FROM "SearchText" WHERE "documentId" >= ${first} AND "documentId" <= ${last}
    AND NOT ("documentId" ${text.among(there)})
    AND NOT EXISTS (SELECT 1 FROM "${model}" AS "one" WHERE "one"."id" = "SearchText"."documentId")
    ORDER BY "documentId" LIMIT ${mostForgotten}`;
  const forgotten = yield text.statement(`DELETE FROM "SearchText" WHERE "id" IN (${gone}) RETURNING "id"`);
  return forgotten.length > 0;
}

const mostForgotten = 100;

/** Indexes documents with their lines anew, whatever is indexed of them. */
function* indexDocuments(provider: Provider, resource: Resource, ids: readonly string[]): Procedure<void> {
  const { model } = resource;
  const records: IndexedRecord[] = [];
  for (const { type, isLine, reference } of sourcesOf(resource)) {
    const names = [...searchedFields(type), ...(isLine ? [reference] : [])];
    const reading = { by: reference, among: ids, names, isLocked: false };
    for (const { id, values } of yield* readStored(provider, type, reading)) {
      const words = storedWords(type, values);
      records.push(
        isLine
          ? { model, documentId: String(values[reference]), recordId: id, words }
          : { model, documentId: id, recordId: '', words },
      );
    }
  }
  const text = new StatementBuilder(provider);
  const known = records.map(({ recordId }) => recordId);
  yield text.statement(
    `DELETE FROM "SearchText" WHERE "documentId" ${text.among(ids)} AND NOT ("recordId" ${text.among(known)})`,
  );
  yield* indexStatements(provider, records);
}

/** Deletes the index entries of a type, so that it is indexed again. */
export function* forgetIndexed({ model }: Resource): Procedure<void> {
  yield* rows(`UPDATE "SearchState" SET "upTo" = '', "isComplete" = FALSE WHERE "model" = '${model}'`, []);
  yield* rows(`DELETE FROM "SearchText" WHERE "model" = '${model}'`, []);
  yield* rows(`DELETE FROM "SearchWord" WHERE "model" = '${model}'`, []);
}
