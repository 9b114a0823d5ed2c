/** Writes some documents in the transaction it is called in. */
import type { ChangeContext } from '../../../change/context.js';
import type { Becomes } from '../../../change/plan.js';
import { readStored } from '../../../change/statements/stored-record.js';
import { differences, valuesOf } from '../../../change/values.js';
import { bringLines, bringRecords, instantIn } from '../../../change/writes/bring.js';
import { updateLine } from '../../../change/writes/line.js';
import { save } from '../../../change/writes/save.js';
import { groupedBy } from '../../../common/grouped.js';
import type { Procedure } from '../../../common/work.js';
import { StatementBuilder } from '../../../database/statement-builder.js';
import type { Values } from '../../../model/change.js';
import { errors } from '../../../model/errors/errors.js';
import { invalid, listedProblems, type Problem } from '../../../model/errors/problem.js';
import { withArticle } from '../../../model/names.js';
import { type Resource, scopeOf, singletonId } from '../../../model/resource.js';
import { type ImportDocument, type ImportItem, idsIn, type RefusedLine } from './document-check.js';

export interface WrittenBatch {
  imported: number;
  unchanged: number;
  refusals: RefusedLine[];
  /** The line up to which all is done with. */
  upTo: number;
}

/**
 * With `updates`, documents that exist already are changed; otherwise they are refused. With `stops`, nothing behind a refused line
 * is written. @throws GatewayError if a document is refused by a rule or by its state; then nothing is to be kept
 */
export function* writeBatch(
  writing: ChangeContext,
  items: readonly ImportItem[],
  { updates, stops }: { updates: boolean; stops: boolean },
): Procedure<WrittenBatch> {
  const documents = items.flatMap(({ document }) => document ?? []);
  const taken = yield* takenIds(writing, documents);
  const deleted = yield* deletedDocuments(
    writing,
    documents.filter((document) => !isThere(document, taken)),
  );
  const former = yield* formerDocuments(writing, documents);
  const refusals: RefusedLine[] = [];
  const fresh: ImportDocument[] = [];
  const present: ImportDocument[] = [];
  let upTo = items[0] ? items[0].line - 1 : 0;
  let imported = 0;
  for (const { line, text, document, problems } of items) {
    const found = document
      ? [...problems, ...wasDeleted(document, deleted), ...problemsOf(document, taken, former, updates)]
      : problems;
    if (found.length > 0 || !document) {
      refusals.push({ line, text, problems: listedProblems(found) });
      if (stops) break;
    } else if (isThere(document, taken)) present.push(document);
    else {
      imported++;
      fresh.push(document);
    }
    upTo = line;
  }
  for (const [resource, documents] of groupedBy(fresh, (document) => document.resource)) {
    const brought = documents.map(({ values }) => values);
    if (resource.kind !== 'child') yield* bringRecords(writing, resource, brought);
    else yield* bringEach(writing, resource, brought);
  }
  let unchanged = 0;
  for (const document of present) {
    const ofItsOwn = { ...writing, written: { rows: 0, characters: 0 } };
    yield* change(ofItsOwn, document, updates);
    if (ofItsOwn.written.rows > 0) imported++;
    else unchanged++;
  }
  return { imported, unchanged, refusals, upTo };
}

/** The records with these ids that exist, and for lines the id of their parent. */
type Taken = ReadonlyMap<Resource, ReadonlyMap<string, unknown>>;

function* takenIds({ provider }: ChangeContext, documents: readonly ImportDocument[]): Procedure<Taken> {
  const wanted = documents.flatMap((document) => [...idsIn(document)]);
  const taken = new Map<Resource, Map<string, unknown>>();
  for (const [resource, named] of groupedBy(wanted, ([resource]) => resource)) {
    const ids = new Set(named.map(([, id]) => id));
    const scope = resource.kind === 'child' ? scopeOf(resource) : undefined;
    const reading = { by: 'id', among: [...ids].sort(), names: scope ? [scope] : [], isLocked: false };
    const found = yield* readStored(provider, resource, reading);
    taken.set(resource, new Map(found.map(({ id, values }) => [id, scope && values[scope]])));
  }
  return taken;
}

const isThere = ({ resource, values: { id } }: ImportDocument, taken: Taken): boolean =>
  resource.kind === 'singleton' || (typeof id === 'string' && taken.get(resource)?.has(id) === true);

function wasDeleted({ resource: { title }, values: { id } }: ImportDocument, deleted: ReadonlySet<string>): Problem[] {
  if (typeof id !== 'string' || !deleted.has(id)) return [];
  const message = `is that of ${withArticle(title)} that was deleted here, and whose history has ended; leave it out to get a new one`;
  return [invalid(['id'], message)];
}

