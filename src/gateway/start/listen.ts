import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExplainedError } from '../../common/config-error.js';
import type { Config } from '../config/config.js';

/** The server cannot listen at the configured address; the message says what to do. */
export class ListenError extends ExplainedError {}

/** Resolves with the address once `server` accepts connections. @throws ListenError */
export async function listen(
  server: Server,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting = 'PORT',
): Promise<AddressInfo> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why =
      reasons(setting)[code] ?? `cannot be listened on (${code || error}); choose others with HOST and ${setting}.`;
    throw new ListenError(`Port ${port} on ${host} ${why}`, { cause: error });
  }
  const address = server.address();
  if (!address || typeof address === 'string') throw new ListenError(`The server has no port on ${host}.`);
  return address;
}

/** A URL that can be opened: a wildcard address is shown as localhost. */
export function urlOf(host: string, { port }: AddressInfo): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const reasons = (setting: string): Record<string, string> => ({
  EADDRINUSE: `is in use. Stop what runs there, or choose another with ${setting}.`,
  EACCES: `is not allowed to this user. Choose one from 1024 up with ${setting}.`,
  EADDRNOTAVAIL: 'cannot be listened on: this machine has no such address. Choose another with HOST.',
  ENOTFOUND: 'cannot be listened on: there is no such host. Choose another with HOST.',
});
