/** Traces in the form of OpenTelemetry. The code needs its API only, which does nothing where no SDK is loaded. */
import type { IncomingMessage } from 'node:http';
import { ProxyTracerProvider, type Tracer, trace } from '@opentelemetry/api';
import type { RequestMeter } from '../../change/observation.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { WatchStatement } from '../../database/statement-log.js';
import type { Execute } from '../../gateway/execution/executor.js';
import type { Admission } from '../../graphql/operation/admission.js';
import { tracedAdmission, tracedExecute } from './operation-spans.js';
import { requestSpan } from './request-meter.js';
import { statementSpan } from './statement-span.js';

/** What is put around the parts of the gateway. */
export interface Tracing {
  meter(request: IncomingMessage): RequestMeter;
  admission(admission: Admission): Admission;
  execute(execute: Execute): Execute;
  watchStatements(provider: Provider): WatchStatement;
}

/** Undefined if nothing is registered that takes the spans. */
export function createTracing(version: string): Tracing | undefined {
  return isTaken() ? tracingWith(trace.getTracer(name, version)) : undefined;
}

const tracingWith = (tracer: Tracer): Tracing => ({
  meter: (request) => requestSpan(tracer, request),
  admission: (admission) => tracedAdmission(tracer, admission),
  execute: (execute) => tracedExecute(tracer, execute),
  watchStatements: (provider) => (sql) => statementSpan(tracer, provider, sql),
});

function isTaken(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(name) !== undefined;
}

const name = 'business-records-gateway';
