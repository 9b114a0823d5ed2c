/**
 * Commit signals by LISTEN and NOTIFY. PostgreSQL commits transactions with NOTIFY one after another, so writers send
 * none: their process sends one without payload for all commits of a few milliseconds, and only while another process
 * listens. Each listener holds a shared lock that shows this. A signal may get lost with a connection or a process, so
 * no code may rely on it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Rows } from '../../common/work.js';
import type { CommitSignals, Listening } from '../commit-signals.js';
import { NotificationConnection, nobodyListens } from './notification-connection.js';

/** Milliseconds between two signals. */
const pause = 5;
/** Milliseconds after which a process that commits asks again whether somebody listens. */
const askedEvery = 1_000;
/** Milliseconds before a lost connection is opened again: at first, and at most where that fails. */
const reconnecting = { first: 500, longest: 60_000 };

export interface NotificationParts {
  connection: pg.ClientConfig;
  /** Signals go to the processes that use the same one. */
  schema: string;
  isPooled: boolean;
  /** Runs a statement on some connection, for a process that has none of its own here. */
  ask(sql: string): Rows | Promise<Rows>;
  onError(error: Error): void;
}

export class Notifications implements CommitSignals {
  readonly #parts: NotificationParts;
  readonly #connection: NotificationConnection;
  readonly #listeners = new Set<() => void>();
  readonly #closed = new AbortController();
  #hearingSince: number | undefined;
  #isListening = false;
  #isDue = false;
  #isSending = false;
  #isHeard = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: NotificationParts) {
    this.#parts = parts;
    this.#connection = new NotificationConnection({ ...parts, onSignal: () => this.#callListeners() });
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
        if (this.#listeners.delete(onSignal) && this.#listeners.size === 0) this.#connection.end();
      },
    };
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.#connection.close();
  }

  #callListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#isDue && !this.#closed.signal.aborted) {
      this.#isDue = false;
      try {
        if (await this.#isHeardBySomebody()) await this.#connection.notify();
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
    let isAlone = !this.#isListening && (await this.#parts.ask(nobodyListens(this.#parts.schema)))[0]?.[0] !== false;
    if (this.#isListening) isAlone = await this.#connection.isAlone();
    this.#isHeard = !isAlone;
    return this.#isHeard;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closed;
    this.#isListening = true;
    for (let wait = reconnecting.first; this.#listeners.size > 0 && !signal.aborted; ) {
      try {
        const { ended } = await this.#connection.listen();
        this.#hearingSince = performance.now();
        wait = reconnecting.first;
        // Signals from before may have been missed.
        this.#callListeners();
        if (this.#listeners.size === 0) await this.#connection.end();
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
}
