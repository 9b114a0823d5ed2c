/** What a request to `/graphql` sends: its parameters, its document, parsed, validated and cached, and the operation it means. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type ValidationRule,
  validate,
} from 'graphql';
import { isObject } from '../../common/is-object.js';
import { WeighedCache } from '../../common/kept.js';
import { readJson } from '../../common/read-json.js';
import { errors } from '../../model/errors/errors.js';
import { mostProblems } from '../../model/errors/problem.js';
import { NamedValues } from '../../model/selection.js';
import { refuseLargeText } from '../limits/json-text.js';
import type { CostReport } from '../limits/operation-cost.js';
import { mostPairs } from '../limits/sizes.js';
import { nameValues, withFewLocations, withMend, withoutValues } from '../shown-errors/show-error.js';
import { DocumentRefused } from './trusted-documents.js';

/** Parses a document. @throws QUERY_TOO_COMPLEX, DocumentRefused */
export function parseDocument(text: string): DocumentNode {
  refuseLargeText(text);
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const fault = withoutValues(error);
    fault.extensions.code = 'GRAPHQL_PARSE_FAILED';
    throw new DocumentRefused([fault]);
  }
}

/**
 * Validates a document; each error about a value names its argument. @throws DocumentRefused, QUERY_TOO_COMPLEX
 */
export function requireValid(schema: GraphQLSchema, document: DocumentNode, cost: CostReport): void {
  // A suggestion compares a name with all names of the schema, which takes a second for a document with many errors.
  const most = (document.loc?.end ?? 0) > longText ? mostOfLongText : mostProblems;
  const plain = validate(schema, document, undefined, { hideSuggestions: true, maxErrors: most });
  if (plain.length === 0) return;
  // Only the last one can be about no place: GraphQL.js stops at the limit of errors, or of its comparisons.
  const isCut = plain.at(-1)?.nodes === undefined;
  if (isCut && plain.length <= most) throw errors.queryTooComplex('pairs', mostPairs);
  const faults = (plain.length > mostSuggested ? plain : validate(schema, document)).map((error) =>
    withFewLocations(withMend(withoutValues(error))),
  );
  if (isCut)
    faults.splice(-1, 1, new GraphQLError(`The document has more than ${most} errors; the others are not listed.`));
  nameValues(document, faults);
  for (const { extensions } of faults) extensions.code = 'GRAPHQL_VALIDATION_FAILED';
  throw new DocumentRefused(faults, cost);
}

/** Characters from which fewer errors are listed: to find the line of one takes as long as reading the text. */
const longText = 100_000;
const mostOfLongText = 10;

/** The number of errors up to which they get suggestions. */
const mostSuggested = 3;

/**
 * Caches documents by their texts, so that a repeated text is neither parsed, validated nor compiled again. A parsed
 * document takes about seventy times the memory of its text, and its compiled form as much again.
 */
export class DocumentCache {
  /**
   * The capacity in characters of text. A short text counts as `leastCharacters`, because of the memory for its
   * document.
   */
  static readonly mostCharacters = 500_000;
  static readonly leastCharacters = 250;

  readonly #hashes = new Map<string, string>();
  readonly #documents = new WeighedCache<{ document: DocumentNode; hash: string | undefined }>(
    DocumentCache.mostCharacters,
    (text) => Math.max(text.length, DocumentCache.leastCharacters),
    (_text, { hash }) => hash !== undefined && this.#hashes.delete(hash),
  );

  get(text: string): DocumentNode | undefined {
    return this.#documents.get(text)?.document;
  }

  /** The text that was cached with this hash. */
  textOf(hash: string): string | undefined {
    return this.#hashes.get(hash);
  }

  /**
   * Caches an admitted document. `hash` is the SHA-256 of its text, if clients may send the hash instead of the text.
   */
  keep(text: string, document: DocumentNode, hash: string | undefined): void {
    const known = this.#documents.get(text);
    if (known && (hash === undefined || known.hash === hash)) return;
    this.#documents.set(text, { document, hash });
    if (hash !== undefined && this.#documents.get(text)) this.#hashes.set(hash, text);
  }
}

/**
 * Selects the operation of a document: the one named `operationName`, or the only one. This is the only place that does
 * so; later steps get the definition instead of a name. @throws OPERATION_RESOLUTION_FAILURE
 */
export function selectDefinition(document: DocumentNode, operationName: string | undefined): OperationDefinitionNode {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [first, ...others] = operations;
  if (!first) throw unknown('The document holds no operation; send a query or a mutation.');
  if (operationName === undefined) {
    if (others.length === 0) return first;
    throw unknown(`The document holds ${operations.length} operations; say by \`operationName\` which is meant.`);
  }
  const named = operations.find(({ name }) => name?.value === operationName);
  if (named) return named;
  throw unknown(
    'No operation of the document has the name in `operationName`; send one of its names, or none where it holds one operation.',
  );
}

/**
 * Refuses variable names that begin with two underscores, which GraphQL reserves. One of them is `__proto__`, which
 * would change the prototype of a JavaScript object. @throws BAD_REQUEST
 */
export function refuseVariableNames({ variableDefinitions = [] }: OperationDefinitionNode): void {
  const wrong = variableDefinitions.find(({ variable }) => variable.name.value.startsWith('__'));
  if (!wrong) return;
  const name = wrong.variable.name.value;
  throw errors.badRequest(
    'parameters_invalid',
    `GraphQL reserves names that begin with two underscores; rename \`$${name}\`.`,
  );
}

