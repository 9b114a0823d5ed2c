import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** How long a transaction may run before Prisma rolls it back, on either database, in milliseconds. */
export const TRANSACTION_MILLIS = 15_000;

/**
 * Prisma's road to a PostgreSQL server, with every wait bounded: for a connection, a lock, a statement, a transaction
 * left open, and an answer that never comes. `onError` hears of connections that broke while nobody used them; the pool
 * replaces them.
 */
export function postgresqlAdapter(url: string, onError: (error: Error) => void): SqlDriverAdapterFactory {
  return new PrismaPg(
    {
      connectionString: url,
      max: 10,
      connectionTimeoutMillis: 5_000,
      lock_timeout: 10_000,
      statement_timeout: 20_000,
      idle_in_transaction_session_timeout: 20_000,
      // The server's own limits do not help when the server is gone.
      query_timeout: 25_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'business-records-gateway',
    },
    { onPoolError: onError, onConnectionError: onError },
  );
}
