/**
 * A connection that sends and receives signals of commits. It is opened when it is first needed, and again after it was
 * lost.
 */
import type pg from 'pg';
import { ConfirmingClient } from './confirming-client.js';
import { numericHashOf } from './hash-of.js';
import { isPooled } from './pooler.js';

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

/** True if no other session than the asking one listens to the changes of this schema. */
export const nobodyListens = (schema: string): string => `SELECT pg_try_advisory_xact_lock(${namesFor(schema).lock})`;

export interface NotificationConnectionParts {
  connection: pg.ClientConfig;
  schema: string;
  /** Whether it leads to a pooler: what that reports about its server may be outdated. */
  isPooled: boolean;
  /** Called for each signal of another process. */
  onSignal(): void;
  onError(error: Error): void;
}

export class NotificationConnection {
  readonly #parts: NotificationConnectionParts;
  #opening: Promise<pg.Client> | undefined;
  #client: pg.Client | undefined;
  #isClosed = false;

  constructor(parts: NotificationConnectionParts) {
    this.#parts = parts;
  }

  /** Asks on the connection whether no other session listens. */
  async isAlone(): Promise<boolean> {
    const client = await this.#open();
    const { rows } = await client.query<unknown[]>({ text: nobodyListens(this.#parts.schema), rowMode: 'array' });
    return rows[0]?.[0] === true;
  }

  async notify(): Promise<void> {
    // A signal need not survive a crash of the server, so its commit does not wait for the disk. The setting ends with
    // the transaction: a pooler lends the session to others, whose commits must wait.
    await (await this.#open()).query(
      `SET LOCAL synchronous_commit = off; NOTIFY ${namesFor(this.#parts.schema).channel}`,
    );
  }

  /**
   * Begins to listen. `ended` resolves when the connection has ended. @throws if the engine has no LISTEN, and behind a
   * pooler, which may lend the connection to others meanwhile
   */
  async listen(): Promise<{ ended: Promise<void> }> {
    const client = await this.#open();
    const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
    if (await isPooled(client)) throw new Error('A pooler shares this connection with other clients');
    const { channel, lock } = namesFor(this.#parts.schema);
    await client.query(`LISTEN ${channel}`);
    await client.query(`SELECT pg_advisory_lock_shared(${lock})`);
    return { ended };
  }

  /** Ends the connection; it is opened again when it is needed. */
  async end(): Promise<void> {
    await this.#opening?.then((client) => client.end()).catch(() => undefined);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.end();
  }

  #open(): Promise<pg.Client> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<pg.Client> {
    if (this.#isClosed) throw new Error('The database is closed');
    const client = new ConfirmingClient(this.#parts.connection);
    const lose = () => {
      if (this.#client !== client) return;
      this.#client = undefined;
      this.#opening = undefined;
    };
    client.on('error', (error) => {
      lose();
      if (!this.#isClosed) this.#parts.onError(error);
      client.end().catch(() => undefined);
    });
    client.on('end', lose);
    await client.connect();
    if (client.whyNotPrimary && !this.#parts.isPooled) {
      client.end().catch(() => undefined);
      throw client.whyNotPrimary;
    }
    const own = await processOf(client);
    client.on('notification', ({ processId }) => {
      if (processId !== own) this.#parts.onSignal();
    });
    this.#client = client;
    return client;
  }
}

async function processOf(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS "pid"')).rows[0]?.pid;
}
