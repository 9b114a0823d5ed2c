/** Reads `argv[2]` with the key `argv[3]` over four connections, and tells how long it took between `begin` and `end`. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , url = '', key = ''] = process.argv;
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
let times: number[] = [];
let failed = 0;

process.on('message', (message) => {
  if (message === 'begin') {
    times = [];
    failed = 0;
    return;
  }
  process.send?.({ times, failed });
});

await Promise.all(
  Array.from({ length: 4 }, async () => {
    while (process.connected) {
      const startedAt = performance.now();
      if ((await read().catch(() => 0)) !== 200) failed++;
      times.push(performance.now() - startedAt);
      await sleep(5);
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
