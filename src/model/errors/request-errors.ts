import { GatewayError } from './gateway-error.js';

/** The request cannot be taken: because of its form, its address, or the document it asks for. */
export const requestErrors = {
  /** A request that is refused before its operation is known. */
  badRequest: (reason: BadRequestReason, message: string = badRequestMessages[reason]) =>
    new GatewayError('BAD_REQUEST', message, { reason }),

  /** The message is defined by Apollo's protocol: its clients then send the text. */
  persistedQueryNotFound: () =>
    new GatewayError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound', { reason: 'persisted_query_not_found' }),

  /** The endpoint has ended for this key; `successor` is the address of the GraphQL operation that does the same. */
  endpointEnded: (name: string, sunset: Date, successor: string) =>
    new GatewayError(
      'ENDPOINT_ENDED',
      `This endpoint has ended for this API key on ${sunset.toISOString().slice(0, 10)}. The GraphQL operation ${name} does the same; it is at ${successor}.`,
      { reason: 'endpoint_ended', sunset: sunset.toISOString(), successor },
    ),

  /** The document does not contain the requested operation; the code is the one Apollo Server uses. */
  operationUnknown: (message: string) =>
    new GatewayError('OPERATION_RESOLUTION_FAILURE', message, { reason: 'operation_unknown' }),

  untrustedDocument: () =>
    new GatewayError('FORBIDDEN', 'This operation is not among the trusted documents of this gateway.', {
      reason: 'untrusted_document',
    }),
};

/** Each reason has its own HTTP status; see `src/gateway/http/answer/error-status.ts`. */
export type BadRequestReason = keyof typeof badRequestMessages;

const badRequestMessages = {
  json_invalid: 'The body is not valid JSON. Send one JSON object, in UTF-8.',
  idempotency_key_invalid: 'The header Idempotency-Key takes 1 to 255 visible ASCII characters, a UUID for example.',
  persisted_query_hash_mismatch:
    'The SHA-256 in `extensions.persistedQuery` is not that of the operation sent with it.',
  body_too_large: 'The body is larger than 1 MB. Send it in parts.',
  content_type_unsupported: 'Send the body as JSON, with the header `Content-Type: application/json`.',
  operation_missing: 'Send a GraphQL operation: {"query": "…"} as the body of a POST, or ?query=… in a GET.',
  parameters_invalid: 'The parameters of the request do not have the form that GraphQL over HTTP gives them.',
  mutation_by_get: 'GET and HEAD only read. Send a mutation by POST.',
  not_acceptable: 'Answers are JSON: accept application/json or application/graphql-response+json.',
  request_malformed: 'The request cannot be read as HTTP/1.1.',
  headers_too_large: 'The request line and the headers are larger than 16 kB. Send less in the address and in headers.',
  request_timeout: 'The request did not arrive in time. Send all of it within ten seconds, or in several requests.',
  expectation_failed: 'The header `Expect` takes only `100-continue`. Send the request without it.',
  host_invalid: 'The header `Host` must name one host; send it once.',
  route_not_found: 'There is nothing at this path. Those of REST begin with `/api/`; GraphQL is at `/graphql`.',
  webhooks_off: 'This gateway has no webhooks.',
  method_not_allowed: 'This path does not take this method; the header `Allow` says which it takes.',
};
