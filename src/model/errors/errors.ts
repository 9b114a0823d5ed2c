import { counted } from '../../common/output.js';
import { invalidInput, refusal, restRows } from './error-rows.js';
import { type ErrorRow, GatewayError, quotedId } from './gateway-error.js';
import { invalid, listedProblems, type Problem } from './problem.js';

/**
 * The catalogue of the errors that callers may see; those of a feature are in its folder. Everything throws a `GatewayError`;
 * `/graphql` shows its `code` and `details` as `extensions`, and `rest/errors.ts` converts them to a body. Status and headers are
 * those of its row (`error-rows.ts`). Any other exception is a fault of the server: it is logged and masked.
 */
export const errors = {
  // The API key is missing or unknown, lacks a scope, or has used up what it may take.

  /** `instead` says how the key was sent instead, if it was; `takesTokens` that a token of a person will do. */
  apiKeyMissing: (instead?: string, takesTokens = false) =>
    refusal(
      'api_key_missing',
      `No API key${takesTokens ? ' and no token' : ''}. Send it in the header \`Authorization: Bearer <API_KEY>\`${instead ? `; ${instead}` : ''}.`,
    ),

  /** `isWrapped` says that it seems to be the name of a variable, or to stand in quotes or brackets. */
  apiKeyInvalid: (isWrapped = false) =>
    refusal(
      'api_key_invalid',
      isWrapped
        ? 'This is no API key: behind `Bearer` belongs the key itself, without quotes and brackets, and no name of a variable.'
        : 'This API key is unknown, expired or revoked. Ask whoever runs the gateway for another.',
    ),

  /** The caller is known but lacks the scopes in `missing`. */
  forbidden: (missing: readonly string[], isPerson = false, why = '') => {
    const lack = `${isPerson ? 'Your roles do not give you' : 'This API key lacks'} ${named(missing)}, which this needs.`;
    const reasons = [lack, why, isPerson && missing.includes('webhooks') ? onlyKeys : ''].filter(Boolean);
    return refusal('forbidden', reasons.join(' '), { missingScopes: missing });
  },

  /** No role of the caller allows this with the record, as it is or as it would become. */
  notAllowed: (title: string, actions: readonly string[]) =>
    refusal(
      'forbidden',
      actions.includes('create')
        ? `Your roles do not allow you to create such a record of ${title}.`
        : `Your roles do not allow you to ${actions.join(' and ')} this ${title} as it is, or as it would become.`,
    ),

  /** A value is given for a field that is hidden from the caller. */
  hiddenField: (path: string) =>
    refusal(
      'forbidden',
      `\`${path}\` is hidden from you, so you cannot write it. Leave it out, or send null as you have read it.`,
    ),

  /** A list is to be filtered or ordered by a field that is hidden from the caller. */
  hiddenComparison: ({ model, field }: { model: string; field: string }) =>
    refusal('forbidden', `\`${field}\` of ${model} is hidden from you, so nothing can be filtered or ordered by it.`),

  /** The key has used all its requests of this minute; the next minute begins in `retryAfter` seconds. */
  rateLimited: (limit: number, retryAfter: number, isPerson = false) =>
    refusal(
      'rate_limited',
      `${isPerson ? 'You have made your' : 'This API key has made its'} ${limit} requests of this minute. Try again in ${retryAfter} s.`,
      { limit, retryAfter },
    ),

  /** The key has `limit` streams already. */
  tooManyStreams: (limit: number, isPerson = false) =>
    refusal(
      'too_many_streams',
      `${isPerson ? 'You have' : 'This API key has'} ${counted(limit, 'stream')} open already. Close one, or watch several records by one stream.`,
      { limit, retryAfter: 15 },
    ),

  // The request cannot be taken: because of its form, its address, or the document it asks for.

  /** A request that is refused before its operation is known. */
  badRequest: refusal,

  /** The document does not contain the requested operation; the code is the one Apollo Server uses. */
  operationUnknown: (message: string) => refusal('operation_unknown', message),

  // Values of the input cannot be used, or records of a list cannot be changed; each has its problem.

  badInput,

  /** One value that cannot be used. */
  invalidAt: (path: Problem['path'], message: string) => badInput([invalid(path, message)]),

  /**
   * Records of a list that cannot be changed, the first of which `problems` lists. The first sets the code and the reason.
   */
  badItems: (problems: readonly Problem[]) => {
    const code = problems[0]?.code;
    const row = code === 'version_conflict' || code === 'invalid_state' ? restRows[code] : invalidInput;
    return refusedFor(problems, row, 'Nothing was changed; `errors` lists the records that cannot be changed.');
  },

  // The record is missing, or its state, or its version does not allow what is asked.

  /** No record of the type has this id. `title` is the record type's title. */
  notFound: (title: string, id: string) => refusal('resource_missing', `No ${title} has the id ${quotedId(id)}.`),

  /** A transition that the record's current state does not allow. */
  invalidState: (state: RefusedState & { target: string }) =>
    refusedState(
      state,
      state.current === state.target
        ? `This ${state.title} is already ${state.current}.`
        : `This ${state.title} is ${state.current} and cannot become ${state.target}.`,
    ),

  /** A change of a submitted or cancelled document, or of its lines, where LOCK_SUBMITTED forbids it. */
  locked: (state: RefusedState) =>
    refusedState(
      state,
      `This ${state.title} is ${state.current}, and this gateway keeps submitted documents and their lines as they are.`,
    ),

  /** The record has another version than the caller expects: it was changed after it was read. */
  versionConflict: (title: string, current: number) =>
    refusal(
      'version_conflict',
      `This ${title} is at version ${current}, not at the one you expect. Read it again and repeat the change.`,
      { currentVersion: current },
    ),

  // The operation, its work, its changes or its answer would be larger than the gateway allows.

  /** A GraphQL operation exceeds `limit`; `found` is its size if all of it was measured. */
  queryTooComplex: (measure: keyof typeof measures, limit: number, found?: number) =>
    refusal(
      'query_too_complex',
      `The operation is too complex: it may have ${limit} ${measures[measure]} at most${found === undefined ? '' : `, and comes to ${found}`}. ${measure === 'cost' ? askForLess : split}`,
      { measure, limit, ...(found === undefined ? {} : { found }) },
    ),

  /** The answer would exceed `limit` bytes. Nothing was changed. */
  answerTooLarge: (limit: number) =>
    refusal(
      'answer_too_large',
      `The answer would be larger than ${limit} bytes, so nothing was done. Ask for fewer records, or for fewer of their fields.`,
      { limit },
    ),

  /** The changes of the request come to more than `limit` records and lines, or characters of their texts. */
  tooMuchWritten: (measure: 'rows' | 'characters', limit: number) =>
    refusal(
      'query_too_complex',
      `A request may ${measure === 'rows' ? `create, change, move or delete ${limit} records and lines` : `write texts of ${limit} characters in all`} at most. This change would exceed that, so nothing of it was made. Send several requests.`,
      { measure, limit },
    ),

  /** More than `limit` fields of the query failed. */
  tooManyErrors: (limit: number) =>
    refusal(
      'query_too_complex',
      `The answer would have more than ${limit} errors. Ask for fewer of the fields that fail; ask for one of them alone to learn why.`,
      { measure: 'errors', limit },
    ),

  /** More than `limit` fields of the answer to a change failed; the change was made. */
  furtherErrors: (limit: number) =>
    refusal(
      'query_too_complex',
      `More than ${limit} fields of the answer failed, and all others that were not there yet were left out. This changes nothing of what was done. Ask for fewer of the fields that fail.`,
      { measure: 'errors', limit },
    ),

  // The gateway or its database cannot serve the request now, or did not in time, or has a fault: the caller can do nothing about it.

  /**
   * The request cannot be served now, but may succeed later. `limit` says which limit was met, in a sentence without its
   * full stop.
   */
  unavailable: (why: Unavailability, cause?: unknown, limit?: string) => {
    const reason = why === 'busy' || why === 'storage_full' ? why : 'database_unavailable';
    const details = passing.includes(why) ? {} : { retryAfter: untilMended };
    return refusal(reason, `${unavailable[why]}${limit ? ` ${limit}.` : ''}`, details, { cause });
  },

  /** The database was lost during a commit: the change may have been made or not. */
  outcomeUnknown: (cause?: unknown) =>
    refusal(
      'database_unavailable',
      'The database was lost while the change was being saved, so it may or may not have been made. Repeat the request with the same Idempotency-Key, or read the record before you repeat it.',
      {},
      { cause },
    ),

  timeout: (cause?: unknown) => refusal('timeout', undefined, {}, { cause }),

  /**
   * The stored state of a document is none of the three, because SQL written by hand has stored it. Without `id` it is
   * unknown which document it is.
   */
  unknownStatus: ({ title, id, stored }: { title: string; id: string | undefined; stored: string }) => {
    const text = JSON.stringify(stored.slice(0, 100));
    const message = `The status of ${id ? `the ${title} ${id}` : `some ${title}`} is stored as ${text}, which is not a state of a document. Correct it in the database; it must be draft, submitted or cancelled.`;
    return refusal('internal', message, id ? { recordId: id } : {}, { cause: new Error(message) });
  },

  /** A fault of the gateway. The cause is logged with the request id and never shown. */
  internal: (cause?: unknown) => refusal('internal', undefined, {}, { cause }),
};

