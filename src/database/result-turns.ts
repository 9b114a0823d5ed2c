/**
 * Gives Prisma large results one by one, with turns of the event loop between them. Prisma makes objects of all rows of
 * a result in one piece, about 50 ms for 20,000 rows, and several results that arrive together would hold up everybody
 * for all that time.
 */
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { type SendQuery, withQueries } from './adapter-queries.js';
import { createSerialQueue, type RunInTurn } from './queues/serial-queue.js';

/** Rows from which a result is large. */
const large = 500;

/**
 * Turns before each large result. A short request needs as many: one to be received, one for the answer of PostgreSQL,
 * and one to be answered.
 */
const turnsBetween = 3;

/**
 * Wraps an adapter so that all its connections together give large results one by one. Those of a transaction wait for each
 * other only: it holds locks meanwhile, on SQLite that of the only writer.
 */
export function withResultTurns(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const outside = createSerialQueue();
  return withQueries(
    factory,
    (send) => oneByOne(send, outside),
    (send) => oneByOne(send, createSerialQueue()),
  );
}

const oneByOne =
  (send: SendQuery, inTurn: RunInTurn): SendQuery =>
  async (query) => {
    const result = await send(query);
    if (result.rows.length >= large) await inTurn(othersFirst);
    return result;
  };

async function othersFirst(): Promise<void> {
  for (let turn = 0; turn < turnsBetween; turn++) await turnOfLoop();
}
