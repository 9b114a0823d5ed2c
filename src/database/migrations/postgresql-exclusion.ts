/**
 * Migrates a PostgreSQL database while no other process does. Prisma's advisory lock keeps out other gateways and `prisma
 * migrate deploy`; with the profile `distributed` it is a row of a table. One transaction makes the migrations all or nothing;
 * one that builds an index beside writers ends the transaction before it. What waits too long for a lock is rolled back, so
 * that requests get their turn, and begins again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseStartError, isBlocked } from '../database-start-error.js';
import type { History } from './migration-history.js';

/** The number of the advisory lock that all Prisma tools use for migrations. */
const PRISMA_LOCK = 72_707_369;

export interface Exclusion {
  client: pg.Client;
  history: History;
  /** Milliseconds after which a migration gives up that other processes or transactions hold up. */
  limit: number;
}

export async function exclusively<Result>(exclusion: Exclusion, work: () => Promise<Result>): Promise<Result> {
  const { client, history, limit } = exclusion;
  if (history === 'distributed') {
    await makeLock(client);
    return patiently(limit, () => inTransaction(client, () => takeRow(client).then(work)));
  }
  await takeAdvisoryLock(exclusion);
  try {
    return await patiently(limit, () => inTransaction(client, work));
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
  }
}

/** Repeats `work`, which others hold up. */
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

async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // The session may be gone; the first error is the one to report.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Long enough for the requests that waited behind a migration, and not the same for two gateways. */
const pause = () => sleep(200 + Math.random() * 300);

class OtherProcess extends DatabaseStartError {
  constructor() {
    super(
      'Another process has been migrating this database for too long. Wait until it is done, or end it, and start again.',
    );
  }
}

/** Asks again and again instead of waiting in the database, where an index that is built beside writers waits for who waits. */
async function takeAdvisoryLock({ client, limit }: Exclusion): Promise<void> {
  await patiently(limit, async () => {
    try {
      const { rows } = await client.query(`SELECT pg_try_advisory_lock(${PRISMA_LOCK}) AS "isTaken"`);
      if (rows[0]?.isTaken !== true) throw new OtherProcess();
    } catch (error) {
      // A compatible database without advisory locks: there, migrate from one place only, with MIGRATE=false elsewhere.
      if (!['0A000', '42883'].includes(sqlState(error))) throw error;
    }
  });
}

/** Makes the table whose only row is locked by the transaction that migrates. */
async function makeLock(client: pg.Client): Promise<void> {
  // Two processes may make it at the same time: one of them is told so by one of these errors, and finds it then.
  for (let made = false; !made; ) {
    made = await client
      .query('CREATE TABLE IF NOT EXISTS "gateway_migration" AS SELECT 1 AS "id"')
      .then(() => true)
      .catch((error: unknown) => {
        if (!['23505', '42P07', '40001', '55P03'].includes(sqlState(error))) throw error;
        return false;
      });
  }
}

async function takeRow(client: pg.Client): Promise<void> {
  await client.query('SELECT 1 FROM "gateway_migration" WHERE "id" = 1 FOR UPDATE NOWAIT').catch((error: unknown) => {
    throw ['55P03', '40001'].includes(sqlState(error)) ? new OtherProcess() : error;
  });
}

const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');
