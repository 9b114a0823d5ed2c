import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { ExplainedError } from '../../common/config-error.js';
import { inTime } from '../../common/timing.js';
import { systemCode } from '../../common/write-problem.js';
import { lossLeft } from '../../database/sqlite/lost-mark.js';
import { sqlitePath } from '../../database/sqlite/open-sqlite.js';
import type { Config } from '../config/config.js';
import { closeIdleConnections, keepAlive } from '../http/server.js';

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
    const code = systemCode(error);
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

/** Milliseconds that requests under way may take to finish after the gateway was told to stop. */
const DRAIN_TIME = 10_000;

/** Milliseconds after which a worker that was replaced closes connections that are still idle. */
const LEAVE_TIME = keepAlive + DRAIN_TIME;

/** Milliseconds after which a hanging stop is ended: of a process, and of a worker, which another one may have replaced. */
export const stopTimes = { process: 15_000, worker: LEAVE_TIME + 15_000 };

/**
 * Stops accepting connections, waits for requests under way, and closes the remaining connections after `drainTime`.
 * While `isReplaced`, others serve at the same address: idle connections are then left open until their clients have
 * sent a request, whose answer closes them, or have sent none for as long as an idle connection is kept in any case. No
 * request is lost that is under way to this process while it closes.
 */
export async function stopServing(
  server: Server,
  drainTime = DRAIN_TIME,
  isReplaced: () => boolean = () => false,
): Promise<void> {
  let isClosed = false;
  const closed = new Promise<void>((resolve) => {
    // That of HTTP closes idle connections.
    NetServer.prototype.close.call(server, () => {
      isClosed = true;
      resolve();
    });
  });
  const until = performance.now() + LEAVE_TIME;
  while (isReplaced() && !isClosed && performance.now() < until) await Promise.race([closed, sleep(100)]);
  closeIdleConnections(server);
  await inTime(closed, drainTime, () => undefined);
  server.closeAllConnections();
  await closed;
}

interface Ending {
  log: Logger;
  /** Milliseconds after which a hanging stop is ended. */
  delay: number;
  /** What the log says of an unexpected error. */
  fault: string;
  /** Where the database is, if it is no other process that looks whether it is left lost. */
  databaseUrl?: string | undefined;
  /** Returns whether something hung. */
  stop(isFault: boolean): Promise<boolean>;
  flush(): Promise<void>;
}

/** Ends the process in order at a signal or an unexpected error. Returns what does the same. */
export function endInOrder({ log, delay, fault, databaseUrl, stop, flush }: Ending): () => void {
  const logger = { error: (message: unknown) => log.error(String(message)) };
  const skip = ['SIGUSR2' as const, ...(endsAtHangup() ? [] : ['SIGHUP' as const])];
  let isEnding = false;
  const { close } = closeWithGrace({ delay, logger, onSecondSignal: () => {}, skip }, async ({ err, signal }) => {
    isEnding = true;
    if (err) log.fatal({ err }, fault);
    else log.info({ signal }, 'Stopping');
    const isHung = await stop(err !== undefined);
    const loss = databaseUrl?.startsWith('file:') ? lossLeft(sqlitePath(databaseUrl)) : undefined;
    if (loss) log.error(loss);
    if (!err) log.info('Stopped');
    await flush();
    if (isHung || loss) process.exit(1);
  });
  return () => {
    if (!isEnding) void close();
  };
}

export const endsAtHangup = (): boolean => process.stderr.isTTY === true;
