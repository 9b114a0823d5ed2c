/**
 * Gives Prisma large results one by one, with turns of the event loop between them. Prisma makes objects of all rows of a
 * result in one piece, about 50 ms for 20,000 rows, and several results that arrive together would hold up everybody for
 * the sum of it.
 */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { withQueries } from './adapter-queries.js';
import { createSerialQueue } from './serial-queue.js';

/** Rows from which a result is large. */
const large = 500;

/** Turns before each large result. A short request takes so many: for itself, for its answer from PostgreSQL, for sending. */
const turnsBetween = 3;

/** Wraps an adapter so that all its connections together give large results one by one. */
export function withResultTurns(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const inTurn = createSerialQueue();
  const othersFirst = async () => {
    for (let turn = 0; turn < turnsBetween; turn++) await turnOfLoop();
  };
  return withQueries(factory, (send) => async (query) => {
    const result = await send(query);
    if (result.rows.length >= large) await inTurn(othersFirst);
    return result;
  });
}
