/** Reads what a subscription selects of a changed record, by the same executor as any query. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError } from 'graphql';
import type { RequestContext } from '../context.js';
import type { Execute } from '../execution/executor.js';
import type { MaybePromise } from '../maybe-promise.js';
import type { Subscription } from '../operation/admission.js';
import { isFilter } from '../operation/record-reading.js';
import { knownError, showError } from '../shown-errors/show-error.js';
import type { ChangedRecord } from './changed-record.js';
import { type ReadRecord, recordIn } from './event-form.js';

/** Reads what is selected of a record. @throws if the database fails for longer than is worth waiting */
export type ReadForStream = (
  subscription: Subscription,
  change: ChangedRecord,
  context: RequestContext,
) => Promise<ReadRecord>;

/** Runs work within the limits of requests: time, and requests at once. */
export type Work = <Result>(
  context: RequestContext,
  work: (context: RequestContext) => MaybePromise<Result>,
) => MaybePromise<Result>;

/** Records that are read for streams at the same time. */
const mostAtOnce = 4;
/** Milliseconds before a read that failed for lack of a database is repeated; after the last, the stream ends. */
const pauses = [50, 200, 1_000, 3_000, 5_000];

export function createStreamReads(execute: Execute, work: Work): ReadForStream {
  const turns = new Turns(mostAtOnce);

  return async (subscription, { id, parentId }, context) => {
    const operation = subscription.readingOf(id, parentId);
    const isFiltered = isFilter(subscription.root.args.where);
    const attempt = async (): Promise<ReadRecord> =>
      recordIn(await work(context, (inner) => execute(operation, inner)), isFiltered);
    for (const pause of [...pauses, undefined]) {
      const { read, error } = await turns.take(() => attempt().then(found, failed));
      if (read && !read.errors.some(({ extensions }) => isPassing(extensions.code))) return read;
      const known = read ? undefined : knownError(error);
      if (known && !isPassing(known.code)) {
        // Such as an answer that is too large: the change is told, and why its record is not.
        const shown = showError(new GraphQLError(known.message, { path: ['record'], originalError: known }), context);
        return { isIn: undefined, records: new Map(), errors: [shown] };
      }
      if (pause === undefined) throw error instanceof Error ? error : new Error('The database did not answer');
      await sleep(pause);
    }
    throw new Error('The last attempt returns or throws');
  };
}

const found = (read: ReadRecord) => ({ read, error: undefined });
const failed = (error: unknown) => ({ read: undefined, error });

const isPassing = (code: unknown): boolean => code === 'UNAVAILABLE' || code === 'TIMEOUT';

/** Lets a number of tasks run at the same time; the others wait in line. */
class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
