import type pg from 'pg';
import { type Procedure, type Rows, runLater, type Statement, type Value } from '../../common/work.js';
import type { Caller } from '../caller.js';
import { outcomeOf } from '../commit-outcome.js';
import { connectionFault } from './pool/connection-fault.js';
import type { FairPool } from './pool/fair-pool.js';

export interface ProcedureParts {
  /** The statement that begins a transaction. */
  begin: string;
  queryOf(sql: string, values: readonly Value[], comment?: string): pg.QueryArrayConfig;
  /** Runs a single statement outside of the unit's transaction; behind a pooler in a transaction of its own. */
  alone:
    | ((client: pg.ClientBase, begin: string, query: pg.QueryArrayConfig) => Promise<pg.QueryArrayResult>)
    | undefined;
}

/**
 * Runs a unit of work on PostgreSQL and resolves with its result. It takes a connection from the pool for its first
 * statement. A statement marked `isWhole` or `isChecked` runs without a transaction; any other statement begins one.
 */
export async function runProcedure<Result>(
  pool: FairPool,
  parts: ProcedureParts,
  work: Procedure<Result>,
  caller: Caller | undefined,
): Promise<Result> {
  let session: Session | undefined;
  try {
    const result = await runLater(work, async (statement) => {
      session ??= new Session(await pool.acquire(caller), parts);
      return session.run(statement);
    });
    await session?.commit();
    return result;
  } catch (error) {
    await session?.rollback();
    throw error;
  } finally {
    session?.release();
  }
}

/** One connection for one unit of work. */
class Session {
  /** Whether a transaction is open. */
  #isBegun = false;
  /** Why the connection cannot be used any more. */
  #fault: Error | undefined;

  constructor(
    private readonly connection: pg.PoolClient,
    private readonly parts: ProcedureParts,
  ) {}

  async run({ sql, values, comment, isWhole, isChecked, beforeSend }: Statement): Promise<Rows> {
    const query = this.parts.queryOf(sql, values, comment);
    const { alone } = this.parts;
    if (isWhole && !this.#isBegun) {
      beforeSend?.();
      return (await outcomeOf(this.#send(query, alone))).rows;
    }
    // Where even a single statement needs a transaction, a read begins the transaction of the whole unit.
    if (!this.#isBegun && (!isChecked || alone)) {
      await this.#send(this.parts.begin);
      this.#isBegun = true;
    }
    return (await this.#send(query)).rows;
  }

  /** Commits. If the transaction has failed, PostgreSQL answers COMMIT with ROLLBACK instead of an error. */
  async commit(): Promise<void> {
    if (!this.#isBegun) return;
    const { command } = await outcomeOf(this.#send('COMMIT'));
    this.#isBegun = false;
    if (command !== 'COMMIT') throw new Error(`COMMIT was answered with ${command}`);
  }

  /** Does not wait for a connection that no longer answers: the server rolls back when it is closed. */
  async rollback(): Promise<void> {
    if (this.#isBegun && !this.#fault) await this.#send('ROLLBACK').catch(() => undefined);
  }

  /** Gives the connection back to the pool, which closes it if it cannot be used any more. */
  release(): void {
    this.connection.release(this.#fault);
  }

  async #send(
    query: string | pg.QueryArrayConfig,
    alone: ProcedureParts['alone'] = undefined,
  ): Promise<pg.QueryArrayResult> {
    try {
      if (alone && typeof query !== 'string') return await alone(this.connection, this.parts.begin, query);
      return await this.connection.query<unknown[]>(query);
    } catch (error) {
      this.#fault = connectionFault(error);
      throw error;
    }
  }
}
