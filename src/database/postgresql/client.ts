/**
 * A connection to PostgreSQL that detects what the driver ignores: a commit that the synchronous standbys have not
 * confirmed, and a server that refuses writes.
 */

import { readFileSync, statSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { ConfigError } from '../../common/config-error.js';
import { isLoopback } from '../../common/network.js';
import { type PostgresqlAddress, sslModes } from '../database-url.js';
import { isOutdated } from './pool-share.js';

/** The function of PostgreSQL in which a commit waits for synchronous standbys. */
const waitForStandbys = 'SyncRepWaitForLSN';
/** read_only_sql_transaction */
const readOnly = '25006';

/**
 * An operator who cancels a commit that waits for synchronous standbys (`pg_cancel_backend`) ends its wait: PostgreSQL
 * then answers that it has committed, with a warning that the change may be lost with the server. Here such a commit
 * fails like one whose connection was lost: its outcome is unknown, and a repetition with the same `Idempotency-Key`
 * waits again.
 */
export class ConfirmingClient extends pg.Client {
  /**
   * Whether another connection has to take its place: a write was refused, and a new one may lead to a server that takes it, or
   * a prepared statement of this one can no longer be used.
   */
  isUseless = false;
  #isStandby = false;
  readonly #onlyReads: boolean;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this;
    // `takesUnencrypted` tells whether a server without TLS will do, where `ssl` asks for it.
    const given: pg.ClientConfig & { onlyReads?: boolean; takesUnencrypted?: boolean; requiresBinding?: boolean } =
      typeof config === 'object' ? config : {};
    this.#onlyReads = given.onlyReads ?? false;
    if (given.takesUnencrypted && given.ssl) takeUnencrypted(this);
    if (given.requiresBinding) requireChannelBinding(this);
    // These run before the listeners of the driver, which it adds when it connects.
    connection.on('notice', ({ routine }: { routine?: string }) => {
      if (routine !== waitForStandbys) return;
      const error = new Error('Connection terminated: the wait of a commit for its synchronous standby was cancelled');
      connection.emit('error', error);
    });
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      this.isUseless ||= code === readOnly || isOutdated(code);
    });
    // PostgreSQL reports this when the connection begins (from version 14 on), and when a standby becomes a primary.
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
  }

  /**
   * Undefined for a primary. While another server takes the place of the primary, its address may lead to a hot standby
   * for a moment: data from there may be old, which a command that only reads is told to take. A primary that becomes a
   * standby ends its connections, so it is enough to ask once.
   */
  get whyNotPrimary(): Error | undefined {
    return this.#isStandby && !this.#onlyReads
      ? new Error('Connection terminated: DATABASE_URL leads to a hot standby')
      : undefined;
  }
}

// Whether a connection leads to a pooler such as PgBouncer in transaction mode, which lends a session of the server for one
// transaction. What a session keeps is then lost, or found by others: names of prepared statements, settings, locks of the
// session, LISTEN.

/** What the address says: `?pgbouncer=true`, or `false` for a pooler that lends whole sessions. Undefined if it says nothing. */
export function poolerIn({ parameters: { pgbouncer } }: PostgresqlAddress): boolean | undefined {
  return pgbouncer === undefined ? undefined : pgbouncer === 'true';
}

/**
 * Whether the process of the server that answers is not the one that the connection was given when it began: a pooler gives
 * a number of its own. `longest` is how many milliseconds the answer may take, where the connection has no limit.
 */
export async function isPooled(client: pg.Client, longest?: number): Promise<boolean> {
  const question = { text: 'SELECT pg_backend_pid() AS "pid"', query_timeout: longest };
  const { rows } = await client.query<{ pid: number }>(question);
  return !('processID' in client) || client.processID !== rows[0]?.pid;
}

// TLS to PostgreSQL, by the parameters of the address, which mean what they mean to PostgreSQL's own programs.

