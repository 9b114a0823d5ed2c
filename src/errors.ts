/**
 * The catalogue of all errors that callers may see. Everything throws a `GatewayError`; `/graphql` shows its `code` and
 * `details` as `extensions`, and `rest/errors.ts` converts them to a status and a body. Any other exception is a fault
 * of the server: it is logged and masked.
 */

/** Kinds of errors, each with its possible reasons, which are the codes of REST. */
export type ErrorCode =
  | 'UNAUTHENTICATED' // api_key_missing, api_key_invalid
  | 'FORBIDDEN' // forbidden
  | 'BAD_REQUEST' // json_invalid and other malformed requests
  | 'OPERATION_RESOLUTION_FAILURE' // operation_unknown
  | 'BAD_USER_INPUT' // the reasons of Problem
  | 'NOT_FOUND' // resource_missing
  | 'HISTORY_INCOMPLETE' // history_incomplete
  | 'ENDPOINT_ENDED' // endpoint_ended
  | 'INVALID_STATE' // invalid_state
  | 'VERSION_CONFLICT' // version_conflict
  | 'IDEMPOTENCY_CONFLICT' // idempotency_key_reused, idempotency_key_in_use, idempotency_answer_sealed
  | 'PERSISTED_QUERY_NOT_FOUND' // persisted_query_not_found
  | 'QUERY_TOO_COMPLEX' // query_too_complex, answer_too_large
  | 'RATE_LIMITED' // rate_limited, too_many_streams
  | 'UNAVAILABLE' // busy, database_unavailable, storage_full
  | 'TIMEOUT' // timeout
  | 'INTERNAL_SERVER_ERROR'; // internal

/** A problem with one value of the input. */
export interface Problem {
  /**
   * The location: names and 0-based positions from the operation's argument inwards, such as `['input',
   * 'consumedItems', 2, 'qty']`.
   */
  path: (string | number)[];
  code: ProblemCode;
  /**
   * What is wrong and what to send, as the end of a sentence that begins with the name: `must be a number, not a
   * string`.
   */
  message: string;
  /** Further details for programs, with camelCase names, such as the `missing` and `unexpected` ids of a reorder. */
  details?: Record<string, unknown>;
  /** Whether a limit is exceeded, beyond which the input is not checked. */
  isTooMuch?: true;
  /** Whether the value is passed to another field of the operation than the refused one. */
  isElsewhere?: true;
}

/** The most problems reported, so that the answer to a hostile body is not longer than the body. */
export const mostProblems = 50;

export type ProblemCode =
  | 'parameter_missing'
  | 'parameter_unknown'
  | 'parameter_invalid'
  | 'parameter_immutable'
  | 'resource_missing'
  | 'reorder_mismatch'
  | 'version_conflict'
  | 'invalid_state';

/**
 * An error as the caller sees it: `message` for people, `code` and `details` for programs. It must not contain a
 * secret.
 */
export class GatewayError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** `reason` is the REST code; `problems` lists every invalid value; all other members are passed on unchanged. */
    readonly details: { reason: string; problems?: Problem[]; [name: string]: unknown },
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'GatewayError';
  }
}

/** Characters of an id that a message repeats: a client may send a long one, and ask for it many times. */
export const longestShownId = 255;
export const shownId = (id: string): string => (id.length > longestShownId ? `${id.slice(0, longestShownId)}…` : id);
export const quotedId = (id: string): string => JSON.stringify(shownId(id));

