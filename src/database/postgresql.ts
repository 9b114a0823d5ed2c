import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { withCommitGuard } from './commit-guard.js';
import type { Read, Rows, Statement, Write } from './direct.js';
import { Load } from './loaded.js';
import { createPoolShare } from './pool-share.js';
import { statementNames } from './statement-names.js';

export interface PostgresqlOptions {
  /** Milliseconds a statement may run. */
  longestStatement: number;
  /** Bytes an answer may hold. */
  answerLimit: number | undefined;
  /** Hears of connections that broke; the pool replaces them. */
  onError: (error: Error) => void;
}

/**
 * Prisma's road to a PostgreSQL server, with every wait bounded: for a connection, a lock, a statement, a transaction
 * left open, and an answer that never comes. The URL may set any of them otherwise, as `?lock_timeout=5000`, and the
 * number of connections as `?connection_limit=20`.
 */
export function postgresqlAdapter(
  url: string,
  { longestStatement, answerLimit, onError }: PostgresqlOptions,
): { adapter: SqlDriverAdapterFactory; read: Read; write: Write } {
  const connections = Number(new URL(url).searchParams.get('connection_limit')) || 10;
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    lock_timeout: 10_000,
    statement_timeout: longestStatement,
    idle_in_transaction_session_timeout: 20_000,
    // The server's own limits do not help when the server is gone.
    query_timeout: longestStatement + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'business-records-gateway',
  });
  // A connection that passes from one caller to the next has no listener for a moment, and an error that nobody hears
  // ends the process: the server's last word may come with the answer to the query before.
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('connect', (client) => limitLoad(client, answerLimit));
  // When a ROLLBACK gets no answer in time, Prisma hands the connection back with its transaction open: the next
  // caller's writes would go into it, be acknowledged, and vanish with it.
  pool.on('release', (_error, client) => {
    if (client.getTransactionStatus() !== 'I') client.end().catch(onError);
  });
  const nameOf = statementNames();
  const options = {
    disposeExternalPool: true,
    statementNameGenerator: nameOf,
  };
  const run = async (text: string, values: Statement['values']): Promise<Rows> => {
    const name = nameOf({ sql: text });
    const { rows } = await pool.query({ name, text, values: [...values], rowMode: 'array' });
    return rows;
  };
  const share = createPoolShare(connections);
  const read = share.read(run);
  const write: Write = async ({ changes, answer }, begin) => {
    if (changes.length > 0) throw new Error('On PostgreSQL one statement makes the changes and answers');
    return begin() ? run(answer.sql, answer.values) : undefined;
  };
  return { adapter: share.adapter(withCommitGuard(new PrismaPg(pool, options))), read, write };
}

/** Ends the connection over which more arrives for one query than a request may have in memory: the driver keeps all rows. */
function limitLoad({ connection }: pg.PoolClient, answerLimit: number | undefined): void {
  let load = new Load(answerLimit);
  connection.on('readyForQuery', () => {
    load = new Load(answerLimit);
  });
  connection.on('dataRow', ({ length }: { length: number }) => {
    try {
      load.add(length);
    } catch (error) {
      connection.stream.destroy(error instanceof Error ? error : undefined);
    }
  });
}
