import pg from 'pg';
import { type Caller, callers } from '../../caller.js';
import { FairQueue } from '../../queues/fair-queue.js';
import { connectionWaited, overError } from '../over-error.js';

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
    const unlimited = Number.POSITIVE_INFINITY;
    this.#turns = new FairQueue(
      {
        atOnce: max,
        perKey: max < small ? max : max - leftToOthers,
        // `createPoolShare` limits how much a request has under way.
        perCaller: unlimited,
        waiting: unlimited,
        waitMillis: turnMillis,
      },
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
