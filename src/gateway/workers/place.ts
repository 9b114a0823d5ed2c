import type { WorkerProcess } from './worker-process.js';

/** Milliseconds: a worker that served for so long has not failed at its start. */
const soundAfter = 10_000;
/** Milliseconds before a place is filled again: at once, then longer and longer where workers end again and again. */
const pauses = { second: 250, longest: 30_000 };

/** A place of a gateway, which one worker after another may have. */
export class Place {
  worker: WorkerProcess | undefined;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(readonly number: number) {}

  /** The place is free: calls `fill` after a pause. Returns the pause in milliseconds. */
  fillLater(fill: () => void): number {
    const since = this.worker?.servesSince;
    if (since !== undefined && performance.now() - since >= soundAfter) this.#failures = 0;
    const failures = this.#failures++;
    const pause = failures === 0 ? 0 : Math.min(pauses.longest, pauses.second * 2 ** (failures - 1));
    this.worker = undefined;
    this.#timer = setTimeout(fill, pause);
    return pause;
  }

  /** Stops filling the place. */
  leaveFree(): void {
    clearTimeout(this.#timer);
  }
}
