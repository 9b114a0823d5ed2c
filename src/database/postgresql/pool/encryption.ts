/** TLS to PostgreSQL, by the parameters of the address, which mean what they mean to PostgreSQL's own programs. */
import { readFileSync, statSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import type pg from 'pg';
import { ConfigError } from '../../../common/config-error.js';
import { isLoopback } from '../../../common/network.js';
import { sslModes } from '../../address/address-parameters.js';
import type { PostgresqlAddress } from '../../address/postgresql-address.js';

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
export function takeUnencrypted({ connection }: pg.Client): void {
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
export function requireChannelBinding({ connection }: pg.Client): void {
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
