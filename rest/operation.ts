/**
 * The admitted GraphQL operation of a request. Whatever comes after it, performing or explaining, has passed the same checks.
 */
import {
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  type GraphQLSchema,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
} from 'graphql';
import type { Identity, RequestContext } from '../src/change/context.js';
import type { EndpointStream } from '../src/gateway/api.js';
import { createVariableCheck } from '../src/graphql/guards/variable-problems.js';
import type { Admission, Operation, Subscription } from '../src/graphql/operation/admission.js';
import { StoredDocument, selectDefinition } from '../src/graphql/operation/documents.js';
import { errors } from '../src/model/errors/errors.js';
import { isStorableText } from '../src/model/field.js';
import { pastIdIn } from '../src/model/ids.js';
import { isIdOf } from '../src/model/resource.js';
import { mayRead, requireScopes } from '../src/model/scopes.js';
import type { Variables } from '../src/model/selection.js';
import type { RestEndpoint } from './endpoints.js';
import { InvalidRequest, type RestProblem, restProblemOf } from './errors.js';
import { decoded, type RestRequest, readObject, variablesOf } from './request.js';

/** A request whose operation may be executed. */
export interface AdmittedRequest {
  operation: Operation;
  variables: Variables;
}

export class RestAdmission {
  readonly #schema: GraphQLSchema;
  readonly #admission: Admission;
  readonly #storedDocumentOf: StoredDocumentOf;

  constructor(schema: GraphQLSchema, admission: Admission) {
    this.#schema = schema;
    this.#admission = admission;
    this.#storedDocumentOf = createStoredDocuments(schema);
  }

  /** Admits a request to an endpoint. `segment` is the id in its path, as it was sent. @throws GatewayError */
  admit(
    request: RestRequest,
    endpoint: RestEndpoint,
    segment: string | undefined,
    { identity }: Pick<RequestContext, 'identity'>,
  ): AdmittedRequest {
    requireScopes(identity, endpoint.scopes);
    const id = decoded(segment);
    if (id !== undefined && endpoint.resource && !mayExist(endpoint, id))
      throw errors.notFound(endpoint.resource.title, id);
    const { headers, query } = request;
    const body = endpoint.body ? readObject(request) : {};
    const { variables, problems } = variablesOf(endpoint, { id, headers, query, body });
    if (problems.length > 0)
      throw new InvalidRequest([...problems, ...this.#furtherProblems(problems, endpoint, variables)]);
    const document = documentFor(endpoint, variables, identity);
    return {
      operation: this.#admission.fromStored(this.#storedDocumentOf(endpoint.name, document), variables),
      variables,
    };
  }

  /** Admits a request for a stream, which goes on after the position `after`. @throws GatewayError */
  admitStream(
    { name, document }: RestEndpoint,
    stream: EndpointStream,
    { headers, query }: Pick<RestRequest, 'headers' | 'query'>,
  ): { subscription: Subscription; after: number | undefined } {
    const { variables, after } = stream.read(headers, query);
    const stored = this.#storedDocumentOf(name, document);
    return { subscription: this.#admission.subscriptionFromStored(stored, variables), after };
  }

  /** The problems of the variables' GraphQL types, so that the client gets all at once. */
  #furtherProblems(problems: readonly RestProblem[], { document }: RestEndpoint, variables: Variables): RestProblem[] {
    const named = new Set(problems.map(({ param }) => param));
    const found = createVariableCheck(this.#schema)(document, selectDefinition(document, undefined), variables);
    return found.map(restProblemOf).filter(({ param, more }) => more !== undefined || !named.has(param));
  }
}

/** The document of the past for `as_of`, and one without the record's fields for a key that may not read them. */
function documentFor(endpoint: RestEndpoint, variables: Variables, identity: Identity): DocumentNode {
  if (!endpoint.resource) return endpoint.document;
  const past = variables.asOf === undefined ? undefined : endpoint.past;
  const present = mayRead(identity, endpoint.resource) ? endpoint : endpoint.blind;
  return (past ?? present).document;
}

/**
 * Whether the endpoint can have a record with this id. Histories are found by the id alone, so it must fit the type. The ids that
 * GraphQL gives to states of the past name no record here: REST shows only the record's own.
 */
const mayExist = ({ operation, resource }: Extract<RestEndpoint, { resource: object }>, id: string): boolean =>
  isStorableText(id) && !pastIdIn(id) && (operation !== 'history' || isIdOf(resource, id));

/**
 * Returns a document of an endpoint as a stored one; `name` is the operation's, for the error. It is validated at its first use, because validating all of
 * them takes a tenth of the start; a test validates all. @throws Error that names the operation and the problem
 */
type StoredDocumentOf = (name: string, document: DocumentNode) => StoredDocument;

export function createStoredDocuments(schema: GraphQLSchema): StoredDocumentOf {
  const stored = new WeakMap<DocumentNode, StoredDocument>();
  return (name, document) => {
    const found = stored.get(document) ?? StoredDocument.store(schema, document, rules);
    if (!(found instanceof StoredDocument))
      throw new Error(`REST operation ${name}: ${found.map(({ message }) => message).join(' ')}`);
    stored.set(document, found);
    return found;
  };
}

/** The rules of validation that generated documents could break. */
const rules = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
];
