import { setImmediate as turn } from 'node:timers/promises';

/** The processor time of this process so far, in milliseconds. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of processor time of the longest of all turns of the event loop, and of all of them, until `work` is done. */
export async function turnsDuring(work: Promise<unknown>): Promise<{ longest: number; all: number }> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  const from = processorTime();
  let longest = 0;
  for (let last = from; !isDone; ) {
    await turn();
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await done;
  return { longest, all: processorTime() - from };
}