/**
 * The variables that the operation declares. All others are dropped, as GraphQL demands: a body of 1 MB may hold 90,000
 * of them, and each copy of the variables would copy them too.
 */
export function declaredAmong(
  sent: Readonly<Record<string, unknown>>,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Readonly<Record<string, unknown>> {
  const declared = new NamedValues();
  for (const { variable } of variableDefinitions) {
    const name = variable.name.value;
    if (Object.hasOwn(sent, name)) declared[name] = sent[name];
  }
  return declared;
}

/** What the request allows: by its method, and by the types of answers that the client accepts. */
export interface Allowed {
  write: boolean;
  stream: boolean;
}

/** Refuses what the request does not allow. @throws OPERATION_RESOLUTION_FAILURE, BAD_REQUEST */
export function refuseKind({ operation }: OperationDefinitionNode, may: Allowed): void {
  if (operation === OperationTypeNode.SUBSCRIPTION && !may.stream) {
    throw unknown('A subscription is answered as a stream of events; ask for it with `Accept: text/event-stream`.');
  }
  if (operation === OperationTypeNode.MUTATION && !may.write) throw errors.badRequest('mutation_by_get');
}

const unknown = errors.operationUnknown;

/** The parameters of a request to `/graphql`, with their types checked (GraphQL over HTTP, 5.1). */
export interface Parameters {
  /** The operation's text; undefined if only its hash is sent. */
  query: string | undefined;
  /** Undefined if absent, null or empty, which means the document's only operation. */
  operationName: string | undefined;
  variables: Readonly<Record<string, unknown>>;
  /** The key of a persisted operation: the SHA-256 of its text, or its name in the list of trusted documents. */
  hash: string | undefined;
}

/**
 * Reads the parameters from a parsed body or query string. Any further member is ignored (GraphQL over HTTP, 5.1): clients
 * send some for their own use, such as the `id` of Relay's network layers. @throws BAD_REQUEST
 */
export function parametersIn(given: unknown): Parameters {
  if (Array.isArray(given)) throw invalid('A batch of operations is not taken; send one operation in each request.');
  if (!isObject(given)) throw errors.badRequest('operation_missing');
  const { query, operationName, variables, extensions, documentId } = given;
  if (query != null && typeof query !== 'string') throw invalid('`query` must be a string.');
  if (operationName != null && typeof operationName !== 'string') throw invalid('`operationName` must be a string.');
  if (variables != null && !isObject(variables)) throw invalid('`variables` must be an object.');
  if (extensions != null && !isObject(extensions)) throw invalid('`extensions` must be an object.');
  if (documentId != null && typeof documentId !== 'string') throw invalid('`documentId` must be a string.');
  const hash = hashIn(extensions?.persistedQuery) ?? (query ? undefined : hashOfId(documentId));
  if (!query && hash === undefined) throw errors.badRequest('operation_missing');
  return { query: query || undefined, operationName: operationName || undefined, variables: variables ?? {}, hash };
}

/** The parameters in a query string. @throws BAD_REQUEST for a repeated parameter or invalid JSON */
export function searchParameters(search: URLSearchParams): unknown {
  for (const name of known) {
    if (search.getAll(name).length > 1) throw invalid(`\`${name}\` is given more than once.`);
  }
  return {
    query: search.get('query'),
    operationName: search.get('operationName'),
    variables: json(search, 'variables'),
    extensions: json(search, 'extensions'),
    documentId: search.get('documentId'),
  };
}

/** The hash in `extensions.persistedQuery` (Apollo's automatic persisted queries). */
function hashIn(persisted: unknown): string | undefined {
  if (persisted == null) return undefined;
  const form = '`extensions.persistedQuery` must be {"version": 1, "sha256Hash": "<SHA-256 of the operation>"}.';
  if (!isObject(persisted)) throw invalid(form);
  const { version, sha256Hash } = persisted;
  if (typeof sha256Hash !== 'string' || sha256Hash === '' || (version !== undefined && version !== 1))
    throw invalid(form);
  return sha256Hash.toLowerCase();
}

/** The hash or name in `documentId`, `sha256:<hash>` or a name (GraphQL over HTTP, persisted documents). */
const hashOfId = (id: string | null | undefined): string | undefined =>
  id?.toLowerCase().replace(/^sha256:/, '') || undefined;

function json(search: URLSearchParams, name: 'variables' | 'extensions'): unknown {
  const text = search.get(name);
  if (!text) return undefined;
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw errors.badRequest('json_invalid', `The parameter \`${name}\` is ${error.message}.`);
  }
}

const known: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions', 'documentId']);
const invalid = (message: string) => errors.badRequest('parameters_invalid', message);

/** A valid document of the gateway's own. */
export class StoredDocument {
  // It makes the class nominal: only `store` can make an instance.
  protected readonly isValid = true;

  readonly definition: OperationDefinitionNode;

  private constructor(readonly document: DocumentNode) {
    this.definition = selectDefinition(document, undefined);
  }

  /** The document as a stored one, or the errors of `rules`, which may be fewer than those for documents of others. */
  static store(
    schema: GraphQLSchema,
    document: DocumentNode,
    rules: readonly ValidationRule[],
  ): StoredDocument | readonly GraphQLError[] {
    const faults = validate(schema, document, rules);
    return faults.length > 0 ? faults : new StoredDocument(document);
  }
}
