/**
 * Commit signals by LISTEN and NOTIFY. PostgreSQL commits transactions with NOTIFY one after another, so writers send
 * none: their process sends one without payload for all commits of a few milliseconds, and only while another process
 * listens. Each listener holds a shared lock that shows this. A signal may get lost with a connection or a process, so
 * no code may rely on it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Rows } from '../../common/work.js';
import type { CommitSignals, Listening } from '../direct-access.js';
import { ConfirmingClient, isPooled } from './client.js';
import { numericHashOf } from './statement-names.js';

/** Milliseconds between two signals. */
const pause = 5;
/** Milliseconds after which a process that commits asks again whether somebody listens. */
const askedEvery = 1_000;
/** Milliseconds before a lost connection is opened again: at first, and at most where that fails. */
const reconnecting = { first: 500, longest: 60_000 };

export class Notifications implements CommitSignals {
  readonly #names: ReturnType<typeof namesFor>;
  readonly #listeners = new Set<() => void>();
  readonly #closed = new AbortController();
  /** Opened when it is first needed, and again after it was lost. */
  #opening: Promise<pg.Client> | undefined;
  #hearingSince: number | undefined;
  #isListening = false;
  #isDue = false;
  #isSending = false;
  #isHeard = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly parts: {
      connection: pg.ClientConfig;
      /** Signals go to the processes that use the same one. */
      schema: string;
      /** Whether it leads to a pooler: what that reports about its server may be outdated. */
      isPooled: boolean;
      /** Runs a statement on some connection, for a process that has none of its own here. */
      ask(sql: string): Rows | Promise<Rows>;
      onError(error: Error): void;
    },
  ) {
    this.#names = namesFor(parts.schema);
  }

  send(): void {
    this.#isDue = true;
    if (!this.#isSending) this.#sendAll();
  }

  listen(onSignal: () => void): Listening {
    this.#listeners.add(onSignal);
    if (!this.#isListening) this.#listen().catch(() => undefined); // rejected when it is closed
    // Only after that time every process that commits has noticed that this one listens.
    const isHearing = () => this.#hearingSince !== undefined && performance.now() - this.#hearingSince > askedEvery;
    return {
      get isHearing() {
        return isHearing();
      },
      stop: () => {
        if (this.#listeners.delete(onSignal) && this.#listeners.size === 0) this.#end();
      },
    };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#end();
  }

  #callListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#isDue && !this.#closed.signal.aborted) {
      this.#isDue = false;
      try {
        // A signal need not survive a crash of the server, so its commit does not wait for the disk. The setting ends with
        // the transaction: a pooler lends the session to others, whose commits must wait.
        const signal = `SET LOCAL synchronous_commit = off; NOTIFY ${this.#names.channel}`;
        if (await this.#isHeardBySomebody()) await (await this.#open()).query(signal);
      } catch {
        // Listeners also poll.
      }
      await sleep(pause, undefined, { ref: false });
    }
    this.#isSending = false;
  }

  /**
   * A listening process asks on the connection that holds its own lock, because only the locks of other sessions count
   * there. On another connection its own lock would count too, even if it begins to listen while it asks.
   */
  async #isHeardBySomebody(): Promise<boolean> {
    if (performance.now() - this.#askedAt < askedEvery) return this.#isHeard;
    this.#askedAt = performance.now();
    // True if no other session than the asking one listens to the changes of this schema.
    const text = `SELECT pg_try_advisory_xact_lock(${this.#names.lock})`;
    let isAlone = !this.#isListening && (await this.parts.ask(text))[0]?.[0] !== false;
    if (this.#isListening) {
      const { rows } = await (await this.#open()).query<unknown[]>({ text, rowMode: 'array' });
      isAlone = rows[0]?.[0] === true;
    }
    this.#isHeard = !isAlone;
    return this.#isHeard;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closed;
    this.#isListening = true;
    for (let wait = reconnecting.first; this.#listeners.size > 0 && !signal.aborted; ) {
      try {
        const client = await this.#open();
        const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
        // It may lend the connection to others meanwhile.
        if (await isPooled(client)) throw new Error('A pooler shares this connection with other clients');
        await client.query(`LISTEN ${this.#names.channel}`);
        await client.query(`SELECT pg_advisory_lock_shared(${this.#names.lock})`);
        this.#hearingSince = performance.now();
        wait = reconnecting.first;
        // Signals from before may have been missed.
        this.#callListeners();
        if (this.#listeners.size === 0) await this.#end();
        await ended;
      } catch {
        // An engine without LISTEN, a pooler, or a database that does not answer.
        wait = Math.min(2 * wait, reconnecting.longest);
      }
      this.#hearingSince = undefined;
      if (this.#listeners.size > 0) await sleep(wait, undefined, { ref: false, signal });
    }
    this.#isListening = false;
  }

  /** Ends the connection; it is opened again when it is needed. */
  async #end(): Promise<void> {
    await this.#opening?.then((client) => client.end()).catch(() => undefined);
  }

  #open(): Promise<pg.Client> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<pg.Client> {
    const { signal: closed } = this.#closed;
    if (closed.aborted) throw new Error('The database is closed');
    const { connection, isPooled, onError } = this.parts;
    const client = new ConfirmingClient(connection);
    let isOpen = false;
    const lose = () => {
      if (isOpen) this.#opening = undefined;
      isOpen = false;
    };
    client.on('error', (error) => {
      lose();
      if (!closed.aborted) onError(error);
      client.end().catch(() => undefined);
    });
    client.on('end', lose);
    await client.connect();
    if (client.whyNotPrimary && !isPooled) {
      client.end().catch(() => undefined);
      throw client.whyNotPrimary;
    }
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS "pid"');
    client.on('notification', ({ processId }) => {
      if (processId !== rows[0]?.pid) this.#callListeners();
    });
    isOpen = true;
    return client;
  }
}

/** The advisory lock that all listeners share: the letters `gatewayc` as a number. */
const lock = 7449363237790906723n;

/**
 * The names of the channel and of the lock. Those of the schema `public` are the ones of gateways that knew no other
 * schema. Schemas that have a number in common only wake each other.
 */
function namesFor(schema: string): { channel: string; lock: bigint } {
  const number = schema === 'public' ? 0 : numericHashOf(schema);
  return { channel: `gateway_commit${number || ''}`, lock: lock - (BigInt(number) << 24n) };
}
