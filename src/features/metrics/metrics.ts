/** The metrics of a process, in the format of Prometheus. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { EndedRequest, Observation, RequestMeter } from '../../change/observation.js';
import type { Current } from '../../common/current.js';
import { createSeries, type Series } from './create-series.js';

/** What is read whenever the metrics are. */
export interface Readings {
  version: string;
  database: string;
  /** Work that waits for the database. */
  waiting: number;
  connections?: { open: number; used: number } | undefined;
  commits?: { groups: number; units: number } | undefined;
  streams: number;
  outgoingBytes: number;
  /** Milliseconds. */
  idsAhead: number;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #series: Series;
  readonly #names: Current<ReadonlySet<string>>;
  /** What is counted for the request on behalf of which something runs. */
  readonly #request = new AsyncLocalStorage<{ statements: number }>();
  #readings: (() => Readings) | undefined;
  #answers: () => Promise<boolean> = async () => false;

  /** `names` are the operations that have a label of their own; every series has `labels`. */
  constructor(names: Current<ReadonlySet<string>>, labels: Readonly<Record<string, string>> = {}) {
    this.#names = names;
    this.#series = createSeries(this.#registry);
    this.#registry.setDefaultLabels(labels);
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Sets how to read what is not counted here, and how to ask whether the database answers. */
  watch(readings: () => Readings, answers: () => Promise<boolean>): void {
    this.#readings = readings;
    this.#answers = answers;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    if (this.#readings) {
      this.#series.databaseUp.set((await this.#answers()) ? 1 : 0);
      this.#read(this.#readings());
    }
    return this.#registry.metrics();
  }

  /** Called with every SQL statement, on behalf of whoever runs it. */
  readonly onStatement = (): void => {
    this.#series.statements.inc();
    const request = this.#request.getStore();
    if (request) request.statements++;
  };

  /** Called after each attempt to deliver a message. */
  readonly onAttempt = (status: number, milliseconds: number): void => {
    this.#series.deliveries.inc({ status });
    this.#series.deliverySeconds.observe(milliseconds / 1000);
  };

  /** The meter of one request. */
  readonly meter = (): RequestMeter => {
    const counted = { statements: 0 };
    return {
      run: (work) => this.#request.run(counted, work),
      end: (request) => this.#end(request, counted.statements),
    };
  };

  #end({ path, status, milliseconds, isAborted, observation }: EndedRequest, statements: number): void {
    const { requests, refusals, requestSeconds, operationStatements } = this.#series;
    const { way = 'none', reason } = observation;
    const surface = surfaceOf(path, observation);
    const labels = { surface, operation: operationLabel(this.#names.value, observation) };
    requests.inc({ ...labels, status: isAborted ? 'aborted' : String(status), way });
    if (reason !== undefined) refusals.inc({ surface, reason });
    if (surface !== 'stream') requestSeconds.observe(labels, milliseconds / 1000);
    if (way !== 'none') operationStatements.observe(labels, statements);
  }

  #read({ version, database, waiting, connections, commits, streams, outgoingBytes, idsAhead }: Readings): void {
    const series = this.#series;
    series.info.set({ version, node: process.versions.node, database }, 1);
    series.databaseWaiting.set(waiting);
    series.streams.set(streams);
    series.outgoingBytes.set(outgoingBytes);
    series.idsAhead.set(idsAhead / 1000);
    if (connections) {
      series.databaseConnections.set({ state: 'used' }, connections.used);
      series.databaseConnections.set({ state: 'idle' }, connections.open - connections.used);
    }
    if (!commits) return;
    series.commits.reset();
    series.commits.inc(commits.groups);
    series.committedUnits.reset();
    series.committedUnits.inc(commits.units);
  }
}

/** The labels of a request. Each has few values, whatever clients send. */

/** What a client asked: an interface, a stream of changes, the health checks, or a page and everything else. */
type SurfaceLabel = 'rest' | 'graphql' | 'stream' | 'health' | 'pages';

function surfaceOf(path: string, { kind }: Observation): SurfaceLabel {
  if (kind === 'subscription') return 'stream';
  if (path === '/graphql') return 'graphql';
  if (path === '/api' || path.startsWith('/api/')) return 'rest';
  return path === '/healthz' || path === '/readyz' ? 'health' : 'pages';
}

/** The name of an operation among `names`; `other` for one that clients have named, and `none` without an operation. */
function operationLabel(names: ReadonlySet<string>, { operation, kind }: Observation): string {
  if (operation !== undefined && names.has(operation)) return operation;
  return kind === undefined ? 'none' : 'other';
}
