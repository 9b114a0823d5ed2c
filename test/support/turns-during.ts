import { request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { TestGateway } from './gateway.js';

/** The processor time of this process so far, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Shorter turns, in milliseconds, are those of waiting: there are thousands while the database works. */
const shortest = 0.1;

/** Milliseconds of processor time of the longest turn of the event loop, and of all that do something, until `work` is done. */
export async function turnsDuring(work: Promise<unknown>): Promise<{ longest: number; all: number }> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let [longest, all] = [0, 0];
  for (let last = processorTime(); !isDone; ) {
    await turn();
    const now = processorTime();
    longest = Math.max(longest, now - last);
    if (now - last >= shortest) all += now - last;
    last = now;
  }
  await done;
  return { longest, all };
}

/**
 * The share of the longest turn in all of them, in the best of three runs of `work`: the collector may take long in one
 * turn of a run, and what holds the event loop holds it in every run.
 */
export async function longestShare(work: () => Promise<unknown>): Promise<number> {
  const shares: number[] = [];
  for (let run = 0; run < 3; run++) {
    const { longest, all } = await turnsDuring(work());
    shares.push(longest / all);
  }
  return Math.min(...shares);
}

/** The bytes of an answer, which is neither kept nor parsed: that would be a long turn of the test's own. */
export const bytesOf = ({ url, key }: TestGateway, query: string, variables?: Record<string, unknown>) =>
  new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const asked = request(`${url}/graphql`, { method: 'POST', headers });
    asked.on('error', reject).on('response', (answer) => {
      let bytes = 0;
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on('end', () => resolve(bytes));
    });
    asked.end(JSON.stringify({ query, variables }));
  });
