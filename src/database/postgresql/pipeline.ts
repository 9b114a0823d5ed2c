import type pg from 'pg';
import type { Rows } from '../direct-access.js';
import { ConfirmingClient } from './client.js';
import { connectionFault } from './pool-share.js';
import type { PostgresqlServer } from './primary-pool.js';

/** Bytes that the answers awaited on one connection may have together. */
const mostAwaited = 128 * 1024;

/** Milliseconds without an answer after which nothing more is sent: the read before may wait for a lock. */
const longestPause = 50;

/** Milliseconds without an answer after which the reads that wait are given up here, so that they can be sent elsewhere. */
const longestSilence = 500;

/** Milliseconds between two checks for that. */
const checkEvery = 250;

/** Milliseconds before a lost connection is opened again. */
const pauseBeforeConnecting = 1_000;

/** The least bytes that each answer counts. */
const leastAwaited = 4 * 1024;

/**
 * A connection on which small reads are sent one after another, without waiting for the answer to each before the next is
 * sent. PostgreSQL and this process then handle several of them at each wake-up, which takes a third of the time that a
 * connection for each needs. PostgreSQL answers in order, so a read is pipelined only where no slow one is before it.
 */
export class Pipeline {
  /** Bytes of the answers that are awaited. */
  awaited = 0;
  #client: pg.Client | undefined;
  #connecting: Promise<void> | undefined;
  #mayConnectAt = 0;
  #reads = 0;
  /** When a read was last sent to an idle connection, or answered; by `performance.now()`. */
  #movedAt = 0;
  #isClosed = false;
  #whenIdle: (() => void) | undefined;
  /** Each gives up one of the reads that wait for their answers. */
  readonly #giveUps = new Set<() => void>();
  #checking: NodeJS.Timeout | undefined;

  constructor(private readonly server: Pick<PostgresqlServer, 'connection' | 'onConnect' | 'onError' | 'names'>) {}

  /** Whether the connection is free enough for a read whose answer will probably have `size` bytes. */
  takes(size: number): boolean {
    if (!this.#client) {
      this.#connect();
      return false;
    }
    if (this.server.names.isOutworn(this.#client)) {
      if (this.#reads === 0) this.#replace(this.#client);
      return false;
    }
    if (this.#reads === 0) return true;
    return (
      this.awaited + Math.max(size, leastAwaited) <= mostAwaited && performance.now() - this.#movedAt < longestPause
    );
  }

  /** @throws if the connection is lost or silent: then the read has to be sent elsewhere */
  read(query: pg.QueryArrayConfig, size: number): Promise<Rows> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error('Connection terminated: it is silent'));
      this.#giveUps.add(giveUp);
      this.#answer(query, Math.max(size, leastAwaited))
        .then(resolve, reject)
        .finally(() => this.#giveUps.delete(giveUp));
      this.#watch();
    });
  }

  /** Waits for the answer of PostgreSQL, however late it comes. */
  async #answer(query: pg.QueryArrayConfig, weight: number): Promise<Rows> {
    const client = this.#client;
    if (!client) throw new Error('This pipeline has no connection');
    if (this.#reads++ === 0) this.#movedAt = performance.now();
    this.awaited += weight;
    try {
      return (await client.query<unknown[]>(query)).rows;
    } catch (error) {
      if (connectionFault(error) && this.#client === client) this.#replace(client);
      throw error;
    } finally {
      this.awaited -= weight;
      this.#movedAt = performance.now();
      if (--this.#reads === 0) this.#whenIdle?.();
    }
  }

  /** Checks now and then whether the connection is silent, while something is awaited from it. */
  #watch(): void {
    // An answer that has arrived while this process was busy is read before the check.
    this.#checking ??= setTimeout(() => setImmediate(() => this.#check()), checkEvery).unref();
  }

  #check(): void {
    this.#checking = undefined;
    if (this.#reads === 0) return;
    if (performance.now() - this.#movedAt > longestSilence) {
      for (const giveUp of this.#giveUps) giveUp();
      this.#giveUps.clear();
      this.#whenIdle?.();
    }
    this.#watch();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connecting;
    const client = this.#client;
    this.#client = undefined;
    if (this.#reads > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    const ended = client?.end();
    // The reads that are still under way are given up, and `end` would wait for their answers.
    if (this.#reads > 0) client?.connection.stream.destroy();
    await ended;
  }

  #replace(client: pg.Client): void {
    this.#client = undefined;
    client.end().catch(this.server.onError);
  }

  /** Connects in the background; reads take other connections meanwhile. */
  #connect(): void {
    if (this.#isClosed || this.#connecting || performance.now() < this.#mayConnectAt) return;
    const client = new ConfirmingClient({ ...this.server.connection, pipeline: true });
    const lose = () => {
      if (this.#client === client) this.#client = undefined;
      this.#mayConnectAt = performance.now() + pauseBeforeConnecting;
    };
    // Not every error closes the connection, and this one is no longer used.
    const leave = () => {
      lose();
      client.end().catch(this.server.onError);
    };
    client.on('error', (error) => {
      leave();
      this.server.onError(error);
    });
    client.on('end', lose);
    this.#connecting = client
      .connect()
      .then(
        () => {
          if (client.whyNotPrimary) return leave();
          this.server.onConnect(client);
          this.#client = client;
        },
        () => leave(),
      )
      .finally(() => {
        this.#connecting = undefined;
      });
  }
}
