/**
 * Migrates a PostgreSQL database while no other process does. Prisma's advisory lock keeps out other gateways and
 * `prisma migrate deploy`; with the profile `distributed` it is a row of a table. One transaction makes the migrations
 * all or nothing; one that builds an index beside writers ends the transaction before it. A migration that waits too
 * long for a lock is rolled back, so that requests can go on, and then begins again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseStartError, isBlocked } from '../database-problem.js';
import { inToolTransaction, type ToolSession, toolSession } from '../postgresql/tool-session.js';
import type { MigrationHistory } from './migration-history.js';

/** The number of the advisory lock that all Prisma tools use for migrations. */
const PRISMA_LOCK = 72_707_369;

export interface Exclusion {
  url: string;
  session: ToolSession;
  history: MigrationHistory;
  /** Milliseconds after which a migration gives up if other processes or transactions block it. */
  limit: number;
}

export async function exclusively<Result>(exclusion: Exclusion, work: () => Promise<Result>): Promise<Result> {
  const { session, history, limit } = exclusion;
  const { client } = session;
  if (history === 'distributed') {
    await makeLock(client);
    return patiently(limit, () => inToolTransaction(session, () => takeRow(client).then(work)));
  }
  const giveBack = await takeAdvisoryLock(exclusion);
  try {
    return await patiently(limit, () => inToolTransaction(session, work));
  } finally {
    await giveBack();
  }
}

/** Repeats `work` while other processes or transactions block it. */
async function patiently<Result>(limit: number, work: () => Promise<Result>): Promise<Result> {
  for (const until = performance.now() + limit; ; ) {
    try {
      return await work();
    } catch (error) {
      const isHeldUp = error instanceof DatabaseStartError && (error instanceof OtherProcess || isBlocked(error.cause));
      if (!isHeldUp || performance.now() > until) throw error;
    }
    await pause();
  }
}

/**
 * Long enough for the requests that waited behind a migration, and random, so that two gateways do not stay in step.
 */
const pause = () => sleep(200 + Math.random() * 300);

class OtherProcess extends DatabaseStartError {
  constructor() {
    super(
      'Another process has been migrating this database for too long. Wait until it is done, or end it, and start again.',
    );
  }
}

/**
 * Polls for the lock instead of waiting in the database, because an index that is built concurrently waits for every
 * open transaction, also for one that waits. Resolves with a function that releases the lock. Behind a pooler, a
 * session's lock would stay with the next client of the session, so there an open transaction on a separate connection
 * holds the lock.
 */
async function takeAdvisoryLock({ url, session, limit }: Exclusion): Promise<() => Promise<void>> {
  const { client, isPooled } = session;
  if (!isPooled) {
    await patiently(limit, () => tryLock(client, 'pg_try_advisory_lock'));
    return async () => void (await client.query('SELECT pg_advisory_unlock_all()').catch(() => undefined));
  }
  const holder = await toolSession(url, 'migration');
  const giveBack = async () => void (await holder.client.end().catch(() => undefined));
  try {
    // Without the lock the transaction ends: the pooler may need its session for the process that has the lock.
    await patiently(limit, async () => {
      await holder.client.query(`BEGIN${holder.settings}`);
      await tryLock(holder.client, 'pg_try_advisory_xact_lock').catch(async (error: unknown) => {
        await holder.client.query('ROLLBACK');
        throw error;
      });
    });
  } catch (error) {
    await giveBack();
    throw error;
  }
  return giveBack;
}

async function tryLock(client: pg.Client, lock: string): Promise<void> {
  try {
    const { rows } = await client.query(`SELECT ${lock}(${PRISMA_LOCK}) AS "isTaken"`);
    if (rows[0]?.isTaken !== true) throw new OtherProcess();
  } catch (error) {
    // A compatible database without advisory locks: there, migrate from one place only, with MIGRATE=false elsewhere.
    if (!['0A000', '42883'].includes(sqlState(error))) throw error;
  }
}

/**
 * Makes the table whose only row is locked by the transaction that migrates. Prisma's engine wants its own schema empty before
 * the first migration.
 */
async function makeLock(client: pg.Client): Promise<void> {
  // If two processes create it at the same time, one of them gets one of these errors, and then finds the table.
  for (let made = false; !made; ) {
    made = await client
      .query(
        'CREATE SCHEMA IF NOT EXISTS "gateway"; CREATE TABLE IF NOT EXISTS "gateway"."migration" AS SELECT 1 AS "id"',
      )
      .then(() => true)
      .catch((error: unknown) => {
        if (!['23505', '42P07', '40001', '55P03'].includes(sqlState(error))) throw error;
        return false;
      });
  }
}

async function takeRow(client: pg.Client): Promise<void> {
  await client.query('SELECT 1 FROM "gateway"."migration" WHERE "id" = 1 FOR UPDATE NOWAIT').catch((error: unknown) => {
    throw ['55P03', '40001'].includes(sqlState(error)) ? new OtherProcess() : error;
  });
}

const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');
