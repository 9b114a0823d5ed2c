/** The connections to the primary, which one caller after the other acquires. */
import pg from 'pg';
import type { Value } from '../../common/work.js';
import type { PostgresqlAddress } from '../database-url.js';
import { type Caller, callers } from '../direct-access.js';
import { FairQueue } from '../queues.js';
import { ConfirmingClient } from './client.js';
import { connectionFault, connectionWaited, overError } from './pool-share.js';
import type { SessionSettings } from './session-settings.js';
import type { StatementNames } from './statement-names.js';

/** What all connections to one PostgreSQL database have in common. */
export interface PostgresqlServer {
  address: PostgresqlAddress;
  connection: pg.ClientConfig & { connectionTimeoutMillis: number };
  /** Whether a pooler lends sessions for one transaction. */
  isPooled: boolean;
  settings: SessionSettings;
  /** The statement that begins a transaction. */
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

export function openPrimaryPool(server: PostgresqlServer, max: number): FairPool {
  const { connection, isPooled, settings, names, onConnect, onError } = server;
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

/** Runs a statement on a connection in the turn of its caller. */
export async function runOnPool<Result>(
  pool: FairPool,
  caller: Caller | undefined,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.acquire(caller);
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

/** Connections that one key leaves to others, unless the pool is so small that the key needs them all. */
const leftToOthers = 1;
const small = 4;

/**
 * A pool from which the keys acquire connections in turn, and so do the requests of a key: the driver's own queue would let
 * each request wait for all that came before it, such as many slow reads of another key.
 */
export class FairPool extends pg.Pool {
  readonly #turns: FairQueue;

  /** `turnMillis` is the longest wait for a turn, by default as long as for a new connection. */
  constructor(config: pg.PoolConfig & { max: number; connectionTimeoutMillis: number; turnMillis?: number }) {
    super(config);
    const { max, turnMillis = config.connectionTimeoutMillis } = config;
    // `createPoolShare` limits how much a request has under way.
    this.#turns = new FairQueue(
      { atOnce: max, perKey: max < small ? max : max - leftToOthers, waitMillis: turnMillis },
      { busy: () => connectionWaited(turnMillis), over: overError },
    );
  }

  /** Requests that wait for a connection. */
  get waiting(): number {
    return this.#turns.waiting;
  }

  /** A connection in its caller's turn, which lasts until `release`. */
  acquire(caller: Caller | undefined): Promise<pg.PoolClient> {
    return new Promise<pg.PoolClient>((resolve, reject) => {
      const begin = (end: () => void) =>
        super.connect((error, client, release) => {
          if (!client) {
            end();
            return reject(error);
          }
          client.release = (fault) => {
            try {
              release(fault);
            } finally {
              end();
            }
          };
          resolve(client);
        });
      this.#turns.enter(caller, begin, reject);
    });
  }

  /** Called by Prisma. */
  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | undefined {
    const acquired = this.acquire(callers.getStore());
    if (!callback) return acquired;
    acquired.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }
}
