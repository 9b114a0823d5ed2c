/** The connections to the primary. Who has a turn of `createPoolShare` gets one. */
import pg from 'pg';
import type { Value } from '../../common/work.js';
import type { PostgresqlAddress } from '../database-url.js';
import { ConfirmingClient } from './client.js';
import { connectionFault } from './pool-share.js';
import type { SessionSettings } from './session-settings.js';
import type { StatementNames } from './statement-names.js';

/** What all connections to one PostgreSQL database have in common. */
export interface PostgresqlServer {
  address: PostgresqlAddress;
  connection: pg.ClientConfig & { connectionTimeoutMillis: number };
  /** Whether a pooler lends sessions for one transaction. */
  isPooled: boolean;
  settings: SessionSettings;
  begin: string;
  names: StatementNames;
  /** Called with each new connection when it is open: TLS replaces the stream before that. */
  onConnect(client: pg.Client): void;
  /** Called for each lost connection, which is replaced. */
  onError(error: Error): void;
}

/** A query whose statement is prepared where it is frequent. */
export function preparedQuery(
  names: StatementNames,
  sql: string,
  values: readonly Value[],
  comment = '',
): pg.QueryArrayConfig {
  const text = sql + comment;
  return { name: names.nameOf({ sql: text }), text, values: [...values], rowMode: 'array' };
}

export function openPrimaryPool(server: PostgresqlServer, max: number): pg.Pool {
  const { connection, isPooled, settings, names, onConnect, onError } = server;
  const pool = new pg.Pool({
    ...connection,
    max,
    pipeline: isPooled,
    Client: ConfirmingClient,
    verify: (client, done) => {
      // What a pooler reports about its server may be outdated.
      if (isPooled) return done();
      const reason = isConfirming(client) ? client.whyNotPrimary : undefined;
      if (reason) return done(reason);
      client.query(settings.onConnect).then(() => done(), done);
    },
  });
  // A connection that passes from one caller to the next has no listener for a moment, and an unhandled error would end
  // the process: the server may report one right after the answer to the previous query.
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('connect', onConnect);
  // If a ROLLBACK gets no answer in time, Prisma returns the connection with its transaction still open. The next
  // caller's writes would join that transaction, be acknowledged, and be lost when it is rolled back.
  pool.on('release', (_error, client) => {
    const isUseless = names.isOutworn(client) || (isConfirming(client) && client.isUseless);
    if (client.getTransactionStatus() !== 'I' || isUseless) client.end().catch(onError);
  });
  return pool;
}

const isConfirming = (client: pg.ClientBase): client is ConfirmingClient => client instanceof ConfirmingClient;

export async function runOnPool<Result>(
  pool: pg.Pool,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let fault: Error | undefined;
  try {
    return await run(client);
  } catch (error) {
    fault = connectionFault(error);
    throw error;
  } finally {
    client.release(fault);
  }
}
