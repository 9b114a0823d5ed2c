/**
 * A document with its lines as it stood at an instant: as it is now, with every later change undone. Its present state is
 * read first, and then the entries of the journal up to the version that was read. The entries of a version are written
 * with it and never change, so what is changed between the two reads does no harm.
 */

import type { StoredEntry } from '../../../change/journal/entry.js';
import { type EntrySource, journalSince, readEntries, rowsOf } from '../../../change/journal/journal-state.js';
import { SeenEntries, versionPlace } from '../../../change/journal/seen-entries.js';
import { namedAuthor } from '../../../change/values.js';
import { countLoaded } from '../../../database/answer-limit.js';
import { errors } from '../../../model/errors/errors.js';
import { mostChangesUndone, mostUndoneBytes } from '../../../model/limits.js';
import { isIdOf, type Lines, type Resource } from '../../../model/resource.js';
import type { SelectedRecord } from '../../../query/delegate.js';
import type { Rights } from '../../../query/rights.js';
import { byRevision } from '../history.js';
import { type Effort, historyIncomplete, type PastDocument, pastDocument, tooManyChanges } from './past-document.js';
import { type DocumentState, presentState, rowOf } from './present.js';

/** The state that is wanted: what was committed with this time or an earlier one, or that of a version. */
export type Moment = { asOf: Date } | { version: number };

export interface PastRequest {
  resource: Resource;
  id: string;
  moment: Moment;
  lists: readonly Lines[];
  /** What the request may compute on their lines. */
  effort: Effort;
  /** What the roles of the caller let it see; undefined for one without roles. */
  rights: Rights | undefined;
}

/**
 * Null if there was no such document then. For a caller with rights there is one only if it sees it now and saw it then.
 * @throws BAD_USER_INPUT for an instant in the future, HISTORY_INCOMPLETE if the journal does not have every change since
 * then, QUERY_TOO_COMPLEX if there are too many
 */
export async function readPast(database: EntrySource, request: PastRequest): Promise<PastDocument | null> {
  const { resource, id, moment, rights } = request;
  if (!isIdOf(resource, id)) return null;
  if ('asOf' in moment && moment.asOf.getTime() > Date.now()) {
    const message = `is in the future; what will be is not known. It is ${new Date().toISOString()} now`;
    throw errors.invalidAt(['asOf'], message);
  }
  if (!rights) return wholePast(database, request);
  const whole = versionPlace(resource, id);
  const { isNow } = (await SeenEntries.read(database, rights, [whole])).sightOf(whole);
  if (!isNow) return 'asOf' in moment ? unknown(database, request, moment.asOf) : null;
  const document = await wholePast(database, request);
  if (!document) return null;
  // Read again, because it may have got a version meanwhile.
  const seen = await SeenEntries.read(database, rights, [whole]);
  return seen.isSeen(versionPlace(resource, id, Number(document.record.version)))
    ? withoutHidden(document, rights)
    : null;
}

async function wholePast(database: EntrySource, request: PastRequest): Promise<PastDocument | null> {
  const { resource, id, moment, lists } = request;
  if ('version' in moment) return ofVersion(database, request, moment.version);
  const { asOf } = moment;
  const present = await presentState(database, resource, id, lists);
  if (present.record && timeOf(present.record.createdAt) > asOf.getTime()) return null;
  if (present.record && timeOf(present.record.updatedAt) <= asOf.getTime()) return documentOf(request, present);
  const later = await laterEntries(database, request, present);
  if (!present.record && later.length === 0) return absentNow(database, request, asOf);
  const { record, lines } = stateBefore(resource, present, later);
  if (!record) throw historyIncomplete(resource.title, asOf);
  if (timeOf(record.createdAt) > asOf.getTime()) return null;
  if (timeOf(record.updatedAt) > asOf.getTime()) {
    throw historyIncomplete(resource.title, asOf, new Date(timeOf(record.updatedAt)));
  }
  return earlierDocument(database, request, { record, lines });
}

/** Null if it never had this version. @throws HISTORY_INCOMPLETE if the journal does not have every change since then */
async function ofVersion(database: EntrySource, request: PastRequest, version: number): Promise<PastDocument | null> {
  const { resource, id, lists } = request;
  const present = await presentState(database, resource, id, lists);
  if (present.record && present.record.version === version) return documentOf(request, present);
  if (present.record && Number(present.record.version) < version) return null;
  const later = await laterEntries(database, request, present);
  const state = stateBefore(resource, present, later);
  if (state.record?.version === version) return earlierDocument(database, request, state);
  if (later.length === 0 && !present.record) return null;
  if (later.findLast((entry) => entry.id === id)?.action === 'create') return null;
  throw historyIncomplete(resource.title, version);
}

/** The entries of the document after the moment, up to the version that is present, the newest first. */
async function laterEntries(
  database: EntrySource,
  { resource, id, moment, lists, effort }: PastRequest,
  { record }: DocumentState,
): Promise<StoredEntry[]> {
  const types = [resource, ...lists.map((list) => list.resource)];
  const query = {
    where: `"documentId" = ? AND "documentModel" = ? AND "revision" <= ? AND ${'asOf' in moment ? laterThan(database) : '"revision" > ?'}
      AND "model" IN (${types.map(() => '?').join(', ')})`,
    values: [
      id,
      resource.model,
      Number(record?.version ?? 2 ** 31 - 1),
      'asOf' in moment ? moment.asOf.toISOString().slice(0, 23) : moment.version,
      ...types.map(({ model }) => model),
    ],
    order: '"revision" DESC, "entry" DESC',
    most: mostChangesUndone + 1,
  };
  const { entries, isCut } = await effort.inTurn(async () => {
    if (effort.bytesLeft <= 0) return { entries: [], isCut: true };
    const found = await readEntries(database, types, { ...query, bytes: effort.bytesLeft });
    effort.bytesLeft -= found.bytes;
    return found;
  });
  if (isCut || entries.length > mostChangesUndone) throw tooManyChanges(mostChangesUndone, mostUndoneBytes);
  countLoaded(entries.length * 500);
  return entries;
}

