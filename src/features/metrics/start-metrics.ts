/** Metrics, where METRICS_PORT asks for them. */

import type { RequestListener, Server } from 'node:http';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Primary, Running, Started, Starting, Watch } from '../../gateway/feature.js';
import { createServer } from '../../gateway/http/server.js';
import { pathOf } from '../../gateway/http/visit.js';
import { listen, urlOf } from '../../gateway/start/listen.js';
import { namesOfTrusted } from '../../graphql/operation/trusted-documents.js';
import { createWorkerSeries, Metrics } from './metrics.js';

/** Metrics that are served at this port of HOST. */
export const metricsAt = (port: number) => ({
  watch: (starting: Starting) => watchForMetrics(port, starting),
  /** @throws ListenError */
  primary: (primary: Primary) => serveMetrics(port, new PrimaryMetrics(primary.crew), primary),
});

/** REST's operations have labels of their own, as those of trusted documents have. */
function watchForMetrics(port: number, { worker, operations, trustedDocuments, metrics: added }: Starting): Watch {
  const metrics = new Metrics(
    trustedDocuments.derive((trusted) => new Set([...operations, ...(trusted ? namesOfTrusted(trusted) : [])])),
    worker === undefined ? {} : { worker: String(worker) },
    added,
  );
  const { statements, meter, measure } = metrics;
  /** A worker reports its metrics to the primary process, which serves those of all. @throws ListenError */
  const start = async (running: Running): Promise<Started> => {
    metrics.watch(running);
    if (worker === undefined) return serveMetrics(port, metrics, running);
    return { reports: { [reportName]: () => metrics.text() } };
  };
  return { statements, meter, measure, start };
}

/** Serves metrics on their port, also while the database closes. @throws ListenError */
async function serveMetrics(
  port: number,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { config: { host }, log }: Pick<Starting, 'config' | 'log'>,
): Promise<Started> {
  const server = metricsServer(metrics, (err) => log.error({ err }, 'The metrics could not be read'));
  const address = await listen(server, { host, port }, 'METRICS_PORT');
  return {
    announces: { Metrics: `${urlOf(host, address)}/metrics` },
    end: async (closed) => {
      await closed;
      server.close();
      server.closeAllConnections();
    },
  };
}

// The server of the metrics, on a port of their own, so that clients of the gateway need not see them.

/** Connections at the same time; further ones are closed. One Prometheus needs one. */
const mostConnections = 20;

/**
 * Milliseconds for which metrics are served again without being read anew, because reading them holds the event loop of
 * the gateway.
 */
const keptFor = 1_000;

/** The server closes slow connections, and answers the requests of each one after another, as that of the gateway does. */
export function metricsServer(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  onError: (error: unknown) => void,
): Server {
  const read = kept(async () => Buffer.from(await metrics.text()));
  const answer: RequestListener = (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || pathOf(request.url) !== '/metrics') {
      const [status, headers] = isRead ? [404, {}] : [405, { Allow: 'GET, HEAD' }];
      return void response.writeHead(status, headers).end('The metrics are at GET /metrics.\n');
    }
    read().then(
      (text) =>
        response.writeHead(200, { 'Content-Type': metrics.contentType, 'Content-Length': text.length }).end(text),
      (error: unknown) => {
        onError(error);
        response.writeHead(500).end();
      },
    );
  };
  const server = createServer(answer);
  server.maxConnections = mostConnections;
  return server;
}

/** Shares what was read, also while it is being read. */
function kept<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let last: { result: Promise<Result>; until: number } | undefined;
  return () => {
    if (!last || performance.now() >= last.until) last = { result: read(), until: performance.now() + keptFor };
    return last.result;
  };
}

/** By which the primary process asks a worker for its metrics. */
const reportName = 'metrics';

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
