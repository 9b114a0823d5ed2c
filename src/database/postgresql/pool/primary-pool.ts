/** The connections to the primary, which one caller after the other acquires. */
import type pg from 'pg';
import { ConfirmingClient } from '../confirming-client.js';
import type { StatementNames } from '../statement-names.js';
import { FairPool } from './fair-pool.js';

export interface PrimaryPoolParts {
  connection: pg.ClientConfig & { connectionTimeoutMillis: number };
  max: number;
  /** The statement with which a connection begins, unless a pooler lends it. */
  onConnect: string;
  /** Whether a pooler lends sessions for one transaction. */
  isPooled: boolean;
  names: Pick<StatementNames, 'begin' | 'isOutworn'>;
  /** Called with each new connection. */
  limitResult(client: pg.PoolClient): void;
  /** Called for each lost connection; the pool replaces it. */
  onError(error: Error): void;
}

export function openPrimaryPool({
  connection,
  max,
  onConnect,
  isPooled,
  names,
  limitResult,
  onError,
}: PrimaryPoolParts): FairPool {
  const pool = new FairPool({
    ...connection,
    max,
    pipeline: isPooled,
    Client: ConfirmingClient,
    verify: (client, done) => {
      // What a pooler reports about its server may be outdated.
      if (isPooled) return done();
      const reason = isConfirming(client) ? client.whyNotPrimary : undefined;
      if (reason) return done(reason);
      client.query(onConnect).then(() => done(), done);
    },
  });
  // A connection that passes from one caller to the next has no listener for a moment, and an unhandled error would end
  // the process: the server may report one right after the answer to the previous query.
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('connect', limitResult);
  pool.on('connect', names.begin);
  // If a ROLLBACK gets no answer in time, Prisma returns the connection with its transaction still open. The next
  // caller's writes would join that transaction, be acknowledged, and be lost when it is rolled back.
  pool.on('release', (_error, client) => {
    const isUseless = names.isOutworn(client) || (isConfirming(client) && (client.isReadOnly || client.isOutdated));
    if (client.getTransactionStatus() !== 'I' || isUseless) client.end().catch(onError);
  });
  return pool;
}

const isConfirming = (client: pg.ClientBase): client is ConfirmingClient => client instanceof ConfirmingClient;
