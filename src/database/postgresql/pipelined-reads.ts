/**
 * Sends small reads one after another on few connections, without waiting for the answer to each before the next is
 * sent. PostgreSQL and this process then handle several of them at each wake-up, which takes a third of the time that a
 * connection for each needs. PostgreSQL answers in order, so a read is pipelined only where no slow one is before it.
 */
import type pg from 'pg';
import type { Rows } from '../direct-access.js';
import { Pipeline, type PipelineOptions } from './pipeline.js';

/** The least bytes that each answer counts. */
const leastAwaited = 4 * 1024;

export interface PipelinedReadsOptions extends PipelineOptions {
  /** How many connections to keep. */
  connections: number;
}

export class PipelinedReads {
  readonly #pipelines: readonly Pipeline[];

  constructor(options: PipelinedReadsOptions) {
    this.#pipelines = Array.from({ length: options.connections }, () => new Pipeline(options));
  }

  /** Sends a read whose answer will probably have `size` bytes. Undefined if no connection is free enough. */
  read(query: pg.QueryArrayConfig, size: number): Promise<Rows> | undefined {
    const weight = Math.max(size, leastAwaited);
    let best: Pipeline | undefined;
    for (const pipeline of this.#pipelines) {
      if (pipeline.takes(weight) && (!best || pipeline.awaited < best.awaited)) best = pipeline;
    }
    return best?.read(query, weight);
  }

  /** Waits for the reads under way, unless they are given up, and closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.#pipelines.map((pipeline) => pipeline.close()));
  }
}
