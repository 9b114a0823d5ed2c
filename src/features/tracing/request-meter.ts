import type { IncomingMessage } from 'node:http';
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { EndedRequest, RequestMeter } from '../../change/observation.js';
import { withoutKeys } from '../../common/output.js';
import { attributes } from './attributes.js';

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
      span.setAttributes(attributesOf(request));
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

function attributesOf({ path, status, isAborted, requestId, keyId, observation }: EndedRequest): Attributes {
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
