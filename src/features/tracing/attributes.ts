/**
 * The names of all attributes of spans, stated once. Those of OpenTelemetry's conventions are used where there are any:
 * https://opentelemetry.io/docs/specs/semconv/. None holds a value of a request.
 */
export const attributes = {
  method: 'http.request.method',
  path: 'url.path',
  status: 'http.response.status_code',
  errorType: 'error.type',
  operationName: 'graphql.operation.name',
  operationType: 'graphql.operation.type',
  statement: 'db.query.text',
  database: 'db.system.name',
  /** By which the log names the request. */
  requestId: 'records.request_id',
  /** The public id of the API key. */
  keyId: 'records.key_id',
  /** How the operation was answered: `sql`, `resolvers`, `introspection` or `replay`. */
  way: 'records.way',
  cost: 'records.cost',
  /** Why the whole request was refused. */
  reason: 'records.reason',
  /** The codes of the errors in the answer. */
  errorCodes: 'records.error_codes',
  isAborted: 'records.aborted',
} as const;