/** Both databases compare instants in UTC. On SQLite they are texts that may end in different ways to say UTC. */
const laterThan = ({ provider }: Pick<EntrySource, 'provider'>): string =>
  provider === 'sqlite' ? 'substr("at", 1, 23) > ?' : '"at" > ?::timestamp(3)';

/**
 * For a document that does not exist now and has no entries since the instant: null if it did not exist then either.
 */
async function absentNow(database: EntrySource, { resource, id }: PastRequest, asOf: Date): Promise<null> {
  const sql = `SELECT "action" FROM "JournalEntry" WHERE "documentId" = ? AND "documentModel" = ? AND "recordId" = ?
    ORDER BY "revision" DESC LIMIT 1`;
  const [last] = await rowsOf(database, sql, [id, resource.model, id]);
  return last?.[0] === 'delete' ? null : unknown(database, { resource }, asOf);
}

/** For a document of which nothing at all is known. */
async function unknown(database: EntrySource, { resource }: Pick<PastRequest, 'resource'>, asOf: Date): Promise<null> {
  const since = await journalSince(database);
  if (since && since <= asOf) return null;
  throw historyIncomplete(resource.title, asOf, since);
}

const documentOf = ({ resource, effort }: PastRequest, { record, lines }: DocumentState): PastDocument | null =>
  record ? pastDocument(resource, record, lines, effort) : null;

/**
 * With who had changed it last then: the entry of its version says so, if the journal has it. Who created a deleted document is
 * not known any more.
 */
async function earlierDocument(
  database: EntrySource,
  request: PastRequest,
  { record, lines }: DocumentState,
): Promise<PastDocument | null> {
  if (!record || !request.resource.timestamps) return documentOf(request, { record, lines });
  const sql =
    'SELECT "keyId" FROM "JournalEntry" WHERE "documentId" = ? AND "documentModel" = ? AND "revision" = ? LIMIT 1';
  const [entry] = await rowsOf(database, sql, [record.id, request.resource.model, Number(record.version)]);
  const updatedBy = entry ? namedAuthor({ keyId: String(entry[0]) }) : null;
  return documentOf(request, { record: { createdBy: null, ...record, updatedBy }, lines });
}

/** The same document with null for what is hidden from the caller. */
function withoutHidden({ resource, record, linesOf, effort }: PastDocument, rights: Rights): PastDocument {
  const shown = <Row extends SelectedRecord>(of: Resource, row: Row): Row =>
    Object.assign({}, row, Object.fromEntries(Array.from(rights.hidden(of), (field) => [field, null])));
  const lines = new Map(
    resource.lines.map(({ resource: line }) => [
      line,
      new Map(linesOf(line).map((row) => [row.id, shown(line, row)] as const)),
    ]),
  );
  return pastDocument(resource, shown(resource, record), lines, effort);
}

const timeOf = (value: unknown): number => (value instanceof Date ? value.getTime() : Number.NaN);

// Takes a document back from one version to an earlier one, by the entries that the journal has of the versions between.

/**
 * The state before the given entries, of which the newest comes first. It goes back no further than to a gap between
 * the entries, or to the state with which the document was created. A deleted document can be taken back only by the
 * entries of its deletion.
 */
function stateBefore(resource: Resource, present: DocumentState, entries: readonly StoredEntry[]): DocumentState {
  const state: DocumentState = { record: present.record, lines: present.lines };
  for (const [own, ...ofLines] of byRevision(entries)) {
    // The gateway writes one entry of the document itself for each of its versions, so a gap shows.
    const follows =
      own.id === own.document.id && (state.record ? state.record.version === own.revision : own.action === 'delete');
    // The time of creation is that of the record itself: an imported record brought its own, and the entry has the time
    // of the import.
    if (!follows || own.action === 'create') break;
    for (const entry of ofLines) {
      const lines = state.lines.get(entry.resource);
      if (lines) undoLine(lines, entry);
    }
    state.record = recordBefore(resource, state.record, own);
  }
  return state;
}

function recordBefore(
  resource: Resource,
  present: SelectedRecord | undefined,
  { id, action, revision, version, changes, times }: StoredEntry,
): SelectedRecord {
  const before = Object.fromEntries(changes.map((change) => [change.field, change.before]));
  if (action === 'delete' || !present) return rowOf(resource, id, version, { ...before, ...times });
  return { ...present, ...before, ...times, version: revision - 1 };
}

function undoLine(lines: Map<string, SelectedRecord>, { id, resource, action, version, changes }: StoredEntry): void {
  if (action === 'create') return void lines.delete(id);
  const before = Object.fromEntries(changes.map((change) => [change.field, change.before]));
  const present = lines.get(id);
  if (action === 'delete') lines.set(id, rowOf(resource, id, version, before));
  else if (present) lines.set(id, { ...present, ...before, version: version - 1 });
}
