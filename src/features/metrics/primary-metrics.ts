/** The metrics of a gateway with several workers, asked for by its primary process. */
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Primary } from '../../gateway/feature.js';
import { createWorkerSeries } from './metrics.js';

/** By which the primary process asks a worker for its metrics. */
export const reportName = 'metrics';

export class PrimaryMetrics {
  readonly #registry = new Registry();
  readonly #series: ReturnType<typeof createWorkerSeries>;

  constructor(private readonly workers: Primary['crew']) {
    this.#registry.setDefaultLabels({ worker: 'primary' });
    this.#series = createWorkerSeries(this.#registry);
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    const { wanted, serving, replaced } = this.workers;
    const texts = await Promise.all(serving.map((worker) => worker.report(reportName)));
    const told = texts.filter((text) => text !== undefined);
    this.#series.workers.set({ state: 'wanted' }, wanted);
    this.#series.workers.set({ state: 'serving' }, told.length);
    this.#series.replaced.reset();
    this.#series.replaced.inc(replaced);
    return mergeMetrics([await this.#registry.metrics(), ...told]);
  }
}

/**
 * The metrics of several processes as one text. Each process labels its series, so that no two processes have the same
 * one. The description of a metric is written once, as the format demands.
 */
function mergeMetrics(texts: readonly string[]): string {
  const merged = new Map<string, { about: string[]; series: string[] }>();
  for (const text of texts) {
    let name = '';
    for (const line of text.split('\n')) {
      if (line === '') continue;
      name = /^# HELP (\S+)/.exec(line)?.[1] ?? name;
      const metric = merged.get(name) ?? { about: [], series: [] };
      merged.set(name, metric);
      if (!line.startsWith('#')) metric.series.push(line);
      else if (metric.series.length === 0 && metric.about.length < 2) metric.about.push(line);
    }
  }
  const lines = [...merged.values()].flatMap(({ about, series }) => [...about, ...series]);
  return `${lines.join('\n')}\n`;
}
