/**
 * Reads from hot standbys that include what a key has written. A key always reads from the same standby, so that it
 * does not go back in time from one read to the next. When the primary answers instead, later reads of the key see
 * nothing older.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { once } from '../../common/kept.js';
import { inTime } from '../../common/timing.js';
import { answerLimitIn } from '../answer-limit.js';
import type { Read, Rows, StandbyReads } from '../direct-access.js';
import { ConfirmingClient } from './client.js';
import { createPoolShare, isOutdated, type PoolShare } from './pool-share.js';
import { PositionTable } from './position-table.js';
import { type PostgresqlServer, preparedQuery } from './primary-pool.js';
import { beyondAll, PrimaryPositions, type WalPosition, walPosition, walText } from './primary-positions.js';
import { manyLargeResults, resultLimits } from './result-limits.js';
import { numericHashOf } from './statement-names.js';

interface StandbyOptions {
  server: PostgresqlServer;
  /** Reads from the primary. */
  read: Read;
  /** The configuration of each standby's connections. */
  connections: readonly pg.ClientConfig[];
  connectionsEach: number;
  answerLimit: number | undefined;
  /** The positions of all workers; by default this process has its own. */
  written: PositionTable | undefined;
}

export function openStandbys(options: StandbyOptions): StandbyReads & { close(): Promise<void> } {
  const { names } = options.server;
  const positions = new PrimaryPositions(options.read);
  const keys = options.written ?? new PositionTable();
  const standbys = options.connections.map((connection) => new Standby(connection, options));

  const raise = async (keyId: string) => {
    const asked = positions.now().catch(() => beyondAll);
    const position = await Promise.race([asked, sleep(patience, beyondAll, { ref: false })]);
    keys.raise(keyId, position);
    return position;
  };

  return {
    readerFor: (keyId, after, primary) => {
      const standby = standbys[numericHashOf(keyId) % standbys.length];
      const given = after === undefined ? 0n : (walPosition(after) ?? beyondAll);
      return async (sql, values, reach, caller, comment) => {
        const floor = positions.floor;
        if (standby && floor !== undefined) {
          const required = [floor, keys.of(keyId)].reduce((most, each) => (each > most ? each : most), given);
          const read: Read = (text, given, _reach, _caller, note) =>
            standby.read(preparedQuery(names, text, given, note), required);
          try {
            if (required < beyondAll) return await standby.share.read(read)(sql, values, reach, caller, comment);
          } catch (error) {
            if (!(error instanceof StandbyUnusable)) throw error;
          }
        }
        const rows = await primary(sql, values, reach, caller, comment);
        await raise(keyId);
        return rows;
      };
    },
    written: async (keyId) => walText(await raise(keyId)),
    close: async () => {
      positions.close();
      await Promise.all(standbys.map((standby) => standby.close()));
    },
  };
}

/** Milliseconds for which a read waits for a connection to its standby before the primary answers it. */
const longestTurn = 200;

// A hot standby. Each read verifies on its own connection how far the standby has replayed: the query for its position
// is sent right before the read, so the read sees at least that. This holds also where a URL leads to several standbys.

/** Milliseconds for which a read waits until the standby has come far enough, and between two polls meanwhile. */
const longestWait = 100;
const pollEvery = 5;
/** Milliseconds for which the standby is not asked after a wait in vain, or a fault. */
const leftAlone = 1_000;

/** Thrown if the read has to be made on another server. */
class StandbyUnusable extends Error {}

/**
 * Null from a server that is no standby, such as one that was promoted. The timeline is that of the last restart point,
 * so after a promotion a standby seems to be on the old timeline, and is not used, until it has reached another restart
 * point.
 */
const positionNow = `SELECT CASE WHEN pg_is_in_recovery() THEN
  (SELECT to_hex("timeline_id") FROM pg_control_checkpoint()) || '-' || pg_last_wal_replay_lsn()::text END`;
/** The server and database that a standby is a copy of. */
const identity = `SELECT (SELECT system_identifier::text FROM pg_control_system()),
  (SELECT oid::text FROM pg_database WHERE datname = current_database())`;

class Standby {
  readonly share: PoolShare;
  readonly #pool: pg.Pool;
  /** What `identity` answers on the primary. */
  readonly #ofPrimary: () => Promise<string>;
  readonly #onError: (error: Error) => void;
  #seen: WalPosition = 0n;
  #aloneUntil = 0;
  #polling: Promise<Rows> | undefined;
  readonly #known = new WeakSet<object>();

