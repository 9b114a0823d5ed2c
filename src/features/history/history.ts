/** The history of one document: its versions, newest first, each with the changes of its fields and of its lines. */

import type { StoredEntry } from '../../change/journal/entry.js';
import { type EntrySource, readEntries, rowsOf } from '../../change/journal/journal-state.js';
import type { Sight } from '../../change/journal/seen-entries.js';
import { countLoaded } from '../../database/answer-limit.js';
import { errors } from '../../model/errors/errors.js';
import type { Resource } from '../../model/resource.js';

/** The entries of one version of a document; that of the document itself comes first. */
export type Revision = readonly [StoredEntry, ...StoredEntry[]];

export interface HistoryPage {
  revisions: readonly Revision[];
  /** Whether older ones follow, as far as `above`, if that is given. */
  hasOlder: boolean;
  /** Whether newer ones precede, as far as `below`, if that is given. */
  hasNewer: boolean;
}

export interface HistoryRange {
  size: number;
  /** Whether it has the oldest ones of the range instead of the newest. */
  backwards?: boolean | undefined;
  /** The page has the oldest ones of so many newest. */
  head?: number | undefined;
  /** The revisions between which they are. */
  below?: number | undefined;
  above?: number | undefined;
  /** When a caller with rights sees the document: there are no other versions for it. */
  seen?: Sight | undefined;
}

/** The largest revision there can be. */
const largest = 2 ** 31 - 1;
/** Each of the two reads one end of an index. With `min` and `max` the database would look through all entries. */
const ofDocument = 'SELECT "revision" FROM "JournalEntry" WHERE "documentId" = ? AND "documentModel" = ?';
const lastRevision = (seen = '') => `${ofDocument} AND "revision" < ?${seen} ORDER BY "revision" DESC LIMIT 1`;
const firstRevision = (seen = '') => `${ofDocument}${seen} ORDER BY "revision" LIMIT 1`;
const firstAbove = (seen = '') => `${ofDocument} AND "revision" > ?${seen} ORDER BY "revision" LIMIT 1`;

/** What a version that is seen fulfils. */
const seenSql = ({ isNow, versions }: Sight): string =>
  ` AND (${isNow ? versions.map(([from, to]) => `"revision" BETWEEN ${from} AND ${to}`).join(' OR ') : 'FALSE'})`;

/** Entries of one version at most: a document has at most so many lines that change at once. */
const mostEntries = 200_000;
/**
 * Bytes of a page, and those that a single version may have, which is then a page of its own: the values of its entries,
 * and `bytesOfEntry` for each.
 */
const mostBytes = 1024 * 1024;
const largestVersion = 8 * 1024 * 1024;
const bytesOfEntry = 200;

export async function historyOf(
  database: EntrySource,
  document: Resource,
  documentId: string,
  { size, backwards = false, head, below = largest, above = 0, seen }: HistoryRange,
): Promise<HistoryPage> {
  const key = [documentId, document.model];
  const isSeen = seen && seenSql(seen);
  const [range] = await rowsOf(
    database,
    `SELECT (${lastRevision(isSeen)}) AS "newest", (${firstAbove(isSeen)}) AS "oldest", (${firstRevision(isSeen)}) AS "beginning"`,
    [...key, below, ...key, above, ...key],
  );
  const [newest, oldest, beginning] = [Number(range?.[0] ?? 0), Number(range?.[1] ?? largest), range?.[2]];
  const isBeyond = backwards && beginning != null && Number(beginning) <= above;
  if (newest < oldest) return { revisions: [], hasOlder: isBeyond, hasNewer: false };
  if (head !== undefined) {
    const floor = Math.max(above, newest - head);
    const end = await historyOf(database, document, documentId, { size, backwards: true, below, above: floor, seen });
    return { ...end, hasOlder: floor >= oldest };
  }
  if (size === 0) return { revisions: [], hasOlder: !backwards || isBeyond, hasNewer: backwards };
  // Lines of other types may name it as their parent too: the journal holds them under a document without a type.
  const types = [document, ...document.lines.map(({ resource }) => resource)];
  const whole = async (count: number, bytes: number): Promise<Revision[]> => {
    const { entries, isCut } = await readEntries(database, types, {
      where: `"documentId" = ? AND "documentModel" = ? AND "revision" <= ? AND "revision" >= ?${isSeen ?? ''}`,
      values: [
        ...key,
        ...(backwards
          ? [Math.min(newest, oldest + count - 1), oldest]
          : [newest, Math.max(oldest, newest - count + 1)]),
      ],
      order: `"revision" ${backwards ? 'ASC' : 'DESC'}, "entry"`,
      most: mostEntries,
      bytes,
      each: bytesOfEntry,
    });
    // As objects they take a few times as much.
    countLoaded(entries.length * 1000);
    // If they were cut short, the last one may lack some of its entries.
    return byRevision(entries).slice(0, isCut ? -1 : undefined);
  };
  let revisions = await whole(size, mostBytes);
  if (revisions.length === 0) revisions = await whole(1, largestVersion);
  if (revisions.length === 0) throw errors.answerTooLarge(largestVersion);
  const last = revisions.at(-1)?.[0].revision ?? oldest;
  if (backwards) return { revisions: revisions.toReversed(), hasOlder: isBeyond, hasNewer: last < newest };
  return { revisions, hasOlder: last > oldest, hasNewer: false };
}

