/** Traces in the form of OpenTelemetry. The code needs its API only, which does nothing where no SDK is loaded. */
import type { IncomingMessage } from 'node:http';
import {
  type Attributes,
  context,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { EndedRequest, RequestMeter } from '../../change/observation.js';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { withoutKeys } from '../../common/output.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import type { WatchedStatement } from '../../database/statement-log.js';
import type { Execute } from '../../gateway/execution/executor.js';
import type { Watch } from '../../gateway/feature.js';
import type { Admission, Operation, Subscription } from '../../graphql/operation/admission.js';
import { attributes } from './attributes.js';

/** Undefined if nothing is registered that takes the spans. */
export function createTracing(version: string): Watch | undefined {
  const provider = trace.getTracerProvider();
  const isTaken = !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(name) !== undefined;
  return isTaken ? tracingWith(trace.getTracer(name, version)) : undefined;
}

const tracingWith = (tracer: Tracer): Watch => ({
  meter: (request) => requestSpan(tracer, request),
  admission: (admission) => tracedAdmission(tracer, admission),
  execute: (execute) => tracedExecute(tracer, execute),
  statements: (provider) => (sql) => statementSpan(tracer, provider, sql),
});

const name = 'business-records-gateway';

/** The span of a request, from its headers to the end of its answer. It continues the trace that the request brings. */
export function requestSpan(tracer: Tracer, { headers, method = '' }: IncomingMessage): RequestMeter {
  const given = { kind: SpanKind.SERVER, attributes: { [attributes.method]: method } };
  const brought = propagation.extract(ROOT_CONTEXT, headers);
  const span = tracer.startSpan(method, given, brought);
  const inside = trace.setSpan(brought, span);
  return {
    run: (work) => context.with(inside, work),
    end: (request) => {
      span.updateName(nameOf(request));
      span.setAttributes(attributesOfRequest(request));
      if (request.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** A name that clients cannot choose: `GET IndustryTypeList`, `POST /graphql`, or the method alone. */
function nameOf({ method = '', path, observation: { operation } }: EndedRequest): string {
  if (path === '/graphql') return `${method} ${path}`;
  return operation === undefined ? method : `${method} ${operation}`;
}

function attributesOfRequest({ path, status, isAborted, requestId, keyId, observation }: EndedRequest): Attributes {
  const { operation, kind, way, errors, reason } = observation;
  return {
    [attributes.path]: withoutKeys(path),
    [attributes.status]: status,
    [attributes.requestId]: withoutKeys(requestId),
    [attributes.keyId]: keyId,
    [attributes.operationName]: operation && withoutKeys(operation),
    [attributes.operationType]: kind,
    [attributes.way]: way,
    [attributes.errorCodes]: errors && [...errors],
    [attributes.reason]: reason,
    [attributes.isAborted]: isAborted || undefined,
    [attributes.errorType]: status >= 500 ? String(status) : undefined,
  };
}

/**
 * The span of an SQL statement that a request needs, with waiting for its turn. What the gateway does by itself, such as
 * reading the journal every second, has none.
 */
function statementSpan(tracer: Tracer, provider: Provider, sql: string): WatchedStatement | undefined {
  if (!trace.getSpan(context.active())) return undefined;
  // The convention names the databases as `Provider` does. Placeholders stand for the values.
  const of = { [attributes.database]: provider, [attributes.statement]: sql };
  const given = { kind: SpanKind.CLIENT, attributes: of };
  const span = tracer.startSpan(/^\w{1,20}/.exec(sql)?.[0].toUpperCase() ?? 'SQL', given);
  return {
    comment: commentOf(span),
    end: (error) => (error === undefined ? span.end() : endWithError(span, error)),
  };
}

/**
 * The trace in the form of sqlcommenter, for the log and the views of PostgreSQL. Only where the trace is recorded:
 * a statement with a comment is planned anew each time.
 */
function commentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return traceFlags & TraceFlags.SAMPLED ? `/*traceparent='00-${traceId}-${spanId}-01'*/` : '';
}

/** The spans inside a request: the admission of its operation, and the execution. */
function tracedAdmission(tracer: Tracer, admission: Admission): Admission {
  /** Admission never waits. */
  const admit = <Admitted extends Operation | Subscription>(work: () => Admitted): Admitted => {
    let admitted: Admitted | undefined;
    inSpan(tracer, 'admit', {}, (span) => {
      admitted = work();
      span.setAttributes(attributesOf(admitted));
    });
    if (!admitted) throw new Error('Admission returns an operation or throws');
    return admitted;
  };
  return {
    fromRequest: (...given) => admit(() => admission.fromRequest(...given)),
    fromStreamRequest: (...given) => admit(() => admission.fromStreamRequest(...given)),
    askedBy: admission.askedBy,
    fromStored: (...given) => admit(() => admission.fromStored(...given)),
    subscriptionFromStored: (...given) => admit(() => admission.subscriptionFromStored(...given)),
  };
}

const tracedExecute =
  (tracer: Tracer, execute: Execute): Execute =>
  (operation, context) =>
    inSpan(tracer, 'execute', attributesOf(operation), () => execute(operation, context));

const attributesOf = ({ name, kind, cost }: Operation | Subscription): Attributes => ({
  [attributes.operationName]: name,
  [attributes.operationType]: kind,
  [attributes.cost]: cost.requested,
});

/**
 * Runs `work` in a span of its own, which ends with it. An error is recorded by its name only, because messages hold
 * values.
 */
function inSpan<Result>(
  tracer: Tracer,
  name: string,
  given: Attributes,
  work: (span: Span) => MaybePromise<Result>,
): MaybePromise<Result> {
  const span = tracer.startSpan(name, { attributes: given });
  return recoverWith(
    () =>
      whenResolved(
        context.with(trace.setSpan(context.active(), span), () => work(span)),
        (result) => {
          span.end();
          return result;
        },
      ),
    (error) => {
      endWithError(span, error);
      throw error;
    },
  );
}

function endWithError(span: Span, error: unknown): void {
  span.setAttribute(attributes.errorType, error instanceof Error ? error.name : 'unknown');
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
