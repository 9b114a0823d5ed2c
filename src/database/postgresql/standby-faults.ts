/** The kinds of errors of a standby, and whether the standby is to blame. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { answerLimitIn } from '../answer-limit.js';
import { manyLargeResults } from './result-limits.js';

/** Milliseconds for a connection, and for its position. */
export const patience = 1_000;

/** @throws if the standby has not answered in time */
export async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const ended = new AbortController();
  const late = sleep(patience, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`The standby has not answered within ${patience} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    work.catch(() => undefined);
    ended.abort();
  }
}

/** Errors after which a session goes on; not those of a server that ends it or shuts down. */
export const isOfStatement = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !/^(08|53|57P|58|XX)/.test(error.code ?? '');

/** The answer is too large, or one of too many large ones: not the fault of the standby. */
export const isOfAnswer = (error: unknown): error is Error =>
  answerLimitIn(error) !== undefined || (error instanceof Error && error.message === manyLargeResults);

/** The read got no connection in time, or its request has ended: all connections are in use, and the standby may be well. */
export const isOfTurn = (error: unknown): boolean => error instanceof DriverAdapterError;

/** A read that replay has cancelled, because it removes what the read may look at. */
export const isConflict = ({ code = '' }: pg.DatabaseError): boolean => /^(40|55|25)/.test(code);
