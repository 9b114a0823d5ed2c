import type { IncomingHttpHeaders } from 'node:http';
import { getOperationAST } from 'graphql';
import type { ErrorCode } from '../errors.js';
import { type Answer, once } from '../idempotency/once.js';
import type { GraphqlRequest } from './yoga.js';

/** Performs an operation, once per `Idempotency-Key` where it is a mutation that has one; a query is never kept. */
export function performOnce(
  request: GraphqlRequest,
  headers: IncomingHttpHeaders,
  perform: (request: GraphqlRequest) => Promise<Answer>,
): Promise<Answer> {
  const { 'idempotency-key': key } = headers;
  if (typeof key !== 'string' || !isMutation(request)) return perform(request);
  return once(request, { key, parts: ['GraphQL', JSON.stringify(request.operation)] }, async (context) => {
    const answer = await perform({ ...request, ...context });
    return { answer, isFault: isFault(answer) };
  });
}

function isMutation({ document, operation }: GraphqlRequest): boolean {
  return document !== undefined && getOperationAST(document, operation.operationName)?.operation === 'mutation';
}

/** Whether any part of the operation failed through no fault of the caller. The HTTP status does not tell. */
function isFault({ status, body = '{}' }: Answer): boolean {
  const { errors }: { errors?: { extensions?: { code?: string } }[] } = JSON.parse(body);
  return status >= 500 || (errors ?? []).some(({ extensions }) => faults.has(extensions?.code ?? ''));
}

const faults: ReadonlySet<string> = new Set<ErrorCode>(['INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'TIMEOUT']);
