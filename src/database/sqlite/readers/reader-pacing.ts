import { performance } from 'node:perf_hooks';

/** A process that runs a long read. */
export interface Paced {
  pause(): void;
  resume(): void;
}

/** Milliseconds that the readers run and are then paused, in turns, while the gateway is busy. */
const turns = { run: 5, pause: 10 };
/** The share of its time that the event loop works, from which the gateway counts as busy. */
const busyFrom = 0.5;

/**
 * Pauses the readers for two thirds of the time while the event loop is busy with other requests. A lower priority alone
 * leaves these about half of their throughput where there are few processors: the system runs whatever is ready on a
 * processor that is free for a moment, and processors may share a core. While the loop is idle, readers run all the time.
 */
export class ReaderPacing {
  readonly #running = new Set<Paced>();
  #timer: NodeJS.Timeout | undefined;
  #lastUse = performance.eventLoopUtilization();

  /** To be called when a reader begins a read. */
  add(reader: Paced): void {
    this.#running.add(reader);
    this.#timer ??= this.#let('run');
  }

  /** To be called when a reader ended its read. */
  delete(reader: Paced): void {
    if (!this.#running.delete(reader)) return;
    reader.resume();
    if (this.#running.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #let(what: 'run' | 'pause'): NodeJS.Timeout {
    for (const reader of this.#running) what === 'run' ? reader.resume() : reader.pause();
    const next = () => {
      this.#timer = this.#let(what === 'run' && this.#isBusy() ? 'pause' : 'run');
    };
    return setTimeout(next, turns[what]).unref();
  }

  /** Whether the event loop has been busy since the last call. */
  #isBusy(): boolean {
    const use = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(use, this.#lastUse);
    this.#lastUse = use;
    return utilization >= busyFrom;
  }
}
