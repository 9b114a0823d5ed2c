import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { systemCode } from '../../common/write-problem.js';
import { DatabaseStartError, isBlocked, readOnlyError } from '../database-problem.js';
import { readAddress } from '../database-url.js';
import { inToolTransaction, type ToolSession, toolSession, withSettings } from '../postgresql/tool-session.js';
import type { MigrationConnection } from './migrate.js';
import type { AppliedMigration, MigrationHistory } from './migration-history.js';

/** Milliseconds after which a migration gives up if other processes or transactions block it. */
const patience = 60_000;

/**
 * A connection that migrates a PostgreSQL database in one session, and waits for others for about `limit` milliseconds
 * at most.
 */
export async function openPostgresqlMigration(
  url: string,
  limit = patience,
): Promise<MigrationConnection & { isPooled: boolean; version: number; risks: string[] }> {
  const { profile: history = 'postgresql', schema } = readAddress(url).parameters;
  const session = await toolSession(url, 'migration');
  const { client, isPooled } = session;
  const { version, risks, isReadOnly } = await usable(session, schema).catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  return {
    provider: 'postgresql',
    history,
    isPooled,
    version,
    risks,
    query: async (text, values = []) => {
      const { fields, rows } = await withSettings(session, () =>
        client.query<unknown[]>({ text, values: [...values], rowMode: 'array' }),
      );
      return {
        columnNames: fields.map(({ name }) => name),
        columnTypes: fields.map(({ dataTypeID }) => dataTypeID),
        rows,
      };
    },
    run: async (script, isBeside) => {
      if (isBeside && isPooled) throw new Error(needsSession);
      // A query without values may hold several statements, which the server splits correctly.
      await (isBeside ? runOutside(client, script) : client.query(script));
    },
    applied: () => appliedMigrations(session),
    exclusively: (work) => {
      if (isReadOnly) throw readOnlyError();
      return exclusively({ url, session, history, limit }, () => makeSchema(client, schema).then(work));
    },
    close: () => client.end(),
  };
}

/** A role may make tables in a schema, but not the schema itself, so it is made only where there is none. */
async function makeSchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await client.query(`CREATE SCHEMA ${client.escapeIdentifier(schema)}`);
}

/** A database that cannot hold every character accepts connections too. */
async function usable(session: ToolSession, schema: string) {
  const { client } = session;
  const { rows } = await client.query(
    `SELECT current_setting('transaction_read_only') AS "isReadOnly", current_setting('server_encoding') AS "encoding",
       current_setting('server_version_num')::integer AS "version",
       ARRAY(SELECT "name" FROM pg_settings WHERE "name" IN ('fsync', 'full_page_writes') AND "setting" = 'off') AS "lacking",
       (SELECT has_schema_privilege("oid", 'USAGE') FROM pg_namespace WHERE "nspname" = $1) AS "mayEnter"`,
    [schema],
  );
  const { isReadOnly, encoding, version, lacking, mayEnter } = rows[0] ?? {};
  // Without this right all its tables seem to be missing.
  if (mayEnter === false) throw Object.assign(new Error(`permission denied for schema ${schema}`), { code: '42501' });
  if (encoding !== 'UTF8') {
    throw new DatabaseStartError(
      `The database ${client.database} on ${client.host} has the encoding ${encoding}, which cannot hold every character. Make one with ENCODING 'UTF8' TEMPLATE template0, and set DATABASE_URL to it.`,
    );
  }
  const risks = lacking.length > 0 ? [riskOf(client.host, lacking)] : [];
  return { version, risks, isReadOnly: isReadOnly === 'on' };
}

/** Only the server itself can have these otherwise, and a service may have its own way to keep what is written. */
const riskOf = (host: string, settings: string[]): string =>
  `PostgreSQL at ${host} has ${settings.map((name) => `${name} = off`).join(' and ')}: if its machine fails, records that were acknowledged can be lost or damaged. ` +
  `Run ${settings.map((name) => `ALTER SYSTEM SET ${name} = on;`).join(' ')} SELECT pg_reload_conf(), unless the service that runs it keeps what is written in another way, as Aurora and Neon do.`;

function appliedMigrations(session: ToolSession): Promise<AppliedMigration[]> {
  const { client } = session;
  return withSettings(session, async () => {
    const { rows: tables } = await client.query("SELECT to_regclass('_prisma_migrations') AS found");
    if (tables[0]?.found === null) return [];
    const { rows } = await client.query<AppliedMigration>(
      `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
       FROM _prisma_migrations WHERE rolled_back_at IS NULL`,
    );
    return rows;
  });
}

const needsSession =
  'it builds an index beside writers, which takes a session of its own: set DATABASE_DIRECT_URL to lead past the pooler';

/**
 * Runs the statements of a migration outside of a transaction: commits what was done, with the note that this migration
 * has begun, and begins another transaction for the rest. Its statements block no writers, but may wait long for open
 * transactions.
 */
async function runOutside(client: pg.Client, script: string): Promise<void> {
  await client.query("COMMIT; SET lock_timeout = '10min'");
  try {
    for (const statement of script.split(';')) if (statement.trim() !== '') await client.query(statement);
  } finally {
    await client.query('RESET lock_timeout; BEGIN');
  }
}

// Migrates a PostgreSQL database while no other process does. Prisma's advisory lock keeps out other gateways and
// `prisma migrate deploy`; with the profile `distributed` it is a row of a table. One transaction makes the migrations
// all or nothing; one that builds an index beside writers ends the transaction before it. A migration that waits too
// long for a lock is rolled back, so that requests can go on, and then begins again.

/** The number of the advisory lock that all Prisma tools use for migrations. */
const PRISMA_LOCK = 72_707_369;

async function exclusively<Result>(
  { url, session, history, limit }: { url: string; session: ToolSession; history: MigrationHistory; limit: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const { client } = session;
  if (history === 'distributed') {
    await makeLock(client);
    return patiently(limit, () => inToolTransaction(session, () => takeRow(client).then(work)));
  }
  const giveBack = await takeAdvisoryLock(url, session, limit);
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
async function takeAdvisoryLock(url: string, { client, isPooled }: ToolSession, limit: number) {
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
    if (!['0A000', '42883'].includes(systemCode(error))) throw error;
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
        if (!['23505', '42P07', '40001', '55P03'].includes(systemCode(error))) throw error;
        return false;
      });
  }
}

async function takeRow(client: pg.Client): Promise<void> {
  await client.query('SELECT 1 FROM "gateway"."migration" WHERE "id" = 1 FOR UPDATE NOWAIT').catch((error: unknown) => {
    throw ['55P03', '40001'].includes(systemCode(error)) ? new OtherProcess() : error;
  });
}
