/** Reads what a subscription selects of a changed record, by the same executor as any query. */
import { setTimeout as sleep, setImmediate as turnOfLoop } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import { inTime } from '../../common/timing.js';
import { createSerialQueue, FairQueue } from '../../database/queues.js';
import { arrivalOf, type OwnRequest, type RunRequest } from '../../gateway/call.js';
import type { Execute } from '../../gateway/execution/executor.js';
import type { Subscription } from '../../graphql/operation/admission.js';
import { isFilter } from '../../graphql/operation/record-reading.js';
import { knownError, showError } from '../../graphql/shown-errors/show-error.js';
import type { ChangeAction } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import { type ReadRecord, recordIn, sizeOf } from './event-form.js';
import type { Entry } from './recent-entries.js';

/**
 * Reads what is selected of a record. @throws if the database fails for longer than is worth waiting, or if no
 * subscriber waits for it any more when its turn comes
 */
export type ReadForStream = (
  subscription: Subscription,
  change: ChangedRecord,
  context: OwnRequest,
  batch: { readonly isOver: boolean },
) => Promise<ReadRecord>;

/**
 * Milliseconds before a read is repeated because the database was unavailable or the read took too long. After the last
 * one the stream ends if the database is unavailable. If the read takes too long each time, the event is sent without
 * its record, because a client that reconnects would wait for it again.
 */
const pauses = [50, 200, 1_000, 3_000, 5_000];

export function createStreamReads(execute: Execute, work: RunRequest): ReadForStream {
  const turns = new ReadTurns();

  return async (subscription, { id, parentId }, context, batch) => {
    const operation = subscription.readingOf(id, parentId);
    const isFiltered = isFilter(subscription.root.args.where);
    const attempt = async (): Promise<ReadRecord> => {
      try {
        return recordIn(await work(arrivalOf(context), (inner) => execute(operation, inner)), isFiltered);
      } catch (error) {
        return withoutRecord(error, context);
      }
    };
    const inTurn = async () => (batch.isOver ? undefined : attempt());
    for (const pause of [...pauses, undefined]) {
      const read = await turns.take(context.identity.keyId, inTurn, (made) => (made ? sizeOf(made) : 0));
      if (!read) throw new Error('The stream has ended');
      const codes = read.errors.map(({ extensions }) => extensions.code);
      const isAway = codes.includes('UNAVAILABLE');
      if (!isAway && (pause === undefined || !codes.includes('TIMEOUT'))) return read;
      if (pause !== undefined) await sleep(pause);
    }
    throw new Error('The database did not answer');
  };
}

/** An event without its record, and with the reason: the answer would be too large, for example. */
function withoutRecord(error: unknown, context: OwnRequest): ReadRecord {
  const known = knownError(error);
  const shown = showError(new GraphQLError(known.message, { path: ['record'], originalError: known }), context);
  return { isIn: undefined, records: new Map(), errors: [shown] };
}

// The turns in which streams read records: each key gets as many as any other, however many streams it has.

/** Reads at the same time, of all keys and of one. */
const atOnce = { all: 16, ofKey: 8 };
/** Milliseconds of reading after which requests get a turn: SQLite reads while nothing else happens. */
const longest = 10;
/** Bytes from which a result is large, and the milliseconds for which one read may keep the next large one waiting. */
const large = 128 * 1024;
const longestAlone = 1_000;

export class ReadTurns {
  readonly #queue = new FairQueue(
    {
      atOnce: atOnce.all,
      perCaller: atOnce.ofKey,
    },
    { busy: unexpected, over: unexpected },
  );
  readonly #milliseconds = new TurnBudget(longest);
  /** About the size of the last results. Until one is known, they count as large. */
  #recent = large;
  readonly #alone = createSerialQueue();

  /**
   * `sizeOf` says how many bytes a result has. While results are large they are read one at a time: PostgreSQL would send
   * several together, and requests would wait until all of them are received and made into events.
   */
  take<Result>(keyId: string, read: () => Promise<Result>, sizeOf: (result: Result) => number): Promise<Result> {
    const measured = async () => {
      await this.#milliseconds.take(0);
      const from = performance.now();
      const reading = read();
      this.#milliseconds.spend(performance.now() - from);
      const result = await reading;
      this.#recent = Math.max(sizeOf(result), this.#recent / 2);
      return result;
    };
    const begin = () => (this.#recent >= large ? this.#oneByOne(measured) : measured());
    return this.#queue.take(undefined, begin, keyId);
  }

  /**
   * The next one begins when the bytes of those before have had their turns: otherwise each of hundreds of streams would hold an
   * event of megabytes that waits. A database that takes long for one of them does not keep the others waiting.
   */
  #oneByOne<Result>(read: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const done = () =>
        read()
          .then(resolve, reject)
          .then(() => byteTurns.take(0));
      void this.#alone(() => inTime(done(), longestAlone, () => undefined));
    });
  }
}

