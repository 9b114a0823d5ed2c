import type pg from 'pg';
import { systemCode } from '../../common/write-problem.js';
import { readAddress } from '../database-url.js';
import { ConfirmingClient, isPooled, poolerIn } from './client.js';
import { type Connection, sessionSettings } from './session-settings.js';

/**
 * Milliseconds to wait for a lock. A migration waits for less at a time and begins again: requests that come meanwhile wait
 * behind it for a table that it is to change.
 */
const longestWait = { inspection: 60_000, migration: 1_000 };

/** Milliseconds for a connection and its first answer: a pooler lets in also while its server is away. */
const longestBegin = 10_000;

/** A session for work on a whole database without the limits of requests. */
export interface ToolSession {
  client: pg.Client;
  /** Whether a pooler gives it for one transaction at a time. */
  isPooled: boolean;
  /** Follows each BEGIN: nothing where the session keeps what is set. */
  settings: string;
}

type Purpose = keyof typeof longestWait;

const ofConnecting = new WeakSet<Error>();

/** Whether it is one of a connection that was to begin: not all that the driver throws then can be told by a code. */
export const isOfConnecting = (error: unknown): boolean => error instanceof Error && ofConnecting.has(error);

export async function toolSession(url: string, purpose: Purpose): Promise<ToolSession> {
  try {
    return await open(url, purpose);
  } catch (error) {
    if (error instanceof Error) ofConnecting.add(error);
    throw error;
  }
}

/** A pooler refuses settings of the session, so the second attempt leaves them out. */
async function open(url: string, purpose: Purpose): Promise<ToolSession> {
  const address = readAddress(url);
  const said = poolerIn(address);
  const limits = { lock_timeout: longestWait[purpose], statement_timeout: 0, idle_in_transaction_session_timeout: 0 };
  // The address sets the limits of requests.
  const parameters = { ...address.parameters, lock_timeout: undefined, statement_timeout: undefined };
  parameters.idle_in_transaction_session_timeout = undefined;
  const settings = sessionSettings({ ...address, parameters }, limits);
  const pooled = async () => ({
    client: (await connect(settings.bareConnection, purpose)).client,
    isPooled: true,
    settings: `; ${settings.forTransaction}; ${withoutLimits(true)}`,
  });
  if (said) return pooled();
  try {
    const { client, ...found } = await connect(settings.connection, purpose);
    try {
      if (said === false || !found.isPooled) {
        await client.query(`${withoutLimits(false)}; ${settings.onConnect}`);
        return { client, isPooled: false, settings: '' };
      }
    } catch (error) {
      await client.end();
      throw error;
    }
    await client.end();
  } catch (error) {
    if (systemCode(error) !== refusedParameter) throw error;
  }
  return pooled();
}

/** `work` with what is set for the session: behind a pooler, in a transaction of its own unless one is open. */
export function withSettings<Result>(session: ToolSession, work: () => Promise<Result>): Promise<Result> {
  const isSet = !session.isPooled || session.client.getTransactionStatus() !== 'I';
  return isSet ? work() : inToolTransaction(session, work);
}

export async function inToolTransaction<Result>(
  { client, settings }: ToolSession,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query(`BEGIN${settings}`);
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

const refusedParameter = '08P01';

/** Lifts limits that a role may have, where the version of PostgreSQL knows them. */
const withoutLimits = (isLocal: boolean): string =>
  `SELECT set_config("name", '0', ${isLocal}) FROM pg_settings
    WHERE "name" IN ('transaction_timeout', 'idle_session_timeout')`;

async function connect(connection: Connection, purpose: string): Promise<Pick<ToolSession, 'client' | 'isPooled'>> {
  const until = performance.now() + longestBegin;
  const client = new ConfirmingClient({
    ...connection,
    connectionTimeoutMillis: longestBegin,
    application_name: `${connection.application_name} ${purpose}`,
  });
  // Without a listener, an error of the idle session would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return { client, isPooled: await isPooled(client, Math.max(1, until - performance.now())) };
  } catch (error) {
    await client.end();
    throw error;
  }
}
