import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from '../../common/timing.js';
import { closeIdleConnections, keepAlive } from '../http/server.js';

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
