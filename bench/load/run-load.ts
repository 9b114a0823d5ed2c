import { Connection, type Reply } from './connection.js';
import type { LoadOrder, LoadResult } from './protocol.js';

/** Seconds of load before the measurement begins. */
const RUN_UP = 0.3;

/** Returns the next request, or undefined if there is none. */
export type NextRequest = () => Buffer | undefined;

/** Each request one time. */
export function once(requests: readonly Buffer[]): NextRequest {
  let position = 0;
  return () => requests[position++];
}

/** All requests again and again, beginning with the one at `position`. */
export function repeated(requests: readonly Buffer[], position: number): NextRequest {
  let next = position;
  return () => requests[next++ % requests.length];
}

/** Sends requests, each connection one at a time, for the ordered time or until there are no more. */
export async function runLoad(
  { ports, connections, seconds }: Pick<LoadOrder, 'ports' | 'connections' | 'seconds'>,
  nextRequest: NextRequest,
): Promise<LoadResult> {
  const durations: number[] = [];
  let [allRequests, bytes, errors, lastAnswerAt] = [0, 0, 0, 0];
  let error: string | undefined;
  const used = process.cpuUsage();
  const startedAt = performance.now();
  const begin = startedAt + RUN_UP * 1000;
  const end = begin + seconds * 1000;

  function failed(what: string): void {
    errors++;
    error ??= what;
  }

  function answered(reply: Reply, sentAt: number, now: number): void {
    allRequests++;
    bytes += reply.bytes;
    lastAnswerAt = now;
    if (now >= begin && now < end) durations.push(now - sentAt);
    if (reply.status < 200 || reply.status > 299 || reply.hasErrors) failed(`${reply.status} ${reply.text()}`);
  }

  async function client(port: number): Promise<void> {
    const connection = new Connection(port);
    try {
      for (let sentAt = performance.now(); sentAt < end; ) {
        const request = nextRequest();
        if (!request) break;
        const reply = await connection.send(request);
        const now = performance.now();
        answered(reply, sentAt, now);
        sentAt = now;
      }
    } catch (lost) {
      failed(String(lost));
    } finally {
      connection.close();
    }
  }

  await Promise.all(Array.from({ length: connections }, (_, index) => client(ports[index % ports.length] ?? 0)));
  const { user, system } = process.cpuUsage(used);
  durations.sort((one, other) => one - other);
  return {
    requests: durations.length,
    allRequests,
    seconds: (Math.min(end, lastAnswerAt) - begin) / 1000,
    p50: at(durations, 0.5),
    p99: at(durations, 0.99),
    bytes: allRequests > 0 ? bytes / allRequests : 0,
    errors,
    error,
    busy: (user + system) / 1000 / (performance.now() - startedAt),
  };
}

function at(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? 0;
}
