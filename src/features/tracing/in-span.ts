import { type Attributes, context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { type MaybePromise, recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { attributes } from './attributes.js';

/**
 * Runs `work` in a span of its own, which ends with it. An error is recorded by its name only, because messages hold
 * values.
 */
export function inSpan<Result>(
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

export function endWithError(span: Span, error: unknown): void {
  span.setAttribute(attributes.errorType, error instanceof Error ? error.name : 'unknown');
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
