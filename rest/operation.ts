/**
 * The GraphQL operation of a REST request, from its admission to the response. Whatever comes after the admission, performing or
 * explaining, has passed the same checks.
 */

import type { IncomingHttpHeaders } from 'node:http';
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
import { isObject } from '../src/common/is-object.js';
import { oncePer } from '../src/common/kept.js';
import type { EndpointStream } from '../src/gateway/api.js';
import type { OperationResult } from '../src/gateway/execution/executor.js';
import type { MeasuredResult } from '../src/gateway/execution/resolvers.js';
import { type HttpAnswer, matchesEtag } from '../src/gateway/http/answer/send.js';
import { createVariableCheck } from '../src/graphql/guards/variable-problems.js';
import type { Admission, Operation, Subscription } from '../src/graphql/operation/admission.js';
import { StoredDocument, selectDefinition } from '../src/graphql/operation/documents.js';
import { errors } from '../src/model/errors/errors.js';
import { isStorableText } from '../src/model/field.js';
import { etagOf, pastIdIn } from '../src/model/ids.js';
import { isIdOf, singletonId } from '../src/model/resource.js';
import { mayRead, requireScopes } from '../src/model/scopes.js';
import type { Variables } from '../src/model/selection.js';
import type { RestEndpoint } from './endpoints.js';
import { InvalidRequest, type RestProblem, restProblemOf } from './errors.js';
import { decoded, type RestRequest, readObject, variablesOf } from './request.js';

export class RestAdmission {
  readonly #storedDocumentOf: ReturnType<typeof createStoredDocuments>;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly admission: Admission,
  ) {
    this.#storedDocumentOf = createStoredDocuments(schema);
  }

  /** Admits a request to an endpoint. `segment` is the id in its path, as it was sent. @throws GatewayError */
  admit(
    request: RestRequest,
    endpoint: RestEndpoint,
    segment: string | undefined,
    { identity }: Pick<RequestContext, 'identity'>,
  ): { operation: Operation; variables: Variables } {
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
      operation: this.admission.fromStored(this.#storedDocumentOf(document, endpoint.name), variables),
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
    const stored = this.#storedDocumentOf(document, name);
    return { subscription: this.admission.subscriptionFromStored(stored, variables), after };
  }

  /** The problems of the variables' GraphQL types, so that the client gets all at once. */
  #furtherProblems(problems: readonly RestProblem[], { document }: RestEndpoint, variables: Variables): RestProblem[] {
    const named = new Set(problems.map(({ param }) => param));
    const found = createVariableCheck(this.schema)(document, selectDefinition(document, undefined), variables);
    return found.problems.map(restProblemOf).filter(({ param, more }) => more !== undefined || !named.has(param));
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
 * Returns a document of an endpoint as a stored one; `name` is the operation's, for the error. It is validated at its
 * first use, because validating all of them takes a tenth of the start; a test validates all. @throws Error that names
 * the operation and the problem
 */
export const createStoredDocuments = (schema: GraphQLSchema) =>
  oncePer((document: DocumentNode, name: string): StoredDocument => {
    const found = StoredDocument.store(schema, document, rules);
    if (found instanceof StoredDocument) return found;
    throw new Error(`REST operation ${name}: ${found.map(({ message }) => message).join(' ')}`);
  });

/** The rules of validation that generated documents could break. */
const rules = [
  FieldsOnCorrectTypeRule,
  KnownArgumentNamesRule,
  KnownTypeNamesRule,
  ProvidedRequiredArgumentsRule,
  ScalarLeafsRule,
  VariablesInAllowedPositionRule,
];

// The response to a successful REST operation: status, headers, and a body built from the operation's `data`.

/** Where clients find a path of the gateway: they may reach it below a path of a proxy, which only PUBLIC_URL says. */
export const publicAddress = ({ publicUrl = '' }: Pick<RequestContext, 'publicUrl'>, path: string): string =>
  publicUrl + path;

/** Builds the response. @throws the outcome's first error, and NOT_FOUND for a missing record */
export function successResponse(
  endpoint: RestEndpoint,
  outcome: OperationResult,
  variables: Variables,
  requestHeaders: IncomingHttpHeaders,
  context: Pick<RequestContext, 'publicUrl' | 'identity'>,
): HttpAnswer {
  const isBytes = !('result' in outcome);
  const found = isBytes ? textBody(fieldIn(outcome)) : bodyOf(endpoint, outcome);
  const { method, status, resource } = endpoint;
  if (found === null) {
    if (!resource) throw new Error(`${endpoint.name} has no answer`);
    throw errors.notFound(resource.title, String(variables.id ?? singletonId(resource)));
  }
  const { version, body } = found;
  const headers: Record<string, string> = { 'Content-Type': 'application/json; charset=utf-8' };
  if (version !== undefined) {
    headers.ETag = etagOf(version);
    // What a caller with roles sees of a version changes with them.
    const mayKnow = method === 'GET' && !context.identity.rights;
    if (mayKnow && matchesEtag(headers.ETag, requestHeaders['if-none-match']))
      return { status: 304, headers, body: undefined };
  }
  if (status === 201) headers.Location = publicAddress(context, `${resource?.base}/${idIn(body)}`);
  return { status, headers, body, isBytes };
}

/** The JSON text of the operation's only field. */
function fieldIn(outcome: Exclude<OperationResult, { result: unknown }>): string {
  const [field] = 'fields' in outcome ? outcome.fields : [];
  if (!field) throw new Error('A REST operation has one field');
  if ('error' in field) throw field.error.originalError ?? field.error;
  return field.text;
}

/** The body from the result of the resolvers. */
function bodyOf(
  endpoint: RestEndpoint,
  { result: { data, errors: [fault] = [] }, text }: MeasuredResult,
): TextBody | null {
  if (fault) throw fault.originalError ?? fault;
  const [[name, value] = []] = Object.entries(data ?? {});
  if (!endpoint.bodyOf || !isObject(value)) return textBody(text.slice(`{"${name}":`.length, -1));
  return { body: JSON.stringify(endpoint.bodyOf(value)), version: undefined };
}

/**
 * The REST body from the JSON text of an operation's only field. The aliases in `endpoints.ts` fix how the text
 * begins and ends, so it need not be parsed; only lines are, to count them.
 */
interface TextBody {
  body: string;
  /** Only a single record has one. */
  version: number | undefined;
}

/** The body; null if the record does not exist. */
function textBody(field: string): TextBody | null {
  if (field === 'null') return null;
  for (const start of payloadStarts) if (field.startsWith(start)) return textBody(field.slice(start.length, -1));
  if (field.startsWith(versionStart)) {
    const end = field.indexOf(',');
    return { body: `{${field.slice(end + 1)}`, version: Number(field.slice(versionStart.length, end)) };
  }
  if (field.startsWith('[')) {
    const lines: unknown[] = JSON.parse(field);
    return { body: `{"data":${field},"has_more":false,"total":${lines.length}}`, version: undefined };
  }
  // The page's envelope follows its records, so its last occurrence is the right one.
  const frame = field.lastIndexOf(moreStart);
  if (frame < 0) return { body: field, version: undefined };
  const [hasMore, total] = field.slice(frame + moreStart.length).split('}');
  return { body: `${field.slice(0, frame)},"has_more":${hasMore}${total}}`, version: undefined };
}

const idIn = (body: string): string => /^\{"id":"([^"]*)"/.exec(body)?.[1] ?? '';

/** A mutation answers its record or its lines inside of a payload. */
const payloadStarts = ['{"record":', '{"records":'];
const versionStart = '{"_version":';
const moreStart = ',"pageInfo":{"has_more":';
