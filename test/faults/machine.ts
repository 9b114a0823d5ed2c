/** How busy the machine is for a while, with whatever runs there: a figure in seconds means little where nothing gets its turn. */
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Busyness {
  /** The part of their time that the processors have left, from 0 to 1. */
  idle: number;
  /** Milliseconds by which one of a hundred timers of this process is late, or more. */
  late: number;
  isBusy: boolean;
}

/** What is left to the processors of a machine that is not busy, and the lateness of timers there. */
const leastIdle = 0.2;
const latest = 50;
/** Milliseconds of each timer. */
const each = 20;

/** Begins to watch it; the function that is returned ends that, and says what was seen. */
export function watchMachine(): () => Promise<Busyness> {
  const before = processorTime();
  const late: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await sleep(each);
      late.push(performance.now() - startedAt - each);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    const after = processorTime();
    const idle = (after.idle - before.idle) / Math.max(1, after.all - before.all);
    const sorted = late.sort((a, b) => a - b);
    const hundredth = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
    return { idle, late: hundredth, isBusy: idle < leastIdle || hundredth > latest };
  };
}

function processorTime(): { idle: number; all: number } {
  const times = cpus().map(({ times }) => times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) };
}