/** What keeps the event loop: so much of it is done before requests get a turn. */
export class TurnBudget {
  #spent = 0;
  #next: Promise<void> | undefined;

  /** `least` is what each piece counts at the least. */
  constructor(
    private readonly most: number,
    private readonly least = 0,
  ) {}

  async take(amount: number): Promise<void> {
    while (this.#spent >= this.most) await this.#turn();
    this.spend(Math.max(amount, this.least));
  }

  spend(amount: number): void {
    this.#spent += amount;
  }

  #turn(): Promise<void> {
    this.#next ??= turnOfLoop().then(() => {
      this.#next = undefined;
      this.#spent = 0;
    });
    return this.#next;
  }
}

/**
 * The bytes that all streams copy before requests get a turn: streams that make events and hand them to their connections copy
 * all their bytes, so that events of megabytes for hundreds of clients would hold requests up for seconds.
 */
export const byteTurns = new TurnBudget(1024 * 1024, 4 * 1024);

function unexpected(): Error {
  return new Error('Reads of streams wait without a limit and are never refused');
}

// Groups journal entries into the changes that a stream reports of a record with its lines.

/** A record that was changed by one transaction. */
export interface ChangedRecord {
  /** The highest of its entries. */
  position: number;
  action: ChangeAction;
  resource: Resource;
  id: string;
  parentId: string;
  document: Entry['document'];
  version: number;
  /** The version of the document. */
  revision: number;
  /** The names of changed fields, and of lists whose lines were changed. */
  fields: readonly string[];
  /** The entry of the record itself; undefined if only lines were changed. */
  own: Entry | undefined;
}

/** One for each record of the type and transaction, in the order of their positions. `id` names one record. */
export function changesOfType(entries: readonly Entry[], resource: Resource, id?: string): ChangedRecord[] {
  const transactions = new Map<string, Entry[]>();
  for (const entry of entries) {
    const isOwn = entry.resource === resource;
    const isLine = !isOwn && entry.document.resource === resource;
    if (!isOwn && !isLine) continue;
    if (id !== undefined && (isOwn ? entry.id : entry.document.id) !== id) continue;
    const key = `${entry.commit} ${isOwn ? entry.id : entry.document.id}`;
    const together = transactions.get(key) ?? [];
    if (together.push(entry) === 1) transactions.set(key, together);
  }
  return [...transactions.values()]
    .map((together) => changeOf(together, resource))
    .sort((one, other) => one.position - other.position);
}

function changeOf(entries: readonly Entry[], resource: Resource): ChangedRecord {
  const last = entries.reduce((one, other) => (other.position > one.position ? other : one));
  // A parent that is not stored here begins again at version 1 after its last line, so an imported line may have come back.
  const own = entries.findLast((entry) => entry.resource === resource);
  const lists = resource.lines.filter((list) => entries.some((entry) => entry.resource === list.resource));
  const fields = entries.flatMap((entry) => (entry.resource === resource ? entry.fields : []));
  const isDocument = own === undefined || own.id === own.document.id;
  return {
    position: last.position,
    action: own?.action ?? 'update',
    resource,
    id: own?.id ?? last.document.id,
    parentId: last.document.id,
    document: last.document,
    revision: last.revision,
    version: !isDocument || own?.action === 'delete' ? (own?.version ?? last.revision) : last.revision,
    fields: [...new Set([...fields, ...lists.map(({ field }) => field)])],
    own,
  };
}
