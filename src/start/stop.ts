import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that requests under way have to finish once the gateway is told to stop. */
const DRAIN_TIME = 10_000;

/** Takes no more connections, lets what is under way finish, and cuts off what has not after ten seconds. */
export async function stopServing(server: Server, drainTime = DRAIN_TIME): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const patience = new AbortController();
  await Promise.race([closed, sleep(drainTime, undefined, { signal: patience.signal, ref: false })]);
  patience.abort();
  server.closeAllConnections();
  await closed;
}
