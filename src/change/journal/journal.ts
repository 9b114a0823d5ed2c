/**
 * The journal as its readers see it: the changes of all records in the order of their positions. A reader that has read
 * up to a position never sees an entry appear at or below it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Procedure } from '../../common/work.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import type { ChangeAction } from '../../model/change.js';
import { errors } from '../../model/errors/errors.js';
import type { Resource } from '../../model/resource.js';
import type { Rights } from '../../query/rights.js';
import { type JournalEntry, positionColumn, type StoredEntry } from './entry.js';
import {
  continuationOf,
  type EntrySource,
  heldSql,
  heldValues,
  numberCommitted,
  numberEntries,
  numberedAtOnce,
  readEntries,
  readPlaces,
  rowsOf,
} from './journal-state.js';
import { SeenEntries } from './seen-entries.js';

export type { JournalEntry };

export type Journal = ReturnType<typeof createJournal>;

export interface JournalPage {
  entries: readonly JournalEntry[];
  /** Whether no entries follow; the last transaction is then complete. */
  isAll: boolean;
  /**
   * Whether no change behind the position is missing (`continuationOf`), read together with the entries. True if there
   * are no entries.
   */
  isHeld: boolean;
}

/** Bytes of values after which a read returns no further entry. */
const mostBytes = 1024 * 1024;

export function createJournal(
  database: Pick<OpenedDatabase, 'provider' | 'read' | 'perform' | 'onCommit' | 'signals'>,
  resources: readonly Resource[],
  isKept: boolean,
) {
  const { provider } = database;
  const position = positionColumn(provider);
  const listeners = new Set<() => void>();
  const holders: (() => Procedure<number | undefined>)[] = [];
  let stopWatching: (() => void) | undefined;
  let isTold = true;
  /** Whether this process has committed since its entries were given positions. */
  let hasCommitted = false;
  const callListeners = () => {
    isTold = true;
    for (const listener of listeners) listener();
  };
  // Once for all commits of a turn of the event loop.
  database.onCommit(() => {
    hasCommitted = true;
    if (isKept) database.signals?.send();
    if (!isTold || listeners.size === 0) return;
    isTold = false;
    setImmediate(callListeners);
  });
  return {
    /** Whether changes are written into it; otherwise it only has what was written before. */
    isKept,
    /** Entries with a position above `after`, ascending, at most `limit`; fewer, but at least one, if they are large. */
    read: async (after: number, limit: number): Promise<JournalPage> => {
      // A page that is shorter than what is numbered at once has found all there was.
      const isKnown = hasCommitted && limit < numberedAtOnce;
      hasCommitted = false;
      await (isKnown ? numberCommitted(database) : numberEntries(database));
      const { entries, isCut, also } = await readEntries(
        database,
        resources,
        {
          ...{ where: `${position} > ?`, values: [after], order: position, most: limit, bytes: mostBytes },
          also: { sql: heldSql(provider), values: heldValues(after) },
        },
        'bounded',
      );
      return { entries, isAll: !isCut && entries.length < limit, isHeld: entries.length === 0 || Number(also) === 1 };
    },
    /**
     * The highest position up to which no entry behind `after` is about records of these types or lines of their documents, found
     * without reading the entries before it. Undefined if there is nothing to skip, or if the journal does not have all of them.
     */
    skippable: async (after: number, models: readonly string[]): Promise<number | undefined> => {
      const among = `(${models.map(() => '?').join(', ')})`;
      const sql = `WITH "next" AS (SELECT ${position} AS "place", "model", "documentModel" FROM "JournalEntry"
          WHERE ${position} > ? ORDER BY ${position} LIMIT ${examinedAtOnce}),
        "wanted" AS (SELECT min("place") AS "first" FROM "next" WHERE "model" IN ${among} OR "documentModel" IN ${among})
        SELECT max("place") FROM "next" WHERE ${heldSql(provider)} = 1
          AND "place" < coalesce((SELECT "first" FROM "wanted"), ${Number.MAX_SAFE_INTEGER})`;
      const [row] = await rowsOf(database, sql, [after, ...models, ...models, ...heldValues(after)], 'bounded');
      return row?.[0] == null ? undefined : Number(row[0]);
    },
    /** The highest position of an entry that is not above another; 0 where there is none. */
    lastUpTo: async (end: number): Promise<number> => {
      const sql = `SELECT coalesce(max(${position}), 0) FROM "JournalEntry" WHERE ${position} <= ?`;
      const [row] = await rowsOf(database, sql, [end], 'bounded');
      return Number(row?.[0] ?? 0);
    },
    /** Whether a reader can continue after a position, and where the journal begins and ends. */
    continuationOf: (after: number) => continuationOf(database, after),
    /**
     * Keeps entries after the position that `position` finds, however old they are; undefined holds none. It is asked in
     * each transaction that deletes entries, with the only row of `JournalState` locked: code that lowers it locks this
     * row first, and checks whether the entries are still there.
     */
    hold: (position: () => Procedure<number | undefined>): void => void holders.push(position),
    /** The lowest position at which the journal is held; infinite if it is not. */
    *heldAt(): Procedure<number> {
      let lowest = Number.POSITIVE_INFINITY;
      for (const holder of holders) lowest = Math.min(lowest, (yield* holder()) ?? lowest);
      return lowest;
    },
    /** Calls `listener` soon after this process or another one has committed changes, maybe more often. Returns the way to stop. */
    onCommit: (listener: () => void): (() => void) => {
      listeners.add(listener);
      stopWatching ??= watchOtherProcesses(database, callListeners);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stopWatching?.();
        stopWatching = undefined;
      };
    },
  };
}

