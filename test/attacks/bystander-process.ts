/**
 * Reads `argv[2]` with the key `argv[3]` over `argv[4]` connections, each after a pause of `argv[5]` ms, and prints how
 * long each request took between `begin` and `end`.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , url = '', key = ''] = process.argv;
const [connections, pause] = process.argv.slice(4).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
let times: number[] = [];
let failed = 0;
/** Since when each connection has been waiting for an answer. */
const waiting = new Map<number, number>();

process.on('message', (message) => {
  if (message === 'begin') {
    times = [];
    failed = 0;
    return;
  }
  // A request that still hangs counts with the time it has taken so far.
  const sofar = [...waiting.values()].map((since) => performance.now() - since);
  process.send?.({ times: [...times, ...sofar], failed });
});

await Promise.all(
  Array.from({ length: connections ?? 1 }, async (_, connection) => {
    while (process.connected) {
      const startedAt = performance.now();
      waiting.set(connection, startedAt);
      if ((await read().catch(() => 0)) !== 200) failed++;
      times.push(performance.now() - startedAt);
      waiting.delete(connection);
      if (pause) await sleep(pause);
    }
  }),
);

function read(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    }).on('error', reject);
  });
}
