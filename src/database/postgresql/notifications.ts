/**
 * Commit signals by LISTEN and NOTIFY, on a connection of its own. PostgreSQL commits transactions with NOTIFY one after
 * another, so writers send none: their process sends one without payload for all commits of a few milliseconds, and only
 * while another process listens. Whoever listens holds a shared lock, which shows it. A signal may get lost with a
 * connection or a process, so nobody may rely on it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Rows } from '../../work.js';
import type { CommitSignals, Listening } from '../commit-signals.js';

/** Milliseconds between two signals. */
const pause = 5;
/** Milliseconds after which a process that commits asks again whether somebody listens. */
const askedEvery = 1_000;
/** Milliseconds before a lost connection is opened again: at first, and at most where that fails. */
const reconnecting = { first: 500, longest: 60_000 };

const channel = 'gateway_commit';
/** The lock of those who listen, among advisory locks: the letters `gatewayc` as a number. */
const lock = '7449363237790906723';
const isFree = `SELECT pg_try_advisory_xact_lock(${lock})`;

export interface NotificationParts {
  connection: pg.ClientConfig;
  /** Runs a statement on some connection, for a process that has none of its own here. */
  ask(sql: string): Rows | Promise<Rows>;
  onError(error: Error): void;
}

export class Notifications implements CommitSignals {
  readonly #parts: NotificationParts;
  readonly #listeners = new Set<() => void>();
  readonly #closed = new AbortController();
  #opening: Promise<pg.Client> | undefined;
  #client: pg.Client | undefined;
  #hearingSince: number | undefined;
  #isListening = false;
  #isDue = false;
  #isSending = false;
  #isHeard = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: NotificationParts) {
    this.#parts = parts;
  }

  send(): void {
    this.#isDue = true;
    if (!this.#isSending) this.#sendAll();
  }

  listen(onSignal: () => void): Listening {
    this.#listeners.add(onSignal);
    if (!this.#isListening) this.#listenOn().catch(() => undefined); // rejected when it is closed
    const isHearing = () => this.#hearingSince !== undefined && performance.now() - this.#hearingSince > askedEvery;
    return {
      get isHearing() {
        return isHearing();
      },
      stop: () => {
        if (!this.#listeners.delete(onSignal) || this.#listeners.size > 0) return;
        this.#client?.end().catch(this.#parts.onError);
      },
    };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#opening?.then((client) => client.end()).catch(() => undefined);
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#isDue && !this.#closed.signal.aborted) {
      this.#isDue = false;
      try {
        if (await this.#isHeardBySomebody()) await (await this.#open()).query(`NOTIFY ${channel}`);
      } catch {
        // Those who listen also look by themselves.
      }
      await sleep(pause, undefined, { ref: false });
    }
    this.#isSending = false;
  }

  /** A process's own lock does not keep it from taking the lock on the same connection, so it counts only others. */
  async #isHeardBySomebody(): Promise<boolean> {
    if (performance.now() - this.#askedAt < askedEvery) return this.#isHeard;
    this.#askedAt = performance.now();
    const client = this.#client;
    const found = client
      ? (await client.query<unknown[]>({ text: isFree, rowMode: 'array' })).rows
      : await this.#parts.ask(isFree);
    this.#isHeard = found[0]?.[0] === false;
    return this.#isHeard;
  }

  async #listenOn(): Promise<void> {
    const { signal } = this.#closed;
    this.#isListening = true;
    for (let wait = reconnecting.first; this.#listeners.size > 0 && !signal.aborted; ) {
      try {
        const client = await this.#open();
        const ended = new Promise<void>((resolve) => client.once('end', resolve));
        await hear(client);
        this.#hearingSince = performance.now();
        this.#tell();
        wait = reconnecting.first;
        if (this.#listeners.size === 0) await client.end();
        await ended;
      } catch {
        // An engine without LISTEN, or a database that does not answer.
        wait = Math.min(2 * wait, reconnecting.longest);
      }
      this.#hearingSince = undefined;
      if (this.#listeners.size > 0) await sleep(wait, undefined, { ref: false, signal });
    }
    this.#isListening = false;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** The connection, for both directions. */
  #open(): Promise<pg.Client> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#closed.signal.aborted) throw new Error('The database is closed');
    const client = new pg.Client(this.#parts.connection);
    const lose = () => {
      this.#hearingSince = undefined;
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#opening = undefined;
    };
    client.on('error', (error) => {
      lose();
      if (!this.#closed.signal.aborted) this.#parts.onError(error);
      client.end().catch(() => undefined);
    });
    client.on('end', lose);
    await client.connect();
    // Nothing that has to be durable is written here.
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pg_backend_pid() AS "pid", set_config('synchronous_commit', 'off', false)`,
    );
    const own = rows[0]?.pid;
    client.on('notification', ({ processId }) => {
      if (processId !== own) this.#tell();
    });
    this.#client = client;
    return client;
  }
}

/** Begins to listen. @throws behind a pooler, which may lend the connection to others meanwhile */
async function hear(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(`SELECT pg_backend_pid() AS "pid"`);
  if (!('processID' in client) || client.processID !== rows[0]?.pid)
    throw new Error('This is no connection of its own');
  await client.query(`LISTEN ${channel}`);
  await client.query(`SELECT pg_advisory_lock_shared(${lock})`);
}