function problemsOf(
  document: ImportDocument,
  taken: Taken,
  former: ReadonlyMap<string, string>,
  updates: boolean,
): Problem[] {
  const { resource, values, missing } = document;
  const isPresent = isThere(document, taken);
  if (isPresent && !updates && resource.kind !== 'singleton') {
    const message = `is that of ${withArticle(resource.title)} that is there already; --update would change it`;
    return [invalid(['id'], message)];
  }
  const problems = isPresent ? [] : [...missing];
  for (const { resource: line, field } of resource.lines) {
    const list = values[field];
    if (!Array.isArray(list)) continue;
    for (const [index, { id }] of list.entries()) {
      if (typeof id !== 'string') continue;
      const known = taken.get(line);
      const [isTaken, owner] = [known?.has(id), known?.get(id) ?? former.get(id)];
      if ((!isTaken && owner === undefined) || ((isPresent || !isTaken) && owner === values.id)) continue;
      const message = isTaken
        ? `is that of a line of another document, ${String(owner)}`
        : `is that of a line that was deleted from ${String(owner)}; leave it out to get a new one`;
      problems.push(invalid([field, index, 'id'], message));
    }
  }
  return problems;
}

/** Lines that are documents of their own, those of one parent together. */
function* bringEach(writing: ChangeContext, resource: Resource, lines: readonly Values[]): Procedure<void> {
  const scope = scopeOf(resource);
  for (const [parentId, each] of groupedBy(lines, (line) => String(line[scope])))
    yield* bringLines(writing, resource, parentId, each);
}

/** Changes an existing document where it differs from the imported one. Lists of lines that are given are made equal; what is left out stays. */
function* change(writing: ChangeContext, { resource, values }: ImportDocument, updates: boolean): Procedure<void> {
  const { id, version, createdAt, updatedAt, createdBy, updatedBy = null, ...input } = values;
  if (resource.kind === 'child') yield* updateLine(writing, resource, { id: String(id), input });
  else if (resource.kind === 'singleton') {
    const times = { createdAt: instantIn(createdAt), updatedAt: instantIn(updatedAt) };
    const becomes = { version, createdBy, updatedBy, ...times };
    yield* changeSettings(writing, resource, input, updates ? undefined : becomes);
  } else yield* save(writing, resource, { id: String(id), input, bringsLines: true });
}

/**
 * Sets settings where they differ: rules refuse null for some, which are null until they are set. Those that nobody has ever set
 * take over the version and the instants that they are given. @throws BAD_USER_INPUT if these are given, and they are set already
 */
function* changeSettings(
  writing: ChangeContext,
  resource: Resource,
  input: Values,
  given: Becomes | undefined,
): Procedure<void> {
  const id = singletonId(resource);
  const values = valuesOf(resource, input);
  const reading = { by: 'id', among: [id], names: Object.keys(values), isLocked: true };
  const [stored] = yield* readStored(writing.provider, resource, reading);
  if (given && stored?.version !== 1) {
    const message = `is that of ${resource.title} that are set already; --update would change them`;
    throw errors.invalidAt(['id'], message);
  }
  const lists = resource.lines.filter(({ field }) => Array.isArray(input[field]));
  const changed = {
    ...differences(stored?.values ?? {}, values),
    ...Object.fromEntries(lists.map(({ field }) => [field, input[field]])),
  };
  // Version 1 would say that they have never been set.
  const isBrought = typeof given?.version === 'number' && given.version > 1;
  yield* save(writing, resource, { id, input: changed, bringsLines: true, becomes: isBrought ? given : undefined });
}

/**
 * The ids, among those of documents that are not there, of which the journal knows: one that came back under its id would have the
 * same versions twice in its history. Lines of a record that is not stored here
 * may name any id as that of their parent: the journal holds them under a document without a type.
 */
function* deletedDocuments(
  { provider }: ChangeContext,
  absent: readonly ImportDocument[],
): Procedure<ReadonlySet<string>> {
  const ids = absent.flatMap(({ resource, values: { id } }) =>
    resource.kind !== 'child' && typeof id === 'string' ? [id] : [],
  );
  if (ids.length === 0) return new Set();
  const text = new StatementBuilder(provider);
  const sql = `SELECT DISTINCT "documentId" FROM "JournalEntry"
    WHERE "documentId" ${text.among(ids)} AND "documentModel" IS NOT NULL`;
  return new Set((yield text.statement(sql)).map(([id]) => String(id)));
}

/**
 * The deleted documents that had lines with the ids of theirs, by the ids of the lines. In another document such a line would have
 * the same ids of states of the past (`src/model/ids.ts`) as it had in that one. A line may go from one document that is there
 * to another one.
 */
function* formerDocuments(
  { provider }: ChangeContext,
  documents: readonly ImportDocument[],
): Procedure<ReadonlyMap<string, string>> {
  const ids = documents.flatMap((document) => {
    return Array.from(idsIn(document)).flatMap(([resource, id]) => (resource === document.resource ? [] : [id]));
  });
  if (ids.length === 0) return new Map();
  const text = new StatementBuilder(provider);
  // The last two conditions are those of the index `gateway_journal_removed_line`.
  const sql = `SELECT "recordId", "documentId" FROM "JournalEntry" WHERE "recordId" ${text.among(ids)}
    AND "documentModel" IS NOT NULL AND "action" = 'delete' AND "recordId" <> "documentId"
    AND EXISTS (SELECT 1 FROM "JournalEntry" AS "whole" WHERE "whole"."documentId" = "JournalEntry"."documentId"
      AND "whole"."recordId" = "whole"."documentId" AND "whole"."action" = 'delete') ORDER BY "entry"`;
  return new Map((yield text.statement(sql)).map(([id, document]) => [String(id), String(document)]));
}
