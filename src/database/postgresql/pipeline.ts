/** One connection on which reads are sent one after another. */
import type pg from 'pg';
import type { Rows } from '../direct-access.js';
import { ConfirmingClient } from './client.js';
import { connectionFault } from './pool-share.js';

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

export interface PipelineOptions {
  connection: pg.ClientConfig;
  /** Called with each new connection when it is open: TLS replaces the stream before that. */
  onConnect(client: pg.Client): void;
  /** Whether a connection has prepared so much that it is to be replaced. */
  isOutworn(client: pg.Client): boolean;
  onError(error: Error): void;
}

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

  constructor(private readonly options: PipelineOptions) {}

  takes(weight: number): boolean {
    if (!this.#client) {
      this.#connect();
      return false;
    }
    if (this.options.isOutworn(this.#client)) {
      if (this.#reads === 0) this.#replace(this.#client);
      return false;
    }
    if (this.#reads === 0) return true;
    return this.awaited + weight <= mostAwaited && performance.now() - this.#movedAt < longestPause;
  }

  /** @throws if the connection is lost or silent: then the read has to be sent elsewhere */
  read(query: pg.QueryArrayConfig, weight: number): Promise<Rows> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error('Connection terminated: it is silent'));
      this.#giveUps.add(giveUp);
      this.#answer(query, weight)
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
    client.end().catch(this.options.onError);
  }

  /** Connects in the background; reads take other connections meanwhile. */
  #connect(): void {
    if (this.#isClosed || this.#connecting || performance.now() < this.#mayConnectAt) return;
    const client = new ConfirmingClient({ ...this.options.connection, pipeline: true });
    const lose = () => {
      if (this.#client === client) this.#client = undefined;
      this.#mayConnectAt = performance.now() + pauseBeforeConnecting;
    };
    // Not every error closes the connection, and this one is no longer used.
    const leave = () => {
      lose();
      client.end().catch(this.options.onError);
    };
    client.on('error', (error) => {
      leave();
      this.options.onError(error);
    });
    client.on('end', lose);
    this.#connecting = client
      .connect()
      .then(
        () => {
          if (client.whyNotPrimary) return leave();
          this.options.onConnect(client);
          this.#client = client;
        },
        () => leave(),
      )
      .finally(() => {
        this.#connecting = undefined;
      });
  }
}
