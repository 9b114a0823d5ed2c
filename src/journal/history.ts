/** The history of one document: its versions, newest first, each with the changes of its fields and of its lines. */
import { errors } from '../errors.js';
import type { Resource } from '../model/resource.js';
import { type EntrySource, readEntries, rowsOf } from './entries-sql.js';
import type { StoredEntry } from './stored-entry.js';

/** One version of a document. */
export interface Revision {
  revision: number;
  /** The entry of the document itself comes first. */
  entries: readonly [StoredEntry, ...StoredEntry[]];
}

export interface HistoryPage {
  revisions: readonly Revision[];
  /** Whether older ones follow. */
  hasMore: boolean;
}

/** Entries of one version at most: a document has at most so many lines that change at once. */
const mostEntries = 200_000;
/** Bytes of values in a page, and those that a single version may have, which is then a page of its own. */
const mostBytes = 1024 * 1024;
const largestVersion = 8 * 1024 * 1024;

/** `before` is the revision before which the page begins; without it the newest one begins it. */
export async function historyOf(
  database: EntrySource,
  document: Resource,
  documentId: string,
  { first, before = Number.MAX_SAFE_INTEGER }: { first: number; before?: number | undefined },
): Promise<HistoryPage> {
  const ends =
    'SELECT max("revision"), min("revision") FROM "JournalEntry" WHERE "documentId" = ? AND "documentModel" = ? AND "revision" < ?';
  const [range] = await rowsOf(database, ends, [documentId, document.model, Math.min(before, 2 ** 31 - 1)]);
  if (range?.[0] == null) return { revisions: [], hasMore: false };
  const [newest, oldest] = [Number(range[0]), Number(range[1])];
  const whole = async (count: number, bytes: number): Promise<Revision[]> => {
    const { entries, isCut } = await readEntries(database, typesIn(document), {
      where: '"documentId" = ? AND "documentModel" = ? AND "revision" <= ? AND "revision" > ?',
      values: [documentId, document.model, newest, newest - count],
      order: '"revision" DESC, "entry"',
      most: mostEntries,
      bytes,
    });
    // If they were cut short, the last one may lack some of its entries.
    return byRevision(entries).slice(0, isCut ? -1 : undefined);
  };
  let revisions = await whole(first, mostBytes);
  if (revisions.length === 0) revisions = await whole(1, largestVersion);
  if (revisions.length === 0) throw errors.answerTooLarge(largestVersion);
  const last = revisions.at(-1);
  return { revisions, hasMore: last !== undefined && last.revision > oldest };
}

/**
 * Whether the journal has every version of the document, from its beginning up to now: none was swept, and none was made
 * while the journal was turned off. The first version of a singleton is made by the gateway itself, and has no entry.
 */
export async function isComplete(database: EntrySource, document: Resource, documentId: string): Promise<boolean> {
  const sql = `SELECT count(*), max(CASE "action" WHEN 'delete' THEN "revision" END),
      (SELECT "version" FROM "${document.model}" WHERE "id" = ?)
    FROM "JournalEntry" WHERE "documentId" = ? AND "documentModel" = ? AND "recordId" = ?`;
  const [row] = await rowsOf(database, sql, [documentId, documentId, document.model, documentId]);
  const [kept, deleted, present] = row ?? [];
  const versions = Number(present ?? deleted ?? Number.NaN);
  return Number(kept) === versions - (document.kind === 'singleton' ? 1 : 0);
}

function byRevision(entries: readonly StoredEntry[]): Revision[] {
  const found: { revision: number; entries: [StoredEntry, ...StoredEntry[]] }[] = [];
  for (const entry of entries) {
    const last = found.at(-1);
    if (last?.revision === entry.revision) {
      if (entry.id === entry.document.id) last.entries.unshift(entry);
      else last.entries.push(entry);
    } else found.push({ revision: entry.revision, entries: [entry] });
  }
  return found;
}

/**
 * The types of a document and of its lines. Lines of other types may name it as their parent too, but do not belong to it:
 * the journal holds them under a document without a type.
 */
export const typesIn = (document: Resource): Resource[] => [
  document,
  ...document.lines.map(({ resource }) => resource),
];
