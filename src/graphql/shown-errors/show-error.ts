import { type ASTNode, type DocumentNode, GraphQLError, isValueNode, Kind, print, visit } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { noteErrors } from '../../change/observation.js';
import { loggedError, type WorkLog } from '../../common/output.js';
import { answerLimitIn } from '../../database/answer-limit.js';
import { adapterErrorOf, databaseProblem, isOutcomeUnknown } from '../../database/database-problem.js';
import { catalogue } from '../../model/catalogue.js';
import { errors } from '../../model/errors/errors.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Problem } from '../../model/errors/problem.js';
import { actions, isStatus } from '../../model/lifecycle.js';
import { enumName } from '../../model/names.js';
import type { UserError } from '../../model/selection.js';

/**
 * Formats an error for a GraphQL client. A `GatewayError` is shown as it is; a failing database is UNAVAILABLE or
 * TIMEOUT; any other exception of a resolver is logged with the request id and masked. GraphQL's own errors about a
 * document are shown without the values they quote.
 */
export function showError(error: GraphQLError, { log }: Pick<RequestContext, 'log'>): GraphQLError {
  const thrown = error.originalError;
  if (!thrown && !(error instanceof GatewayError)) return withFewLocations(withoutValues(error));
  const known = knownError(thrown ?? error);
  logFailure(log, known, { path: error.path });
  const { reason, problems, ...details } = known.details;
  return new GraphQLError(messageAt(problems?.[0] ? sentenceOf(problems[0]) : known.message, error.nodes), {
    nodes: firstNodes(error.nodes),
    path: error.path?.length === 0 ? undefined : error.path,
    originalError: known,
    extensions: {
      code: known.code,
      reason,
      ...shownDetails(details),
      ...(problems ? { errors: problems.map(errorEntryOf) } : {}),
    },
  });
}

/** Actions as the enum `RecordAction` names them, states as `DocumentStatus` does. */
function shownDetails(details: Readonly<Record<string, unknown>> = {}): object {
  const { allowedActions, currentState, expectedState } = details;
  if (!Array.isArray(allowedActions)) return details;
  return {
    ...details,
    ...(currentState === undefined ? {} : { currentState: shownState(currentState) }),
    ...(expectedState === undefined ? {} : { expectedState: shownState(expectedState) }),
    allowedActions: allowedActions.map((action) => enumName(String(action))),
  };
}

/** A text that is no state stays as it is stored. */
export const shownState = <State>(state: State): State | string => (isStatus(state) ? enumName(state) : state);

/** Converts any error to one of the catalogue. */
export function knownError(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (isOutcomeUnknown(error)) return errors.outcomeUnknown(error);
  const answerLimit = answerLimitIn(error);
  if (answerLimit !== undefined) return errors.answerTooLarge(answerLimit);
  const problem = databaseProblem(error);
  if (problem === 'timeout') return errors.timeout(error);
  if (problem === 'conflict') return errors.unavailable('busy', error);
  if (problem === 'busy') return errors.unavailable('busy', error, waitIn(error));
  return problem ? errors.unavailable(problem, error) : errors.internal(error);
}

/** What the request has waited for in vain, if its error says so. */
function waitIn(error: unknown): string | undefined {
  if (error instanceof Error && error.message === poolTimeout)
    return 'No connection to the database became free in time';
  return /^The (read|request) has waited .*/.exec(adapterErrorOf(error)?.cause.originalMessage ?? '')?.[0];
}

/** The message of the driver. */
const poolTimeout = 'timeout exceeded when trying to connect';