/** How the server is verified; false for a connection that is never encrypted. @throws ConfigError */
export function encryption(address: PostgresqlAddress): ConnectionOptions | false {
  const { sslcert, sslkey, sslpassword } = address.parameters;
  const mode = modeOf(address);
  if (mode === 'disable') return false;
  const authority = address.parameters.sslrootcert ?? process.env.PGSSLROOTCERT;
  // With `require`, certificates are verified where it is said by which authority.
  const isVerified = mode.startsWith('verify') || (mode === 'require' && authority !== undefined);
  const isNamed = mode === 'verify-full' || (isVerified && authority === 'system');
  return {
    rejectUnauthorized: isVerified,
    ...(!isNamed && { checkServerIdentity: () => undefined }),
    ...(authority !== undefined && authority !== 'system' && { ca: pem('sslrootcert', authority, 'CERTIFICATE') }),
    ...(sslcert !== undefined && { cert: pem('sslcert', sslcert, 'CERTIFICATE') }),
    ...(sslkey !== undefined && { key: privateKey(sslkey) }),
    ...(sslpassword !== undefined && { passphrase: sslpassword }),
  };
}

/** Whether a server that has no TLS is taken too. As `allow` gives no more protection than `prefer`, it does the same. */
export const isOptional = (address: PostgresqlAddress): boolean => /^(allow|prefer)$/.test(modeOf(address));

/** A connection that does not leave the machine is not encrypted unless that is asked for. */
function modeOf({ host = process.env.PGHOST ?? 'localhost', parameters: { sslmode } }: PostgresqlAddress): string {
  if (host.startsWith('/')) return 'disable';
  const mode = sslmode ?? process.env.PGSSLMODE ?? (isLoopback(host) ? 'disable' : 'prefer');
  if (sslModes.some((known) => known === mode)) return mode;
  throw new ConfigError([`PGSSLMODE must be one of ${sslModes.join(', ')}.`]);
}

/** The text of a file with a block of this kind: the driver would take any other file as if none were named. */
function pem(parameter: string, path: string, kind: string): string {
  const text = reading(parameter, path, () => readFileSync(path, 'utf8'));
  const titles = [...text.matchAll(/^-----BEGIN ([A-Z ]+)-----/gm)].map(([, title]) => title);
  if (titles.some((title) => title?.endsWith(kind))) return text;
  throw new ConfigError([`${named(parameter, path)} has no ${kind.toLowerCase()} in the form of PEM.`]);
}

/** Permissions as PostgreSQL's own programs ask for them: root may let a group read its key. */
function privateKey(path: string): string {
  const { mode, uid } = reading('sslkey', path, () => statSync(path));
  const others = uid === 0 ? 0o037 : 0o077;
  if ((mode & others) === 0) return pem('sslkey', path, 'PRIVATE KEY');
  throw new ConfigError([`${named('sslkey', path)} can be used by others than its owner: run chmod 600 ${path}`]);
}

function reading<Result>(parameter: string, path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new ConfigError([`${named(parameter, path)} cannot be read (${code}).`]);
  }
}

const named = (parameter: string, path: string): string =>
  `The file ${path}, which ${parameter} in the database address names,`;

/** Lets `client` go on without TLS where the server has none, as the driver by itself does not. */
function takeUnencrypted({ connection }: pg.Client): void {
  const { stream } = connection;
  // The driver waits for the answer to its question for TLS, which it sends when it is connected.
  connection.once('connect', () => {
    const negotiate = stream.listeners('data');
    stream.removeAllListeners('data');
    stream.once('data', (answer: Buffer) => {
      const isRefused = answer.toString('latin1') === 'N';
      if (!isRefused) for (const each of negotiate) each.call(stream, answer);
      else if ('attachListeners' in connection && typeof connection.attachListeners === 'function') {
        connection.attachListeners(stream);
        connection.emit('sslconnect');
      }
    });
  });
}

/**
 * Lets `client` go on only with a server that proves by the password that it is the one at the end of the TLS connection. The
 * driver by itself goes on without that where a server does not offer it, and then even sends the password.
 */
function requireChannelBinding({ connection }: pg.Client): void {
  let isProven = false;
  const refuse = () => {
    // The server may have said already that it is ready.
    connection.removeAllListeners('readyForQuery');
    connection.stream.destroy(new Error('the server offers no channel binding'));
  };
  // These run before the listeners of the driver, which it adds when it connects.
  connection.on('authenticationSASL', ({ mechanisms }: { mechanisms: string[] }) => {
    if (!mechanisms.includes('SCRAM-SHA-256-PLUS')) refuse();
  });
  for (const other of ['authenticationCleartextPassword', 'authenticationMD5Password']) connection.on(other, refuse);
  connection.on('authenticationSASLFinal', () => {
    isProven = true;
  });
  connection.on('authenticationOk', () => {
    if (!isProven) refuse();
  });
}
