/** The metrics of a process, in the format of Prometheus. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EndedRequest, Observation, RequestMeter } from '../../change/observation.js';
import type { Current } from '../../common/kept.js';
import { gatewayVersion } from '../../common/project.js';
import { inTime } from '../../common/timing.js';
import type { Metric, OnMeasured, Running, Watch } from '../../gateway/feature.js';
import { ids } from '../../query/ids.js';

/** Milliseconds in which the database has to answer; shorter than the primary process waits for the metrics of a worker. */
const longestAnswer = 1_500;

export class Metrics {
  readonly #registry = new Registry();
  readonly #series: Series;
  readonly #names: Current<ReadonlySet<string>>;
  /** What is counted for the request on behalf of which something runs. */
  readonly #request = new AsyncLocalStorage<{ statements: number }>();
  #running: Pick<Running, 'database' | 'gateway'> | undefined;

  /** `names` are the operations that have a label of their own; every series has `labels`; `added` are those of features. */
  constructor(
    names: Current<ReadonlySet<string>>,
    labels: Readonly<Record<string, string>> = {},
    added: readonly Metric[] = [],
  ) {
    this.#names = names;
    this.#series = createSeries(this.#registry, added);
    this.#registry.setDefaultLabels(labels);
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Sets from where to read what is not counted here. */
  watch(running: Pick<Running, 'database' | 'gateway'>): void {
    this.#running = running;
    const { provider } = running.database;
    this.#series.info.set({ version: gatewayVersion(), node: process.versions.node, database: provider }, 1);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    if (this.#running) await this.#read(this.#running);
    return this.#registry.metrics();
  }

  /** Counts every SQL statement, on behalf of whoever runs it. */
  readonly statements: NonNullable<Watch['statements']> = () => () => {
    this.#series.statements.inc();
    const request = this.#request.getStore();
    if (request) request.statements++;
    return undefined;
  };

  readonly measure: OnMeasured = (metric, value, labels = {}) => {
    const series = this.#series.added.get(metric);
    if (series instanceof Counter) series.inc(labels, value);
    else series?.observe(labels, value);
  };

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

  async #read({ database, gateway }: Pick<Running, 'database' | 'gateway'>): Promise<void> {
    const series = this.#series;
    const answered = database.ping().then(
      () => 1,
      () => 0,
    );
    series.databaseUp.set(await inTime(answered, longestAnswer, () => 0));
    const { waiting, connections, commits } = database.readings();
    const { streams, outgoingBytes } = gateway.readings();
    series.databaseWaiting.set(waiting);
    series.streams.set(streams);
    series.outgoingBytes.set(outgoingBytes);
    series.idsAhead.set(ids.ahead() / 1000);
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

// The labels of a request. Each has few values, whatever clients send.

/** What a client asked: an interface, a stream of changes, the health checks, or a page and everything else. */
function surfaceOf(path: string, { kind }: Observation) {
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

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const counts = [0, 1, 2, 3, 5, 10, 20, 50, 100, 500, 1000];

type Series = ReturnType<typeof createSeries>;

const seriesIn = (registry: Registry) => {
  const given = (name: string, help: string, labelNames: readonly string[] = []) => ({
    name,
    help,
    labelNames,
    registers: [registry],
  });
  return {
    counter: (...series: Parameters<typeof given>) => new Counter(given(...series)),
    gauge: (...series: Parameters<typeof given>) => new Gauge(given(...series)),
    histogram: (name: string, help: string, labels?: readonly string[], buckets = seconds) =>
      new Histogram({ ...given(name, help, labels), buckets }),
  };
};

/**
 * All metrics of the gateway, stated once. Labels have few values: an operation has its name only if REST or the trusted
 * documents know it, because a client could otherwise make a new series with each request.
 */
export function createSeries(registry: Registry, added: readonly Metric[] = []) {
  const { counter, gauge, histogram } = seriesIn(registry);
  return {
    requests: counter(
      'records_requests_total',
      'Requests by surface, operation, HTTP status (`aborted` where the client left) and way: `sql`, `resolvers`, `introspection`, `replay` or `none`.',
      ['surface', 'operation', 'status', 'way'],
    ),
    refusals: counter(
      'records_refusals_total',
      'Requests refused as a whole, by reason, such as `rate_limited` or `busy`.',
      ['surface', 'reason'],
    ),
    requestSeconds: histogram(
      'records_request_seconds',
      'Seconds from the headers of a request to the end of its answer. Streams of changes are left out.',
      ['surface', 'operation'],
    ),
    operationStatements: histogram(
      'records_operation_statements',
      'SQL statements of a request that ran an operation.',
      ['surface', 'operation'],
      counts,
    ),
    statements: counter('records_sql_statements_total', 'SQL statements, whoever ran them.'),
    databaseUp: gauge(
      'records_database_up',
      'Whether the database has answered within 1.5 seconds when the metrics were read: 1 or 0.',
    ),
    databaseWaiting: gauge(
      'records_database_waiting',
      "Work that waits for SQLite's only writer, or for a connection to PostgreSQL.",
    ),
    databaseConnections: gauge(
      'records_database_connections',
      'Open connections to PostgreSQL that requests take in turn, `used` and `idle`. Those for pipelined reads, for signals and to standbys are not among them.',
      ['state'],
    ),
    commits: counter('records_commits_total', "Commits of SQLite's writer."),
    committedUnits: counter(
      'records_committed_units_total',
      'Units of work in these commits; divided by their number, how many writes share a commit.',
    ),
    streams: gauge('records_streams', 'Open streams of changes.'),
    outgoingBytes: gauge('records_outgoing_bytes', 'Bytes of large answers that clients have not taken yet.'),
    idsAhead: gauge(
      'records_ids_ahead_seconds',
      'Seconds by which the newest id is ahead of the clock. Above 60 the clock was or is wrong (docs/operations.md, a wrong clock).',
    ),
    added: new Map(
      added.map((metric) => {
        const { name, help, kind, labels } = metric;
        return [metric, (kind === 'seconds' ? histogram : counter)(name, help, labels)];
      }),
    ),
    info: gauge('records_info', 'Always 1; its labels say what runs.', ['version', 'node', 'database']),
  };
}

/** The metrics of a gateway with several workers, which its primary process reports. */
export function createWorkerSeries(registry: Registry) {
  const { counter, gauge } = seriesIn(registry);
  return {
    workers: gauge(
      'records_workers',
      'With WORKERS from 2 on: the workers that are `wanted`, and those of them that are `serving` and report their metrics.',
      ['state'],
    ),
    replaced: counter('records_workers_replaced_total', 'Workers that have ended unexpectedly.'),
  };
}