/**
 * Whether the journal has every version of the document, from its beginning up to now: none was swept, and none was made
 * while the journal was turned off. The first version of a singleton is made by the gateway itself, and has no entry.
 */
export async function isComplete(database: EntrySource, document: Resource, documentId: string): Promise<boolean> {
  const first = document.kind === 'singleton' ? 2 : 1;
  const ofItself = `SELECT max("action") FROM "JournalEntry"
    WHERE "documentId" = ? AND "documentModel" = ? AND "recordId" = ? AND "revision" =`;
  const key = [documentId, document.model];
  const [row] = await rowsOf(
    database,
    `SELECT (SELECT "version" FROM "${document.model}" WHERE "id" = ?) AS "present", (${lastRevision()}) AS "newest",
      (${ofItself} ?) AS "beginning", (${ofItself} (${lastRevision()})) AS "end"`,
    [documentId, ...key, largest, ...key, documentId, first, ...key, documentId, ...key, largest],
  );
  const [present, newest, beginning, end] = row ?? [];
  if (newest == null) return Number(present) === first - 1;
  // If a version is swept in part, the document's own entry is deleted first.
  if (beginning == null) return false;
  const isToTheEnd = present == null ? end === 'delete' : Number(present) === Number(newest);
  return isToTheEnd && !(await hasGap(database, document, documentId));
}

/**
 * Whether a version between the first and the last is missing. Entries of one version, of which there may be thousands, are
 * passed over: the next one is found by the index.
 */
async function hasGap(database: EntrySource, document: Resource, documentId: string): Promise<boolean> {
  const next = `SELECT min("entry"."revision") FROM "JournalEntry" AS "entry"
    WHERE "entry"."documentId" = ? AND "entry"."documentModel" = ? AND "entry"."revision" > "at"."revision"`;
  const sql = `WITH RECURSIVE "at" ("revision", "before") AS (
      SELECT (${firstRevision()}), CAST(NULL AS INTEGER)
      UNION ALL SELECT (${next}), "at"."revision" FROM "at" WHERE "at"."revision" IS NOT NULL)
    SELECT 1 FROM "at" WHERE "revision" > "before" + 1 LIMIT 1`;
  return (await rowsOf(database, sql, [documentId, document.model, documentId, document.model])).length > 0;
}

/** Newer or older ones first, as the entries are. */
export function byRevision(entries: readonly StoredEntry[]): Revision[] {
  const found: [StoredEntry, ...StoredEntry[]][] = [];
  for (const entry of entries) {
    const last = found.at(-1);
    if (last?.[0].revision === entry.revision) {
      if (entry.id === entry.document.id) last.unshift(entry);
      else last.push(entry);
    } else found.push([entry]);
  }
  return found;
}
