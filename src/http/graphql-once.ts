import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../context.js';
import type { ErrorCode } from '../errors.js';
import { once } from '../idempotency/once.js';
import { noteOperation } from '../observation.js';
import type { Operation } from '../operation/admission.js';
import type { MaybePromise } from '../when-there.js';
import { errorsOnly, type GraphqlAnswer, headersOf, type MediaType } from './graphql-result.js';
import type { Sendable } from './send.js';

/**
 * Performs an operation, once per `Idempotency-Key` where it is a mutation that has one; a query is never kept. An answer
 * that is sent again has the media type that is asked for now. Where any part of the mutation fails through a fault of
 * ours all of it is undone, so the answer tells of that fault alone and of no record that is not there.
 */
export function performOnce(
  operation: Operation,
  context: RequestContext,
  { 'idempotency-key': key }: IncomingHttpHeaders,
  mediaType: MediaType,
  perform: (context: RequestContext) => MaybePromise<GraphqlAnswer>,
): MaybePromise<Sendable> {
  if (typeof key !== 'string' || operation.kind !== 'mutation') return perform(context);
  noteOperation(context.observation, operation); // also where the stored answer is sent again
  const { document, name, variables } = operation;
  const parts = ['GraphQL', JSON.stringify([document.loc?.source.body, name, variables])];
  const answered = once(context, { key, parts }, async (inner) => {
    const { errors, ...answer } = await perform(inner);
    const faults = errors.filter(({ extensions }) => codesOfFaults.has(extensions.code));
    const isFault = faults.length > 0 || answer.status >= 500;
    const { status, headers, body } = isFault ? errorsOnly(faults, mediaType, context.requestId) : answer;
    const codes = errors.map(({ extensions }) => String(extensions.code));
    return { answer: { status, headers, body, codes }, isFault };
  });
  return answered.then(({ headers, ...answer }) => ({ ...answer, headers: { ...headers, ...headersOf(mediaType) } }));
}

/** What is wrong through no fault of the caller; the HTTP status does not tell. */
const codesOfFaults: ReadonlySet<unknown> = new Set<ErrorCode>(['INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'TIMEOUT']);
