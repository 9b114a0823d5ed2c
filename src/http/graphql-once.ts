import type { IncomingHttpHeaders } from 'node:http';
import { getOperationAST, parse } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { RequestContext } from '../context.js';
import type { ErrorCode } from '../errors.js';
import { type Answer, once } from '../idempotency/once.js';

/** Performs an operation, once per `Idempotency-Key` where it is a mutation that has one; a query is never kept. */
export function performOnce(
  context: RequestContext,
  headers: IncomingHttpHeaders,
  operation: GraphQLParams,
  perform: (context: RequestContext) => Promise<Answer>,
): Promise<Answer> {
  const { 'idempotency-key': key, authorization: secret = '' } = headers;
  if (typeof key !== 'string' || !isMutation(operation)) return perform(context);
  return once(context, { key, parts: ['GraphQL', JSON.stringify(operation)], secret }, async (inner) => {
    const answer = await perform(inner);
    return { answer, isFault: isFault(answer) };
  });
}

function isMutation({ query, operationName }: GraphQLParams): boolean {
  if (typeof query !== 'string') return false;
  try {
    return getOperationAST(parse(query), operationName)?.operation === 'mutation';
  } catch {
    return false; // Yoga says what is wrong with it.
  }
}

/** Whether any part of the operation failed through no fault of the caller. The HTTP status does not tell. */
function isFault({ status, body = '{}' }: Answer): boolean {
  const { errors }: { errors?: { extensions?: { code?: string } }[] } = JSON.parse(body);
  return status >= 500 || (errors ?? []).some(({ extensions }) => faults.has(extensions?.code ?? ''));
}

const faults: ReadonlySet<string> = new Set<ErrorCode>(['INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'TIMEOUT']);