  constructor(connection: pg.ClientConfig, { server, read, connectionsEach, answerLimit }: StandbyOptions) {
    const { names, onError } = server;
    const config = { ...connection, connectionTimeoutMillis: patience, pipeline: true };
    const pool = new pg.Pool({ ...config, max: connectionsEach, Client: ConfirmingClient });
    pool.on('connect', (client) => client.on('error', onError));
    pool.on('error', () => undefined); // the listener of the client reports it
    pool.on('connect', resultLimits(connectionsEach, answerLimit));
    pool.on('connect', names.begin);
    pool.on('release', (_error, client) => {
      if (names.isOutworn(client)) client.end().catch(onError);
    });
    this.#pool = pool;
    this.#onError = onError;
    this.#ofPrimary = once(async () => JSON.stringify(await read(identity, [], 'bounded')));
    const size = { connections: connectionsEach, most: connectionsEach };
    this.share = createPoolShare(size, longestTurn, () => new StandbyUnusable());
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** @throws StandbyUnusable; an error of the statement that the primary would answer too */
  async read(query: pg.QueryArrayConfig, required: WalPosition): Promise<Rows> {
    if (this.#seen < required) await this.#reach(required);
    return this.#connected((client) => client.query<unknown[]>(query), required);
  }

  /** Waits for a moment until the standby has come far enough. */
  async #reach(required: WalPosition): Promise<void> {
    for (const until = performance.now() + longestWait; this.#seen < required; ) {
      if (performance.now() < this.#aloneUntil) throw new StandbyUnusable();
      if (performance.now() > until) {
        this.#aloneUntil = performance.now() + leftAlone;
        throw new StandbyUnusable();
      }
      this.#polling ??= this.#connected(async () => undefined, 0n).finally(() => {
        this.#polling = undefined;
      });
      await this.#polling;
      if (this.#seen < required) await sleep(pollEvery);
    }
  }

  /** Sends the question for the position, and what `ask` sends, on one connection. */
  async #connected(
    ask: (client: pg.ClientBase) => Promise<pg.QueryArrayResult | undefined>,
    required: WalPosition,
  ): Promise<Rows> {
    if (performance.now() < this.#aloneUntil && this.#seen < required) throw new StandbyUnusable();
    const client = await this.#client();
    let fault: Error | undefined;
    try {
      const position = client.query<unknown[]>({ text: positionNow, rowMode: 'array' });
      const answer = ask(client);
      // An error of the answer that nobody waits for any more, because there was no position, would end the process.
      answer.catch(() => undefined);
      const at = walPosition((await answered(position)).rows[0]?.[0]);
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

  async #client(): Promise<pg.PoolClient> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.#pool.connect();
      if (this.#known.has(client)) return client;
      if (!(await answered(this.#isCopy(client)))) throw new Error('This is no copy of the database in DATABASE_URL');
      this.#known.add(client);
      return client;
    } catch (error) {
      const fault = this.#leave(error);
      client?.release(fault);
      throw new StandbyUnusable();
    }
  }

  async #isCopy(client: pg.ClientBase): Promise<boolean> {
    const expected = this.#ofPrimary().catch(() => undefined);
    const { rows } = await client.query<unknown[]>({ text: identity, rowMode: 'array' });
    return JSON.stringify(rows) === (await expected);
  }

  #leave(error: unknown): Error {
    const reason = error instanceof Error ? error : new Error(String(error));
    if (performance.now() > this.#aloneUntil) this.#onError(reason);
    this.#seen = 0n;
    this.#aloneUntil = performance.now() + leftAlone;
    return reason;
  }
}

/** Milliseconds for a connection, and for its position. */
const patience = 1_000;

/** @throws if the standby has not answered in time */
const answered = <Result>(work: Promise<Result>): Promise<Result> =>
  inTime(work, patience, () => {
    throw new Error(`The standby has not answered within ${patience} ms`);
  });

/** Errors after which a session goes on; not those of a server that ends it or shuts down. */
const isOfStatement = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && !/^(08|53|57P|58|XX)/.test(error.code ?? '');

/** The answer is too large, or one of too many large ones: not the fault of the standby. */
const isOfAnswer = (error: unknown): error is Error =>
  answerLimitIn(error) !== undefined || (error instanceof Error && error.message === manyLargeResults);

/** A read that replay has cancelled, because it removes what the read may look at. */
const isConflict = ({ code = '' }: pg.DatabaseError): boolean => /^(40|55|25)/.test(code);
