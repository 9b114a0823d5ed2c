import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../context.js';
import type { ErrorCode } from '../errors.js';
import { once } from '../idempotency/once.js';
import { noteOperation } from '../observation.js';
import type { Operation } from '../operation/admission.js';
import type { MaybePromise } from '../when-there.js';
import type { GraphqlAnswer } from './graphql-result.js';
import type { Sendable } from './send.js';

/** Performs an operation, once per `Idempotency-Key` where it is a mutation that has one; a query is never kept. */
export function performOnce(
  operation: Operation,
  context: RequestContext,
  { 'idempotency-key': key }: IncomingHttpHeaders,
  perform: (context: RequestContext) => MaybePromise<GraphqlAnswer>,
): MaybePromise<Sendable> {
  if (typeof key !== 'string' || operation.kind !== 'mutation') return perform(context);
  noteOperation(context.observation, operation); // also where the stored answer is sent again
  const { document, name, variables } = operation;
  const parts = ['GraphQL', JSON.stringify([document.loc?.source.body, name, variables])];
  return once(context, { key, parts }, async (inner) => {
    const { codes, ...answer } = await perform(inner);
    return { answer, isFault: answer.status >= 500 || codes.some((code) => faults.has(code)) };
  });
}

/** What is wrong through no fault of the caller; the HTTP status does not tell. */
const faults: ReadonlySet<unknown> = new Set<ErrorCode>(['INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'TIMEOUT']);