/** Such as `input.consumedItems[2].itemCode`. */
export function nameOf(path: Problem['path']): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${part}` : part),
    '',
  );
}

const errorEntryOf = (problem: Problem) => ({
  param: nameOf(problem.path),
  code: problem.code,
  message: sentenceOf(problem),
  more: problem.more,
  ...shownDetails(problem.details),
});

/** What is wrong with a value, as a sentence. Without a path it is about the whole input. */
export const sentenceOf = ({ path, message }: Pick<Problem, 'path' | 'message'>): string =>
  `${path.length === 0 ? 'The input' : `\`${nameOf(path)}\``} ${message}.`.replace(/\?\.$/, '?');

/** The places of one error that are listed: a field that is selected 3,000 times has as many. */
const mostLocations = 50;

/** The first nodes of an error, whose places are listed. */
const firstNodes = (nodes: readonly ASTNode[] | undefined): readonly ASTNode[] | undefined =>
  nodes?.slice(0, mostLocations);

/** The message of an error at these nodes, with the number of those that are not listed. */
function messageAt(message: string, nodes: readonly ASTNode[] = []): string {
  const more = nodes.length - mostLocations;
  return more > 0 ? `${message} There ${more === 1 ? 'is 1 more place' : `are ${more} more places`} of it.` : message;
}

export function withFewLocations(error: GraphQLError): GraphQLError {
  const { message, nodes } = error;
  if ((nodes?.length ?? 0) <= mostLocations) return error;
  return new GraphQLError(messageAt(message, nodes), { nodes: firstNodes(nodes), extensions: error.extensions });
}

/** Milliseconds for which a cause that concerns all requests, and not this one, is not logged again. */
const toldFor = 60_000;
const told = new Map<string, number>();

/**
 * Logs the cause of an error of the catalogue, if it has one. It is no failure that a request is stopped because its client
 * has disconnected.
 */
export function logFailure(log: WorkLog, known: GatewayError, details: object = {}): void {
  const { code, cause, message } = known;
  if (cause === undefined || (log.isAbandoned && code === 'TIMEOUT')) return;
  if (code === 'UNAVAILABLE' && isTold(`${message} ${loggedError(cause).message}`)) log.warn(details, message);
  else log.error({ err: cause, ...details }, message);
}

/** Causes that are remembered; there are as many as databases and ways to lose them. */
const mostTold = 100;

/** Otherwise each request would log the same cause with its stack, hundreds a second. */
function isTold(what: string): boolean {
  const now = performance.now();
  for (const [known, at] of told) if (now - at >= toldFor) told.delete(known);
  if (told.has(what)) return true;
  if (told.size < mostTold) told.set(what, now);
  return false;
}

/**
 * Removes quoted values from GraphQL's own errors: errors are stored and forwarded, and a value may be a credential.
 * The kind of the value, names and locations stay.
 */
export function withoutValues(error: GraphQLError): GraphQLError {
  let message = error.message.replace(/\b(String|BlockString|Int|Float) ".*"/s, '$1');
  for (const node of error.nodes ?? []) {
    const kind = kinds.get(node.kind);
    if (!kind) continue;
    const value = print(node);
    for (const start of [': ', 'found ', 'not ']) message = message.replace(start + value, () => start + kind);
  }
  // Not a new error: finding the line of each error in a text of 1 MB takes as long as reading the text.
  error.message = message;
  return error;
}

const kinds: ReadonlyMap<ASTNode['kind'], string> = new Map<ASTNode['kind'], string>([
  [Kind.STRING, 'a string'],
  [Kind.INT, 'a number'],
  [Kind.FLOAT, 'a number'],
  [Kind.BOOLEAN, 'a boolean'],
  [Kind.ENUM, 'a name'],
  [Kind.LIST, 'a list'],
  [Kind.OBJECT, 'an object'],
]);

// Says what to write in place of what 0.1 took: in the answer to a document, and in the start's log about stored ones.

/** By the beginning of GraphQL's own message; a group in it holds a type of records. docs/changelog.md has the same, for who upgrades. */
const mends: readonly [RegExp, string][] = [
  [/^Unknown type "Record"/, 'It is called `BusinessRecord` now.'],
  [/^Unknown type "Document"/, 'It is called `BusinessDocument` now.'],
  [/^Unknown type "(\w+)Order(?:Field)?"/, 'Types of orders end in `Sort` now, such as `AssetRepairSort`.'],
  [/ on type "\w+ListPayload"/, 'It is in `records { … }` now.'],
  [/ on type "DeleteManyPayload"/, 'The ids are in `deletedIds` now.'],
  [/ on type "ApiKeyPayload"/, 'It is in `apiKey { … }` now.'],
  [/ on type "WebhookPayload"/, 'It is in `webhook { … }` now.'],
  [/ on type "WebhookMessagePayload"/, 'It is in `message { … }` now.'],
  [/ on type "(?:ApiKey|Webhook|WebhookAttempt)Connection"/, 'It is in `nodes { … }` now.'],
  [/^Unknown argument "limit" on field "Query\.(?:apiKeys|webhooks|webhookAttempts)"/, 'It is called `first` now.'],
  [/^Value "\w*[a-z]\w*" does not exist/, 'Values are in capitals now, such as `ASSET_REPAIR`.'],
  [/^Variable "\$(?:after|before)" of type "Float!?"/, 'Positions are texts now: `String`.'],
  [/^Field "id" is not defined by type "\w+Having"/, 'The number of records is `count` now.'],
  [
    /^Field "\w+" is not defined by type "(?:Int|Float|Date|DateTime)Having"/,
    'Name a measure around it: `max: { … }`.',
  ],
];

export function withMend(error: GraphQLError): GraphQLError {
  const mend = mends.find(([message]) => {
    const [found, model] = message.exec(error.message) ?? [];
    return found !== undefined && (model === undefined || Object.hasOwn(catalogue, model));
  })?.[1];
  if (mend) error.message += ` ${mend}`;
  return error;
}

/**
 * Adds the name of the argument to each error about a value in a document, in `extensions.errors` as for variables:
 * GraphQL's own messages only say where the value is. The errors quote no values any more.
 */
export function nameValues(document: DocumentNode, errors: readonly GraphQLError[]): void {
  const paths = pathsOf(document, new Set(errors.flatMap(({ nodes }) => nodes ?? [])));
  for (const error of errors) {
    const path = error.nodes?.map((node) => paths.get(node)).find((found) => found !== undefined);
    if (!path) continue;
    error.extensions.errors = [{ param: nameOf(path), code: 'parameter_invalid', message: error.message }];
  }
}

/** The names and positions from the argument inwards, for each node of `wanted` inside an argument. */
function pathsOf(document: DocumentNode, wanted: ReadonlySet<ASTNode>): Map<ASTNode, Problem['path']> {
  const paths = new Map<ASTNode, Problem['path']>();
  const path: Problem['path'] = [];
  visit(document, {
    enter(node, key, parent) {
      const part = partOf(node, key, parent);
      if (part !== undefined) path.push(part);
      if (path.length > 0 && wanted.has(node)) paths.set(node, [...path]);
    },
    leave(node, key, parent) {
      if (partOf(node, key, parent) !== undefined) path.pop();
    },
  });
  return paths;
}

/** Inside an argument, the only lists are list values. */
function partOf(node: ASTNode, key: string | number | undefined, parent: unknown): string | number | undefined {
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return node.name.value;
  return Array.isArray(parent) && isValueNode(node) ? Number(key) : undefined;
}

// Errors that a caller can correct, in the form in which a mutation returns them in its answer (`userErrors`) instead
// of as errors of GraphQL. Both ways to execute a mutation use it.

/** The form for the caller, and for the log; undefined for an error that other arguments would not prevent. */
export function userErrorsOf(
  error: unknown,
  { observation }: Pick<RequestContext, 'observation'>,
): UserError[] | undefined {
  if (!(error instanceof GatewayError)) return undefined;
  const { problems, ...details } = error.details;
  const place = places[error.code];
  const told = problems
    ? problems.map(userErrorOf)
    : place && [{ ...place, message: error.message, ...detailsIn(details) }];
  if (told) noteErrors(observation, [error.code]);
  return told;
}

const userErrorOf = (problem: Problem): UserError => ({
  code: problem.code,
  path: problem.isElsewhere ? [] : problem.path.map(String),
  message: sentenceOf(problem),
  ...detailsIn(problem.details),
});

/** For refusals that name no argument, the argument that they are about. A state is that of the record itself. */
const places: Partial<Record<string, Pick<UserError, 'code' | 'path'>>> = {
  NOT_FOUND: { code: 'resource_missing', path: ['id'] },
  VERSION_CONFLICT: { code: 'version_conflict', path: ['expectedVersion'] },
  INVALID_STATE: { code: 'invalid_state', path: [] },
};

function detailsIn({ currentState, allowedActions, currentVersion }: Readonly<Record<string, unknown>> = {}) {
  return {
    currentState: isStatus(currentState) ? currentState : undefined,
    allowedActions: Array.isArray(allowedActions) ? actions.filter((each) => allowedActions.includes(each)) : undefined,
    currentVersion: typeof currentVersion === 'number' ? currentVersion : undefined,
  };
}