const onlyKeys = 'Webhooks are managed with API keys only, because they deliver when nobody is signed in.';

const named = (scopes: readonly string[]): string =>
  `the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.map((scope) => `\`${scope}\``).join(' and ')}`;

/**
 * Invalid input; `problems` are the invalid values, of which the first ones are reported. The first sets the reason.
 */
function badInput(problems: readonly Problem[]): GatewayError {
  return refusedFor(problems, invalidInput, 'The input cannot be used; `errors` says what is wrong with it.');
}

const refusedFor = (problems: readonly Problem[], row: ErrorRow, message: string): GatewayError =>
  new GatewayError(problems[0]?.code ?? 'parameter_invalid', row, message, { problems: listedProblems(problems) });

/** A state of a document that does not allow what is asked. */
interface RefusedState {
  title: string;
  current: string;
  expected: string;
  allowed: string[];
}

const refusedState = ({ current, expected, allowed }: RefusedState, what: string): GatewayError =>
  refusal(
    'invalid_state',
    `${what} ${allowed.length > 0 ? `What it allows now: ${allowed.join(', ')}.` : 'This is its final state.'}`,
    { currentState: current, expectedState: expected, allowedActions: allowed },
  );

/** The measures of a GraphQL operation. */
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

/** Seconds after which to try again what waits for a person. */
const untilMended = 60;

const unavailable = {
  busy: 'The gateway is busy. Try again in a moment.',
  database_unavailable: 'The database cannot be reached. Try again in a moment.',
  storage_full: 'The database has no room left, so nothing can be written. Reading goes on.',
  read_only:
    'The database is read-only, so nothing is written: it is a standby, or was made read-only. Reading goes on.',
  damaged:
    'The database is damaged where this request needs it. Its operator finds out where with `records check`, and restores a backup. What does not need that part goes on.',
  gone: 'The database cannot be reached. Its file was removed, moved or replaced, so nothing is written. Reading goes on.',
  overwritten:
    'The database cannot be reached. Its file was truncated or overwritten by another program, so nothing is read or written.',
  number_taken:
    'A sequence of the database is behind the rows of its table, so nothing is written. Its operator starts a gateway again, which raises it.',
};

/** Why nothing, or not everything, can be read or written. */
export type Unavailability = keyof typeof unavailable;

/** What may end by itself; the rest lasts until somebody mends it. */
const passing: readonly Unavailability[] = ['busy', 'database_unavailable', 'read_only'];
