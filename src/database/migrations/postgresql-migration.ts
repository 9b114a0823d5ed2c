import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseStartError, isBlocked } from '../database-start-error.js';
import { toolSession } from '../postgresql/tool-session.js';
import type { MigrationConnection } from './migrate.js';
import type { AppliedMigration } from './migration-history.js';
import { engineAdapter } from './postgresql-engine.js';

/** The number of the advisory lock that all Prisma tools use for migrations. */
const PRISMA_LOCK = 72_707_369;

/** Milliseconds after which a migration gives up that other processes or transactions hold up. */
const patience = 60_000;

/**
 * A connection that migrates a PostgreSQL database in one session. Prisma's advisory lock keeps out other gateways and
 * `prisma migrate deploy`, and one transaction makes the migrations all or nothing; one that builds an index beside writers
 * ends the transaction before it. What waits too long for a lock is rolled back, so that requests get their turn, and begins
 * again, for about `limit` milliseconds.
 */
export async function openPostgresqlMigration(url: string, limit = patience): Promise<MigrationConnection> {
  const client = toolSession(url, 'migration');
  await client.connect();
  await requireUsable(client).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  return {
    provider: 'postgresql',
    adapter: engineAdapter(client),
    applied: () => appliedMigrations(client),
    exclusively: (work) => exclusively(client, work, limit),
    close: () => client.end(),
  };
}

/** A standby, or a read-only database, accepts connections too, as does one that cannot hold every character. */
async function requireUsable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `SELECT current_setting('transaction_read_only') AS "isReadOnly", current_setting('server_encoding') AS "encoding"`,
  );
  const { isReadOnly, encoding } = rows[0] ?? {};
  if (encoding !== 'UTF8') {
    throw new DatabaseStartError(
      `The database ${client.database} on ${client.host} has the encoding ${encoding}, which cannot hold every character. Make one with ENCODING 'UTF8' TEMPLATE template0, and set DATABASE_URL to it.`,
    );
  }
  if (isReadOnly !== 'on') return;
  throw new DatabaseStartError(
    `The database ${client.database} on ${client.host} is read-only: it is a standby, or was made read-only. Set DATABASE_URL to the primary, or allow writes.`,
  );
}

async function exclusively<Result>(client: pg.Client, work: () => Promise<Result>, limit: number): Promise<Result> {
  await lock(client, limit);
  try {
    for (const until = performance.now() + limit; ; ) {
      try {
        return await inTransaction(client, work);
      } catch (error) {
        if (!isHeldUp(error) || performance.now() > until) throw error;
      }
      await pause();
    }
  } finally {
    await client.query('SELECT pg_advisory_unlock_all()').catch(() => undefined);
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

/** Whether a statement of a migration has waited too long for a lock that another transaction holds. */
const isHeldUp = (error: unknown): boolean => error instanceof DatabaseStartError && isBlocked(error.cause);

/** Long enough for the requests that waited behind a migration, and not the same for two gateways. */
const pause = () => sleep(200 + Math.random() * 300);

/** Asks again and again instead of waiting in the database, where an index that is built beside writers waits for who waits. */
async function lock(client: pg.Client, limit: number): Promise<void> {
  for (const until = performance.now() + limit; ; ) {
    if (await takeLock(client)) return;
    if (performance.now() > until) {
      throw new DatabaseStartError(
        `Another process has been migrating this database for over ${limit / 1000} s. Wait until it is done, or end it, and start again.`,
      );
    }
    await pause();
  }
}

async function takeLock(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${PRISMA_LOCK}) AS "isTaken"`);
    return rows[0]?.isTaken === true;
  } catch (error) {
    const code = sqlState(error);
    // A compatible database without advisory locks: there, migrate from one place only, with MIGRATE=false elsewhere.
    if (code === '0A000' || code === '42883') return true;
    throw error;
  }
}

async function appliedMigrations(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query("SELECT to_regclass('_prisma_migrations') AS found");
  if (tables[0]?.found === null) return [];
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
  );
  return rows;
}

function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}
