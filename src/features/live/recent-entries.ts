/** The latest entries of the journal in memory, read once for all streams. */
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Journal, JournalEntry } from '../../change/journal/journal.js';
import { createSerialQueue } from '../../database/queues.js';

const batchSize = 500;
const mostKept = 2_000;
/** Milliseconds before a failed read is repeated: at first, and at most. */
const pauses = { first: 50, longest: 2_000 };

export class RecentEntries {
  /** Everything behind `#start` and up to `#end` is in `#entries`. */
  #start: number;
  #end: number;
  #entries: Entry[] = [];
  readonly #stop: () => void;
  #isClosed = false;
  #isReading = false;
  #isStale = false;

  private constructor(
    private readonly journal: Journal,
    end: number,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly onNew: () => void,
  ) {
    [this.#start, this.#end] = [end, end];
    this.#stop = journal.onCommit(() => this.#readNew());
    // What was committed in between would wait for the next commit.
    void this.#readNew();
  }

  /** Follows the journal from now on, until it is closed. `onNew` is called when entries were added. */
  static async follow(journal: Journal, log: Pick<Logger, 'warn'>, onNew: () => void): Promise<RecentEntries> {
    return new RecentEntries(journal, (await journal.continuationOf(0)).last, log, onNew);
  }

  /** The position up to which the journal was read. */
  get end(): number {
    return this.#end;
  }

  /** How many entries are between two positions; infinitely many if they are no longer in memory. */
  between(from: number, to: number): number {
    if (from === to) return 0;
    if (from < this.#start) return Number.POSITIVE_INFINITY;
    return this.#entries.filter(({ position }) => position > from && position <= to).length;
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  /** At most `most` entries behind a position: from memory, or undefined if they are no longer there. */
  after(position: number, most = mostKept): Entries | undefined {
    if (position < this.#start) return undefined;
    const first = this.#entries.findLastIndex((entry) => entry.position <= position) + 1;
    let behind = Math.min(first + most, this.#entries.length);
    while (behind > first && this.#entries[behind - 1]?.commit === this.#entries[behind]?.commit) behind++;
    const entries = this.#entries.slice(first, behind);
    const isAll = behind >= this.#entries.length;
    return { entries, end: isAll ? this.#end : (entries.at(-1)?.position ?? this.#end) };
  }

  /**
   * The same from the journal itself. `isTooOld` if some of it is no longer kept. One read at a time, each in a turn of
   * the event loop of its own: SQLite reads while nothing else happens, and streams that begin long ago may read a whole
   * journal, so that requests would wait for all of them.
   */
  async fromJournal(position: number, request: PastEntriesRequest): Promise<PastEntries> {
    const read = async () => {
      await turn();
      return pastEntries(this.journal, position, request);
    };
    const past = await inTurn(read, { last: true });
    return past.isTooOld ? { ...past, end: Math.max(past.end, this.#end) } : past;
  }

  /** Reads what is new, and once more if something was committed meanwhile. */
  async #readNew(): Promise<void> {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    let pause = pauses.first;
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      try {
        const past = await pastEntries(this.journal, this.#end, { most: batchSize });
        pause = pauses.first;
        // A journal that ends earlier never gives that position again, so the next change reveals the gap.
        if (past.isTooOld && past.end < this.#end) continue;
        if (!past.isAll) this.#isStale = true;
        this.#add(past);
      } catch (err) {
        if (this.#isClosed) break; // The last stream has ended, such as when the process stops and closes the database.
        this.log.warn({ err }, 'The journal could not be read for streams; it is tried again');
        this.#isStale = true;
        await sleep(pause, undefined, { ref: false });
        pause = Math.min(2 * pause, pauses.longest);
      }
    }
    // In the same turn as the last check of `#isStale`, because a wake-up in between would be lost.
    this.#isReading = false;
  }

  #add({ entries, end, isTooOld }: PastEntries): void {
    if (this.#isClosed) return;
    if (isTooOld) {
      // All streams now ask the journal themselves, and find changes missing.
      this.#entries = [];
      this.#start = end;
    } else if (entries.length === 0) return;
    this.#entries.push(...entries);
    this.#end = end;
    const surplus = this.#entries.length - mostKept;
    if (surplus > 0) this.#start = this.#entries.splice(0, surplus).at(-1)?.position ?? this.#start;
    this.onNew();
  }
}

/** Entries for streams that begin before the oldest entry in memory. */
const inTurn = createSerialQueue();

interface PastEntriesRequest {
  /** About how many entries are read at once. */
  most: number;
  /** The record types that matter, with their lines; undefined for all. */
  models?: readonly string[] | undefined;
}

interface PastEntries extends Entries {
  /** Whether no entries follow. */
  isAll: boolean;
  /** Whether some of what was asked for is no longer kept; then these are none. */
  isTooOld: boolean;
}

/**
 * The next entries behind a position, with whole transactions. `isTooOld` if some of it is no longer kept. If none of
 * them matters, the database skips those that follow, up to the next one that does, without reading them.
 */
export async function pastEntries(
  journal: Pick<Journal, 'read' | 'continuationOf' | 'skippable'>,
  position: number,
  { most, models }: PastEntriesRequest,
): Promise<PastEntries> {
  const entries: Entry[] = [];
  let end = position;
  for (;;) {
    const { entries: read, isAll, isHeld } = await journal.read(end, most);
    if (!isHeld || read.length === 0) {
      const { isHeld: isStillHeld, last } = await journal.continuationOf(end);
      if (!isHeld || !isStillHeld) return { entries: [], end: last, isAll: false, isTooOld: true };
    }
    entries.push(...read.map(streamEntryOf));
    end = entries.at(-1)?.position ?? end;
    const whole = isAll ? entries.length : lastCommitIn(entries);
    if (whole === 0 && !isAll) continue;
    const found = {
      entries: entries.slice(0, whole),
      end: entries[whole - 1]?.position ?? end,
      isAll,
      isTooOld: false,
    };
    if (isAll || !models || found.entries.some((entry) => isOf(entry, models))) return found;
    return { ...found, end: (await journal.skippable(found.end, models)) ?? found.end };
  }
}

const isOf = ({ resource, document }: Entry, models: readonly string[]): boolean =>
  models.includes(resource.model) || (document.resource !== undefined && models.includes(document.resource.model));

/** What streams keep of an entry of the journal: little, because the latest entries stay in memory. */
export interface Entry extends Pick<JournalEntry, 'position' | 'action' | 'resource' | 'id' | 'document' | 'version'> {
  /** The version of the document after the change. */
  revision: number;
  /** Equal for entries of one transaction and document. */
  commit: string;
  fields: readonly string[];
  /** The short values that they had before. */
  before: ReadonlyMap<string, string | number | boolean | null>;
}

/** The entries behind a position; none is missing up to the position `end`. */
export interface Entries {
  entries: readonly Entry[];
  end: number;
}

function streamEntryOf({ changes, ...entry }: JournalEntry): Entry {
  const { position, action, resource, id, document, version, revision } = entry;
  // Of secrets the journal shows only that they have changed.
  const secrets = new Set(resource.fields.flatMap(({ name, secret }) => (secret ? [name] : [])));
  return {
    position,
    action,
    resource,
    id,
    document,
    version,
    revision,
    commit: `${document.id} ${revision}`,
    fields: changes.map(({ field }) => field),
    before: new Map(
      changes.flatMap(({ field, before }) =>
        isShort(before) && !secrets.has(field) ? [[field, before] as const] : [],
      ),
    ),
  };
}

const longestKept = 100;

function isShort(value: unknown): value is string | number | boolean | null {
  if (typeof value === 'string') return value.length <= longestKept;
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}

/** Where the entries of the last transaction and document begin. */
function lastCommitIn(entries: readonly Entry[]): number {
  const commit = entries.at(-1)?.commit;
  return entries.findLastIndex((entry) => entry.commit !== commit) + 1;
}
