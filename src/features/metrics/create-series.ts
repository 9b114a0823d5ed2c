/**
 * All metrics of the gateway, stated once. Labels have few values: an operation has its name only if REST or the trusted
 * documents know it, because a client could otherwise make a new series with each request.
 */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const counts = [0, 1, 2, 3, 5, 10, 20, 50, 100, 500, 1000];

export type Series = ReturnType<typeof createSeries>;

export function createSeries(registry: Registry) {
  const registers = [registry];
  return {
    requests: new Counter({
      name: 'records_requests_total',
      help: 'Requests by surface, operation, HTTP status (`aborted` where the client left) and way: `sql`, `resolvers`, `introspection`, `replay` or `none`.',
      labelNames: ['surface', 'operation', 'status', 'way'],
      registers,
    }),
    refusals: new Counter({
      name: 'records_refusals_total',
      help: 'Requests refused as a whole, by reason, such as `rate_limited` or `busy`.',
      labelNames: ['surface', 'reason'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'records_request_seconds',
      help: 'Seconds from the headers of a request to the end of its answer. Streams of changes are left out.',
      labelNames: ['surface', 'operation'],
      buckets: seconds,
      registers,
    }),
    operationStatements: new Histogram({
      name: 'records_operation_statements',
      help: 'SQL statements of a request that ran an operation.',
      labelNames: ['surface', 'operation'],
      buckets: counts,
      registers,
    }),
    statements: new Counter({
      name: 'records_sql_statements_total',
      help: 'SQL statements, whoever ran them.',
      registers,
    }),
    databaseUp: new Gauge({
      name: 'records_database_up',
      help: 'Whether the database has answered within 1.5 seconds when the metrics were read: 1 or 0.',
      registers,
    }),
    databaseWaiting: new Gauge({
      name: 'records_database_waiting',
      help: "Work that waits for SQLite's only writer, or for a connection to PostgreSQL.",
      registers,
    }),
    databaseConnections: new Gauge({
      name: 'records_database_connections',
      help: 'Open connections to PostgreSQL that requests take in turn, `used` and `idle`. Those for pipelined reads, for signals and to standbys are not among them.',
      labelNames: ['state'],
      registers,
    }),
    commits: new Counter({
      name: 'records_commits_total',
      help: "Commits of SQLite's writer.",
      registers,
    }),
    committedUnits: new Counter({
      name: 'records_committed_units_total',
      help: 'Units of work in these commits; divided by their number, how many writes share a commit.',
      registers,
    }),
    streams: new Gauge({ name: 'records_streams', help: 'Open streams of changes.', registers }),
    outgoingBytes: new Gauge({
      name: 'records_outgoing_bytes',
      help: 'Bytes of large answers that clients have not taken yet.',
      registers,
    }),
    idsAhead: new Gauge({
      name: 'records_ids_ahead_seconds',
      help: 'Seconds by which the newest id is ahead of the clock. Above 60 the clock was or is wrong (docs/operations.md, a wrong clock).',
      registers,
    }),
    deliveries: new Counter({
      name: 'records_deliveries_total',
      help: 'Attempts to deliver a message of a webhook, by HTTP status; `0` where there was no answer.',
      labelNames: ['status'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'records_delivery_seconds',
      help: 'Seconds of an attempt to deliver a message of a webhook.',
      buckets: seconds,
      registers,
    }),
    info: new Gauge({
      name: 'records_info',
      help: 'Always 1; its labels say what runs.',
      labelNames: ['version', 'node', 'database'],
      registers,
    }),
  };
}

/** The metrics of a gateway with several workers, which its primary process reports. */
export function createWorkerSeries(registry: Registry) {
  const registers = [registry];
  return {
    workers: new Gauge({
      name: 'records_workers',
      help: 'With WORKERS from 2 on: the workers that are `wanted`, and those of them that are `serving` and report their metrics.',
      labelNames: ['state'],
      registers,
    }),
    replaced: new Counter({
      name: 'records_workers_replaced_total',
      help: 'Workers that have ended unexpectedly.',
      registers,
    }),
  };
}
