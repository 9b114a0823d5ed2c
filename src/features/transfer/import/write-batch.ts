/** Writes some documents in the transaction it is called in. */

import type { ChangeContext } from '../../../change/change-context.js';
import { readStored } from '../../../change/statements/stored-record.js';
import { bringRecords } from '../../../change/writes/bring.js';
import { bringLines } from '../../../change/writes/bring-lines.js';
import { updateLine } from '../../../change/writes/line.js';
import type { Procedure } from '../../../common/work.js';
import type { Values } from '../../../model/change.js';
import { listedProblems, type Problem } from '../../../model/errors/problem.js';
import { withArticle } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';
import { scopeOf } from '../../../query/scope.js';
import { deletedDocuments, formerDocuments } from './deleted-documents.js';
import type { ImportDocument, ImportItem, RefusedLine } from './import-item.js';
import { idsIn } from './import-item.js';
import { bringSingleton, type Outcome, updateDocument } from './update-document.js';

export interface ImportBatch {
  items: readonly ImportItem[];
  /** Whether documents that exist already are changed; otherwise they are refused. */
  updates: boolean;
  /** Whether nothing behind a refused line is written. */
  stops: boolean;
}

export interface WrittenBatch {
  imported: number;
  unchanged: number;
  refusals: RefusedLine[];
  /** The line up to which all is done with. */
  upTo: number;
}

/** @throws GatewayError if a document is refused by a rule or by its state; then nothing is to be kept */
export function* writeBatch(writing: ChangeContext, { items, updates, stops }: ImportBatch): Procedure<WrittenBatch> {
  const taken = yield* takenIds(writing, items);
  const absent = items.flatMap(({ document }) => (document && !isThere(document, taken) ? [document] : []));
  const deleted = yield* deletedDocuments(writing, absent);
  const former = yield* formerDocuments(
    writing,
    items.flatMap(({ document }) => document ?? []),
  );
  const refusals: RefusedLine[] = [];
  const fresh = new Map<Resource, Values[]>();
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
      const ofType = fresh.get(document.resource);
      if (ofType) ofType.push(document.values);
      else fresh.set(document.resource, [document.values]);
    }
    upTo = line;
  }
  for (const [resource, documents] of fresh) {
    if (resource.kind !== 'child') yield* bringRecords(writing, resource, documents);
    else yield* bringEach(writing, resource, documents);
  }
  let unchanged = 0;
  for (const document of present) {
    const outcome = yield* change(writing, document, updates);
    if (outcome === 'changed') imported++;
    else unchanged++;
  }
  return { imported, unchanged, refusals, upTo };
}

/** The records with these ids that exist, and for lines the id of their parent. */
type Taken = ReadonlyMap<Resource, ReadonlyMap<string, unknown>>;

function* takenIds({ provider }: ChangeContext, items: readonly ImportItem[]): Procedure<Taken> {
  const wanted = new Map<Resource, Set<string>>();
  for (const { document } of items) {
    if (!document) continue;
    for (const [resource, id] of idsIn(document)) {
      const known = wanted.get(resource);
      if (known) known.add(id);
      else wanted.set(resource, new Set([id]));
    }
  }
  const taken = new Map<Resource, Map<string, unknown>>();
  for (const [resource, ids] of wanted) {
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
  return [{ path: ['id'], code: 'parameter_invalid', message }];
}

function problemsOf(
  document: ImportDocument,
  taken: Taken,
  former: ReadonlyMap<string, string>,
  updates: boolean,
): Problem[] {
  const { resource, values, missing } = document;
  const problems: Problem[] = [];
  const isPresent = isThere(document, taken);
  if (!isPresent) problems.push(...missing);
  if (isPresent && !updates && resource.kind !== 'singleton') {
    const message = `is that of ${withArticle(resource.title)} that is there already; --update would change it`;
    problems.push({ path: ['id'], code: 'parameter_invalid', message });
    return problems;
  }
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
      problems.push({ path: [field, index, 'id'], code: 'parameter_invalid', message });
    }
  }
  return problems;
}

/** Lines that are documents of their own, those of one parent together. */
function* bringEach(writing: ChangeContext, resource: Resource, lines: readonly Values[]): Procedure<void> {
  const scope = scopeOf(resource);
  const byParent = new Map<string, Values[]>();
  for (const line of lines) {
    const parentId = String(line[scope]);
    byParent.set(parentId, [...(byParent.get(parentId) ?? []), line]);
  }
  for (const [parentId, each] of byParent) yield* bringLines(writing, resource, parentId, each);
}

function* change(writing: ChangeContext, document: ImportDocument, updates: boolean): Procedure<Outcome> {
  const ofItsOwn = { ...writing, written: { rows: 0, characters: 0 } };
  const { resource, values } = document;
  if (resource.kind === 'singleton' && !updates) return yield* bringSingleton(ofItsOwn, document);
  if (resource.kind !== 'child') return yield* updateDocument(ofItsOwn, document);
  const { id, version: _, ...input } = values;
  yield* updateLine(ofItsOwn, resource, { id: String(id), input });
  return ofItsOwn.written.rows > 0 ? 'changed' : 'unchanged';
}
