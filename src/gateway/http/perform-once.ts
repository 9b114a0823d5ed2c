import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../../change/context.js';
import { noteOperation } from '../../change/observation.js';
import type { MaybePromise } from '../../common/maybe-promise.js';
import { type Answer, runIdempotently, storedAnswer } from '../../features/idempotency/run-idempotently.js';
import type { Asked, Operation } from '../../graphql/operation/admission.js';
import type { ErrorCode } from '../../model/errors/gateway-error.js';
import type { HttpAnswer } from './answer/send.js';
import { errorsOnly, type GraphqlAnswer, headersOf, type MediaType } from './graphql-result.js';

/**
 * Executes an operation; a mutation with an `Idempotency-Key` at most once. A replayed answer gets the media type that
 * the current request accepts. If any field of the mutation fails through a fault of the server, the whole mutation is
 * rolled back, and the answer holds only those errors, because the records of the other fields do not exist.
 */
export function performOnce(
  operation: Operation,
  context: RequestContext,
  { 'idempotency-key': key }: IncomingHttpHeaders,
  mediaType: MediaType,
  perform: (context: RequestContext) => MaybePromise<GraphqlAnswer>,
): MaybePromise<HttpAnswer> {
  if (typeof key !== 'string' || operation.kind !== 'mutation') return perform(context);
  // No field of it does anything. Without `userErrors` it would have been refused before, and its key is as free then.
  if (operation.problems.length > 0) return perform(context);
  noteOperation(context.observation, operation); // also needed where the stored answer is replayed
  const answered = runIdempotently(context, { key, parts: partsOf(operation) }, async (inner) => {
    const { errors, ...answer } = await perform(inner);
    const faults = errors.filter(({ extensions }) => codesOfFaults.has(extensions.code));
    const isFault = faults.length > 0 || answer.status >= 500;
    const { status, headers, body } = isFault ? errorsOnly(faults, mediaType, context.requestId) : answer;
    const codes = errors.map(({ extensions }) => String(extensions.code));
    return { answer: { status, headers, body, codes }, isFault };
  });
  return answered.then((answer) => inType(answer, mediaType));
}

/**
 * The answer stored for a mutation that the schema does not take any more: a client that repeats it after an upgrade
 * learns what it did. @throws `refusal` if nothing is stored
 */
export async function repeatedOnce(
  asked: Asked,
  context: RequestContext,
  { key, mediaType }: { key: string; mediaType: MediaType },
  refusal: unknown,
): Promise<HttpAnswer> {
  const stored = asked.kind === 'mutation' && (await storedAnswer(context, { key, parts: partsOf(asked) }));
  if (!stored) throw refusal;
  return inType(stored, mediaType);
}

const partsOf = ({ document, name, sent }: Asked) => [
  'GraphQL',
  JSON.stringify([document.loc?.source.body, name, sent]),
];

const inType = ({ headers, ...answer }: Answer, mediaType: MediaType): HttpAnswer => ({
  ...answer,
  headers: { ...headers, ...headersOf(mediaType) },
});

/** Codes of errors that are the server's fault; the HTTP status of GraphQL does not show them. */
const codesOfFaults: ReadonlySet<unknown> = new Set<ErrorCode>(['INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'TIMEOUT']);
