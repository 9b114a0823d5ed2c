import { context, type Span, SpanKind, TraceFlags, type Tracer, trace } from '@opentelemetry/api';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { WatchedStatement } from '../../database/statement-log.js';
import { attributes } from './attributes.js';
import { endWithError } from './in-span.js';

/**
 * The span of an SQL statement that a request needs, with waiting for its turn. What the gateway does by itself, such as
 * reading the journal every second, has none.
 */
export function statementSpan(tracer: Tracer, provider: Provider, sql: string): WatchedStatement | undefined {
  if (!trace.getSpan(context.active())) return undefined;
  // The convention names the databases as `Provider` does. Placeholders stand for the values.
  const of = { [attributes.database]: provider, [attributes.statement]: sql };
  const given = { kind: SpanKind.CLIENT, attributes: of };
  const span = tracer.startSpan(verbOf(sql), given);
  return {
    comment: commentOf(span),
    end: (error) => (error === undefined ? span.end() : endWithError(span, error)),
  };
}

const verbOf = (sql: string): string => /^\w{1,20}/.exec(sql)?.[0].toUpperCase() ?? 'SQL';

/**
 * The trace in the form of sqlcommenter, for the log and the views of PostgreSQL. Only where the trace is recorded:
 * a statement with a comment is planned anew each time.
 */
function commentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return traceFlags & TraceFlags.SAMPLED ? `/*traceparent='00-${traceId}-${spanId}-01'*/` : '';
}
