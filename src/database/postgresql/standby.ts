/**
 * A hot standby. Each read verifies on its own connection how far the standby has replayed: the query for its position
 * is sent right before the read, so the read sees at least that. This holds also where a URL leads to several standbys.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Caller } from '../caller.js';
import type { Rows } from '../direct-access.js';
import { isOutdated } from './pool/connection-fault.js';
import type { FairPool } from './pool/fair-pool.js';
import { inTime, isConflict, isOfAnswer, isOfStatement, isOfTurn } from './standby-faults.js';
import { type WalPosition, walPosition } from './wal-position.js';

/** Milliseconds for which a read waits until the standby has come far enough, and between two polls meanwhile. */
const longestWait = 100;
const pollEvery = 5;
/** Milliseconds for which the standby is not asked after a wait in vain, or a fault. */
const leftAlone = 1_000;

/** Thrown if the read has to be made on another server. */
export class StandbyUnusable extends Error {}

/**
 * Null from a server that is no standby, such as one that was promoted. The timeline is that of the last restart point,
 * so after a promotion a standby seems to be on the old timeline, and is not used, until it has reached another restart
 * point.
 */
const positionNow = `SELECT CASE WHEN pg_is_in_recovery() THEN
  (SELECT to_hex("timeline_id") FROM pg_control_checkpoint()) || '-' || pg_last_wal_replay_lsn()::text END`;
/** The server and database that a standby is a copy of. */
export const identity = `SELECT (SELECT system_identifier::text FROM pg_control_system()),
  (SELECT oid::text FROM pg_database WHERE datname = current_database())`;

export interface StandbyParts {
  pool: FairPool;
  /** What `identity` answers on the primary. */
  isCopy(client: pg.ClientBase): Promise<boolean>;
  onError(error: Error): void;
}

export class Standby {
  #seen: WalPosition = 0n;
  #aloneUntil = 0;
  #polling: Promise<void> | undefined;
  readonly #known = new WeakSet<object>();

  constructor(private readonly parts: StandbyParts) {}

  /**
   * Reads in the turn of the caller, which goes to the primary where the turn does not come soon.
   * @throws StandbyUnusable; an error of the statement that the primary would answer too
   */
  async read(query: pg.QueryArrayConfig, required: WalPosition, caller: Caller | undefined): Promise<Rows> {
    if (this.#seen < required) await this.#reach(required);
    return this.#connected((client) => client.query<unknown[]>(query), required, caller);
  }

  /** Waits for a moment until the standby has come far enough. */
  async #reach(required: WalPosition): Promise<void> {
    for (const until = performance.now() + longestWait; this.#seen < required; ) {
      if (performance.now() < this.#aloneUntil) throw new StandbyUnusable();
      if (performance.now() > until) {
        this.#aloneUntil = performance.now() + leftAlone;
        throw new StandbyUnusable();
      }
      this.#polling ??= this.#poll().finally(() => {
        this.#polling = undefined;
      });
      await this.#polling;
      if (this.#seen < required) await sleep(pollEvery);
    }
  }

  async #poll(): Promise<void> {
    await this.#connected(async () => undefined, 0n);
  }

  /** Sends the question for the position, and what `ask` sends, on one connection. */
  async #connected(
    ask: (client: pg.ClientBase) => Promise<pg.QueryArrayResult | undefined>,
    required: WalPosition,
    caller?: Caller,
  ): Promise<Rows> {
    if (performance.now() < this.#aloneUntil && this.#seen < required) throw new StandbyUnusable();
    const client = await this.#client(caller);
    let fault: Error | undefined;
    try {
      const position = client.query<unknown[]>({ text: positionNow, rowMode: 'array' });
      const answer = ask(client);
      // An error of the answer that nobody waits for any more, because there was no position, would end the process.
      answer.catch(() => undefined);
      const at = walPosition((await inTime(position)).rows[0]?.[0]);
      if (at !== undefined && at > this.#seen) this.#seen = at;
      if (at === undefined || at < required) {
        await answer.catch(() => undefined);
        throw new StandbyUnusable();
      }
      return (await answer)?.rows ?? [];
    } catch (error) {
      if (error instanceof StandbyUnusable) throw error;
      if (isOfStatement(error) && !isOutdated(error.code)) throw isConflict(error) ? new StandbyUnusable() : error;
      if (isOfAnswer(error)) {
        fault = error;
        throw error;
      }
      fault = this.#leave(error);
      throw new StandbyUnusable();
    } finally {
      client.release(fault);
    }
  }

  async #client(caller: Caller | undefined): Promise<pg.PoolClient> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.parts.pool.acquire(caller);
      if (this.#known.has(client)) return client;
      if (!(await inTime(this.parts.isCopy(client))))
        throw new Error('This is no copy of the database in DATABASE_URL');
      this.#known.add(client);
      return client;
    } catch (error) {
      if (!client && isOfTurn(error)) throw new StandbyUnusable();
      client?.release(this.#leave(error));
      if (!client) this.#leave(error);
      throw new StandbyUnusable();
    }
  }

  #leave(error: unknown): Error {
    const reason = error instanceof Error ? error : new Error(String(error));
    if (performance.now() > this.#aloneUntil) this.parts.onError(reason);
    this.#seen = 0n;
    this.#aloneUntil = performance.now() + leftAlone;
    return reason;
  }
}
