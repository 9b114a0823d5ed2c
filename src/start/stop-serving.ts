import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds that requests under way may take to finish after the gateway was told to stop. */
const DRAIN_TIME = 10_000;

/**
 * Stops accepting connections, waits for requests under way, and closes the remaining connections after `drainTime`.
 */
export async function stopServing(server: Server, drainTime = DRAIN_TIME): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const patience = new AbortController();
  await Promise.race([closed, sleep(drainTime, undefined, { signal: patience.signal, ref: false })]);
  patience.abort();
  server.closeAllConnections();
  await closed;
}