export const errors = {
  apiKeyMissing: () =>
    new GatewayError('UNAUTHENTICATED', 'No API key. Send it in the header `Authorization: Bearer <API_KEY>`.', {
      reason: 'api_key_missing',
    }),

  apiKeyInvalid: () =>
    new GatewayError(
      'UNAUTHENTICATED',
      'This API key is unknown, expired or revoked. Ask whoever runs the gateway for another.',
      { reason: 'api_key_invalid' },
    ),

  /** The key is valid but lacks the scopes in `missing`. */
  forbidden: (missing: readonly string[]) =>
    new GatewayError('FORBIDDEN', `This API key lacks ${named(missing)}, which this needs.`, {
      reason: 'forbidden',
      missingScopes: missing,
    }),

  /** A request that is refused before its operation is known. */
  badRequest: (reason: BadRequestReason, message: string = badRequestMessages[reason]) =>
    new GatewayError('BAD_REQUEST', message, { reason }),

  /**
   * Invalid input; `problems` are the invalid values, of which the first ones are reported. The first sets the reason.
   */
  badInput: (problems: readonly Problem[]) =>
    new GatewayError('BAD_USER_INPUT', 'The input cannot be used; `errors` says what is wrong with it.', {
      reason: problems[0]?.code ?? 'parameter_invalid',
      problems: problems.slice(0, mostProblems),
    }),

  /**
   * Records of a list that cannot be changed; `problems` lists each. The first problem sets the code and the reason.
   */
  badItems: (problems: Problem[]) =>
    new GatewayError(
      itemCodes[problems[0]?.code ?? 'parameter_invalid'] ?? 'BAD_USER_INPUT',
      'Nothing was changed; `errors` lists the records that cannot be changed.',
      { reason: problems[0]?.code ?? 'parameter_invalid', problems },
    ),

  /** No record of the type has this id. `title` is the record type's title. */
  notFound: (title: string, id: string) =>
    new GatewayError('NOT_FOUND', `No ${title} has the id ${quotedId(id)}.`, { reason: 'resource_missing' }),

  /**
   * The journal does not have every change of a record since `asOf`. `knownFrom` is the earliest instant at which the
   * record is known; undefined if there is none.
   */
  historyIncomplete: (title: string, asOf: Date, knownFrom?: Date) =>
    new GatewayError(
      'HISTORY_INCOMPLETE',
      `It is not known what this ${title} was at ${asOf.toISOString()}: changes that were made since then are no longer kept, or were made while the journal was turned off. ${knownFrom ? `Ask for ${knownFrom.toISOString()} or later.` : 'No earlier instant is known either.'}`,
      { reason: 'history_incomplete', ...(knownFrom ? { knownFrom: knownFrom.toISOString() } : {}) },
    ),

  /** A transition that the record's current state does not allow. */
  invalidState: (state: { title: string; target: string; current: string; expected: string; allowed: string[] }) =>
    new GatewayError(
      'INVALID_STATE',
      (state.current === state.target
        ? `This ${state.title} is already ${state.current}. `
        : `This ${state.title} is ${state.current} and cannot become ${state.target}. `) +
        (state.allowed.length > 0 ? `What it allows now: ${state.allowed.join(', ')}.` : 'This is its final state.'),
      {
        reason: 'invalid_state',
        currentState: state.current,
        expectedState: state.expected,
        allowedActions: state.allowed,
      },
    ),

  /** A change of a submitted or cancelled document, or of its lines, where LOCK_SUBMITTED forbids it. */
  locked: (state: { title: string; current: string; expected: string; allowed: string[] }) =>
    new GatewayError(
      'INVALID_STATE',
      `This ${state.title} is ${state.current}, and this gateway keeps submitted documents and their lines as they are. ` +
        (state.allowed.length > 0 ? `What it allows now: ${state.allowed.join(', ')}.` : 'This is its final state.'),
      {
        reason: 'invalid_state',
        currentState: state.current,
        expectedState: state.expected,
        allowedActions: state.allowed,
      },
    ),

  /** The record has another version than the caller expects: it was changed after it was read. */
  versionConflict: (title: string, current: number) =>
    new GatewayError(
      'VERSION_CONFLICT',
      `This ${title} is at version ${current}, not at the one you expect. Read it again and repeat the change.`,
      { reason: 'version_conflict', currentVersion: current },
    ),

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

  idempotencyKeyReused: () =>
    new GatewayError(
      'IDEMPOTENCY_CONFLICT',
      'This Idempotency-Key belongs to another request. Use a new key for a new request, and the same body for a repeated one.',
      { reason: 'idempotency_key_reused' },
    ),

  idempotencyKeyInUse: () =>
    new GatewayError(
      'IDEMPOTENCY_CONFLICT',
      'The first request with this Idempotency-Key is still under way. Try again in a moment.',
      { reason: 'idempotency_key_in_use' },
    ),

  /** The request was executed with this API key, but with an earlier secret. */
  idempotencyAnswerSealed: () =>
    new GatewayError(
      'IDEMPOTENCY_CONFLICT',
      'This request was executed before, but its answer is encrypted with an earlier secret of this API key and cannot be read. Check whether its effect is there; to execute it again, send a new Idempotency-Key.',
      { reason: 'idempotency_answer_sealed' },
    ),

  /** A GraphQL operation exceeds `limit`; `found` is its size if all of it was measured. */
  queryTooComplex: (measure: OperationMeasure, limit: number, found?: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The operation is too complex: it may have ${limit} ${measures[measure]} at most${found === undefined ? '' : `, and comes to ${found}`}. ${measure === 'cost' ? askForLess : split}`,
      { reason: 'query_too_complex', measure, limit, ...(found === undefined ? {} : { found }) },
    ),

  /** The answer would exceed `limit` bytes. Nothing was changed. */
  answerTooLarge: (limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The answer would be larger than ${limit} bytes, so nothing was done. Ask for fewer records, or for fewer of their fields.`,
      { reason: 'answer_too_large', limit },
    ),

  /** A record as it was cannot be found, because more was changed since then than is undone for one answer. */
  tooManyChanges: (limit: number, bytes: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `More was changed since then than is undone for one answer: ${limit} changes of the record and its lines, or ${bytes} bytes of values. Ask for a later instant, or for fewer lists of lines.`,
      { reason: 'query_too_complex', measure: 'changes', limit },
    ),

  /** Conditions and orders of lines of the past take more comparisons than one request may make. */
  tooManyComparisons: (limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The conditions and orders of lines as they were take more than ${limit} comparisons. Ask with fewer of them, or of fewer records.`,
      { reason: 'query_too_complex', measure: 'comparisons', limit },
    ),

  /** The changes of the request come to more than `limit` records and lines, or characters of their texts. */
  tooMuchWritten: (measure: 'rows' | 'characters', limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `A request may ${measure === 'rows' ? `create, change, move or delete ${limit} records and lines` : `write texts of ${limit} characters in all`} at most. This change would exceed that, so nothing of it was made. Send several requests.`,
      { reason: 'query_too_complex', measure, limit },
    ),

  /** More than `limit` fields of the query failed. */
  tooManyErrors: (limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `The answer would have more than ${limit} errors. Ask for fewer of the fields that fail; ask for one of them alone to learn why.`,
      { reason: 'query_too_complex', measure: 'errors', limit },
    ),

  /** More than `limit` fields of the answer to a change failed; the change was made. */
  furtherErrors: (limit: number) =>
    new GatewayError(
      'QUERY_TOO_COMPLEX',
      `More than ${limit} fields of the answer failed, and all others that were not there yet were left out. This changes nothing of what was done. Ask for fewer of the fields that fail.`,
      { reason: 'query_too_complex', measure: 'errors', limit },
    ),

  /** The key has used all its requests of this minute; the next minute begins in `retryAfter` seconds. */
  rateLimited: (limit: number, retryAfter: number) =>
    new GatewayError(
      'RATE_LIMITED',
      `This API key has made its ${limit} requests of this minute. Try again in ${retryAfter} s.`,
      { reason: 'rate_limited', limit, retryAfter },
    ),

  /** The key has `limit` streams already. */
  tooManyStreams: (limit: number) =>
    new GatewayError(
      'RATE_LIMITED',
      `This API key has ${limit} streams open already. Close one, or watch several records by one stream.`,
      { reason: 'too_many_streams', limit, retryAfter: 15 },
    ),

  /** The request cannot be served now, but may succeed later. */
  /** `limit` says which limit was met, in a sentence without its full stop. */
  unavailable: (reason: 'busy' | 'database_unavailable' | 'storage_full', cause?: unknown, limit?: string) =>
    new GatewayError(
      'UNAVAILABLE',
      `${unavailableMessages[reason]}${limit ? ` ${limit}.` : ''}`,
      { reason },
      { cause },
    ),

  /** The database was lost during a commit: the change may have been made or not. */
  outcomeUnknown: (cause?: unknown) =>
    new GatewayError(
      'UNAVAILABLE',
      'The database was lost while the change was being saved, so it may or may not have been made. Repeat the request with the same Idempotency-Key, or read the record before you repeat it.',
      { reason: 'database_unavailable' },
      { cause },
    ),

  timeout: (cause?: unknown) =>
    new GatewayError(
      'TIMEOUT',
      'The request took too long and was stopped. Nothing of it was kept.',
      { reason: 'timeout' },
      { cause },
    ),

  /** The stored state of a document, or of some where there is no `id`, is none of the three: SQL written by hand has stored it. */
  unknownStatus: ({ title, id, stored }: { title: string; id: string | undefined; stored: string }) => {
    const text = JSON.stringify(stored.slice(0, 100));
    const message = `The status of ${id ? `the ${title} ${id}` : `some ${title}`} is stored as ${text}, which is not a state of a document. Correct it in the database; it must be draft, submitted or cancelled.`;
    const details = { reason: 'internal', ...(id ? { recordId: id } : {}) };
    return new GatewayError('INTERNAL_SERVER_ERROR', message, details, { cause: new Error(message) });
  },

  /** A fault of the gateway. The cause is logged with the request id and never shown. */
  internal: (cause?: unknown) =>
    new GatewayError(
      'INTERNAL_SERVER_ERROR',
      'Something went wrong in the gateway. Its log has the cause, under the request id.',
      { reason: 'internal' },
      { cause },
    ),
};

const itemCodes: Partial<Record<ProblemCode, ErrorCode>> = {
  version_conflict: 'VERSION_CONFLICT',
  invalid_state: 'INVALID_STATE',
};

/** Each reason has its own HTTP status; see `src/http/answer/error-status.ts`. */
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
  host_invalid: 'The header `Host` must name one host; send it once.',
  route_not_found: 'There is nothing at this path. Those of REST begin with `/api/`; GraphQL is at `/graphql`.',
  webhooks_off: 'This gateway has no webhooks.',
  method_not_allowed: 'This path does not take this method; the header `Allow` says which it takes.',
};

/** The measures of a GraphQL operation. */
export type OperationMeasure = keyof typeof measures;

const measures = {
  lines: 'lines of text',
  tokens: 'tokens',
  name: 'characters in a name',
  brackets: 'brackets open at a time',
  pairs: 'pairs of fields of the same name',
  fragments: 'fragments',
  aliases: 'aliases',
  directives: 'directives',
  depth: 'fields within fields',
  root_fields: 'root fields',
  previews: 'times `previewAction`',
  characters: 'characters in its arguments, each variable counted as often as it is named,',
  cost: 'values to find and to answer',
};

const split = 'Send several smaller operations.';
const askForLess =
  'Ask for fewer records by `first` or `limit`, for fewer fields, with fewer conditions on lines, or in several operations.';

const named = (scopes: readonly string[]): string =>
  `the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;

const unavailableMessages = {
  busy: 'The gateway is busy. Try again in a moment.',
  database_unavailable: 'The database cannot be reached. Try again in a moment.',
  storage_full: 'The database has no room left, so nothing can be written. Reading goes on.',
};
