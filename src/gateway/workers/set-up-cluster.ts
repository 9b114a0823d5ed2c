import cluster from 'node:cluster';
import type { PositionSeats } from './position-seats.js';

/** Sets how workers are started: with the arguments of the command line, and with the file that they share, if there is one. */
export function setUpCluster(program: { path: string; words: readonly string[] }, seats?: PositionSeats): void {
  // Each worker accepts connections itself: none passes through another process, where it would be lost, and its client
  // would wait for ever, if the worker that is to get it is killed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: program.path, args: [...program.words], ...seats?.inherited });
}