/** Entries examined by one statement that looks for the next entry of some types. */
const examinedAtOnce = 5_000;

// Notices commits of other processes while somebody listens. On SQLite the file's `data_version` shows them. On
// PostgreSQL signals do; because a signal may get lost, it also looks for entries without a position, and for positions
// that another process has given.

/** Milliseconds between two polls; the last value where signals arrive. */
const pollEvery = { sqlite: 40, postgresql: 80, behindSignals: 250 };

const queries = {
  sqlite: 'PRAGMA data_version',
  postgresql: `SELECT "position"::text,
      (SELECT max("entry")::text FROM "JournalEntry" WHERE "position" IS NULL) FROM "JournalState" WHERE "id" = $1`,
};

/** Calls `wake` when another process may have changed something. Returns the way to stop. */
export function watchOtherProcesses(
  { provider, read, signals }: Pick<OpenedDatabase, 'provider' | 'read' | 'signals'>,
  wake: () => void,
): () => void {
  const stopped = new AbortController();
  const listening = signals?.listen(wake);
  let known: string | undefined;
  const poll = async () => {
    const found = await read?.(queries[provider], provider === 'sqlite' ? [] : [1], 'bounded');
    const state = String(found?.[0]);
    // What was committed before the first poll may have been missed.
    if (known !== state) wake();
    known = state;
  };
  const watch = async () => {
    while (!stopped.signal.aborted) {
      // While the database does not answer, nothing can be read either.
      await poll().catch(() => undefined);
      const pause = pollEvery[listening?.isHearing ? 'behindSignals' : provider];
      await sleep(pause, undefined, { signal: stopped.signal, ref: false });
    }
  };
  watch().catch(() => undefined); // rejected when it is stopped
  return () => {
    stopped.abort();
    listening?.stop();
  };
}

// Positions as clients see them: texts that only the gateway reads. Inside they are whole numbers.

/** Undefined for a text that is no position. */
export function positionInText(text: string): number | undefined {
  const position = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(position) ? position : undefined;
}

/** The end of a sentence that begins with the name of an argument. */
export const notAPosition = 'must be a position that the gateway has given, as a text';

/** The position in an argument `after`. @throws BAD_USER_INPUT */
export function positionAfter(after: string): number {
  const position = positionInText(after);
  if (position !== undefined) return position;
  throw errors.invalidAt(['after'], notAPosition);
}

/** The feed of all changes, or of some types and actions, in the order of their positions. */
interface FeedRequest {
  after: number;
  first: number;
  /** The types whose changes are wanted. */
  types: readonly Resource[];
  /** The actions that are wanted, however often a client named each; undefined for all. */
  actions: ReadonlySet<ChangeAction> | undefined;
  /** What the roles of the caller let it see; undefined for one without roles. */
  rights?: Rights | undefined;
}

export interface FeedPage {
  entries: readonly StoredEntry[];
  /** Everything wanted up to here is in this page or before it: `after` of the next. */
  position: number;
  hasMore: boolean;
}

/** Entries examined for a page at most, so that a page of a rare type takes no longer than one of all. */
const mostExamined = 2_000;

export async function changeFeed(
  database: EntrySource,
  resources: readonly Resource[],
  { after, first, types, actions, rights }: FeedRequest,
): Promise<FeedPage> {
  await numberEntries(database);
  const position = positionColumn(database.provider);
  const examined = `SELECT ${position} FROM "JournalEntry" WHERE ${position} > ? ORDER BY ${position} LIMIT ${mostExamined}`;
  const ends = `SELECT max("first".${position}), (SELECT max(${position}) FROM "JournalEntry") FROM (${examined}) AS "first"`;
  const [end] = await rowsOf(database, ends, [after]);
  if (end?.[0] == null) return { entries: [], position: after, hasMore: false };
  const last = Number(end[0]);
  const isCut = Number(end[1]) > last;
  const conditions = [`${position} > ?`, `${position} <= ?`, `"model" IN (${types.map(() => '?').join(', ')})`];
  if (actions) conditions.push(`"action" IN (${Array.from(actions, () => '?').join(', ')})`);
  if (types.length === 0 || actions?.size === 0) return { entries: [], position: last, hasMore: isCut };
  const wanted = {
    where: conditions.join(' AND '),
    values: [after, last, ...types.map(({ model }) => model), ...(actions ?? [])],
    order: position,
  };
  const most = first + 1;
  const places = rights ? await readPlaces(database, resources, wanted) : [];
  const sight = rights && (await SeenEntries.read(database, rights, places));
  if (sight) {
    const shown = places.filter((entry) => sight.isSeen(entry)).slice(0, most);
    wanted.where += ` AND ${position} IN (${shown.map((entry) => entry.position).join(', ') || 'NULL'})`;
  }
  const found = await readEntries(database, resources, { ...wanted, most, bytes: mostBytes });
  const page = found.entries.slice(0, first);
  const entries = sight ? page.flatMap((entry) => sight.shown(entry) ?? []) : page;
  // A page that lacks some of what was found ends with its last entry.
  const isShort = found.isCut || found.entries.length > first;
  return { entries, position: isShort ? (page.at(-1)?.position ?? last) : last, hasMore: isShort || isCut };
}
