/**
 * Every REST endpoint of records with its GraphQL operation: the documented endpoints and our extensions. A document is parsed
 * at its first use, and validated then (`operation.ts`), so that the start does not wait for documents that may never be used.
 */
import { type DocumentNode, parse, print } from 'graphql';
import { isObject } from '../src/common/is-object.js';
import type { ApiPart, Endpoint, OwnEndpoint } from '../src/gateway/api.js';
import type { RecordOperation } from '../src/model/catalogue.js';
import { isDocumentStatus } from '../src/model/lifecycle.js';
import { capitalized, snakeOf } from '../src/model/names.js';
import type { Resource } from '../src/model/resource.js';
import { requiredScopes } from '../src/model/scopes.js';
import {
  afterVersion,
  asOf,
  type BodyForm,
  bodyFor,
  idempotencyKey,
  ifMatch,
  ifNoneMatch,
  limit,
  mostVersions,
  offset,
  orderBody,
  parentOfList,
  parentOfOrder,
  recordId,
} from './parameters.js';

/** What can be done with a record over REST. */
export type RestOperationKind = RecordOperation | 'history';

export interface RestOperation extends Endpoint, EndpointForm {
  resource: Resource;
  operation: RestOperationKind;
  /** Whether it is part of the legacy documentation; otherwise it is an extension. */
  documented: boolean;
  stream?: undefined;
  /** With the variable `asOf`: the record and its lines as they were. Undefined for types without it. */
  past: EndpointDocument | undefined;
  /** For a write with a key that may not read records: its answer holds only the id. */
  blind: EndpointDocument;
}

/** Any endpoint: of a record type, or as a feature adds it. */
export type RestEndpoint = RestOperation | AddedEndpoint;

/** An endpoint of a feature, with what all of them have in common. */
export type AddedEndpoint = OwnEndpoint & Endpoint & { resource?: undefined; body?: undefined };

/** All endpoints: those of records, and those of these features. */
export function createRestEndpoints(resources: readonly Resource[], features: readonly ApiPart[]): RestEndpoint[] {
  const added = new Set<string>(features.flatMap(({ ofRecords = [] }) => ofRecords));
  const leftOut = new Set([asOf, idempotencyKey].filter(({ name }) => !added.has(name)));
  const ofRecords = resources.flatMap((resource) => {
    const further = resource.kind !== 'child' && added.has('history') ? (['history'] as const) : [];
    return [...resource.operations, ...further].map((operation) => {
      const form = forms[operation](resource);
      const parameters = form.parameters.filter((parameter) => !leftOut.has(parameter));
      return restOperation(resource, operation, { ...form, parameters });
    });
  });
  return [...ofRecords, ...features.flatMap((feature) => feature.endpoints?.(resources) ?? []).map(addedEndpoint)];
}

function addedEndpoint(own: OwnEndpoint): AddedEndpoint {
  const document = parse(own.query, { noLocation: true });
  return { parameters: [], scopes: [], ...own, method: 'GET', status: 200, document, text: print(document) };
}

function restOperation(
  resource: Resource,
  operation: RestOperationKind,
  { suffix = '', ...form }: EndpointForm,
): RestOperation {
  const textOf = (fields?: string) => documentText(resource, operation, fields);
  const own = new EndpointDocument(textOf);
  return {
    ...form,
    name: resource.model + capitalized(operation),
    resource,
    operation,
    path: resource.base + suffix,
    status: operation === 'create' ? 201 : 200,
    documented: resource.documented.some((each) => each === operation),
    scopes: requiredScopes(resource, operation === 'history' ? 'retrieve' : operation),
    past: form.parameters.includes(asOf) ? new EndpointDocument(() => pastDocumentText(resource)) : undefined,
    blind: form.method === 'GET' ? own : new EndpointDocument(() => textOf('id')),
    get document() {
      return own.document;
    },
    get text() {
      return own.text;
    },
  };
}

/** Parsed at its first use; its text is printed at each call, because it is rarely needed. */
class EndpointDocument {
  #document: DocumentNode | undefined;

  constructor(private readonly make: () => string) {}

  get document(): DocumentNode {
    this.#document ??= parse(this.make(), { noLocation: true });
    return this.#document;
  }

  get text(): string {
    return print(parse(this.make()));
  }
}

/** What the endpoints of an operation have in common. */
interface EndpointForm extends Pick<Endpoint, 'method' | 'parameters' | 'bodyOf'> {
  /** The path after the base of the resource. */
  suffix?: string;
  body?: BodyForm;
  /** What a successful response holds. */
  answers: 'record' | 'page' | 'deletion' | 'history';
}

const forms: Record<RestOperationKind, (resource: Resource) => EndpointForm> = {
  retrieve: (resource) => ({
    method: 'GET',
    ...(resource.kind === 'singleton'
      ? { parameters: [asOf, ifNoneMatch] }
      : {
          suffix: '/{id}',
          parameters: [recordId(resource), ...(resource.kind === 'child' ? [] : [asOf]), ifNoneMatch],
        }),
    answers: 'record',
  }),
  history: (resource) => ({
    method: 'GET',
    suffix: '/{id}/history',
    parameters: [recordId(resource), mostVersions, afterVersion],
    answers: 'history',
    bodyOf: ({ data, pageInfo, complete }) => ({ data, ...(isObject(pageInfo) ? pageInfo : {}), complete }),
  }),
  list: (resource) => ({
    method: 'GET',
    parameters: [limit, offset, ...(resource.kind === 'child' ? [parentOfList(resource)] : [])],
    answers: 'page',
  }),
  create: (resource) => ({
    method: 'POST',
    parameters: [idempotencyKey],
    body: bodyFor(resource, 'create'),
    answers: 'record',
  }),
  update: (resource) => ({
    method: 'PATCH',
    suffix: '/{id}',
    parameters: [recordId(resource), ifMatch],
    body: bodyFor(resource, 'update'),
    answers: 'record',
  }),
  delete: (resource) => ({
    method: 'DELETE',
    suffix: '/{id}',
    parameters: [recordId(resource), ifMatch],
    answers: 'deletion',
  }),
  submit: (resource) => transition(resource, '/{id}/submit'),
  cancel: (resource) => transition(resource, '/{id}/cancel'),
  reorder: (resource) => ({
    method: 'POST',
    suffix: '/reorder',
    parameters: [parentOfOrder(resource), idempotencyKey],
    body: orderBody,
    answers: 'page',
  }),
};

const transition = (resource: Resource, suffix: string): EndpointForm => ({
  method: 'POST',
  suffix,
  parameters: [recordId(resource), ifMatch, idempotencyKey],
  answers: 'record',
});

/** Where the GraphQL document of an endpoint is served by itself. */
export const documentPath = (name: string): string => `/operations/${name}.graphql`;

// The GraphQL document of a REST operation. Aliases translate the names: the value of `record`, `page` or `lines` is
// the REST body, with the documented names in the documented order; of a mutation it is inside the payload. `_version` becomes the `ETag`.

/** `fields` is the selection of a record; by default all documented fields. */
function documentText(resource: Resource, operation: RestOperationKind, fields = recordSelection(resource)): string {
  const { model, kind, one, many, plural } = resource;
  const name = model + capitalized(operation);
  const record = `_version: version ${fields}`;
  switch (operation) {
    case 'retrieve':
      return kind === 'singleton'
        ? `query ${name} { record: ${one} { ${record} } }`
        : `query ${name}($id: ID!) { record: ${one}(id: $id) { ${record} } }`;
    case 'history':
      return `query ${name}($id: ID!, $limit: Int, $after: String) {
        history(id: $id, first: $limit, after: $after) {
          data: nodes { at action: storedAction version ${changeSelection} }
          pageInfo { has_more: hasNextPage next: endCursor }
          complete
        }
      }`;
    case 'list': {
      const [declared, given] = kind === 'child' ? ['$parentId: ID!, ', 'parentId: $parentId, '] : ['', ''];
      return `query ${name}(${declared}$limit: Int, $offset: Int) {
        page: ${many}(${given}first: $limit, offset: $offset) {
          data: nodes { ${fields} }
          pageInfo { has_more: hasNextPage }
          total: totalCount
        }
      }`;
    }
    case 'create':
      return `mutation ${name}($input: Create${model}Input!) { record: create${model}(input: $input) { record { ${record} } } }`;
    case 'update':
      return `mutation ${name}($id: ID!, $input: Update${model}Input!, $expectedVersion: Int) {
        record: update${model}(id: $id, input: $input, expectedVersion: $expectedVersion) { record { ${record} } }
      }`;
    case 'delete':
      return `mutation ${name}($id: ID!, $expectedVersion: Int) {
        record: delete${model}(id: $id, expectedVersion: $expectedVersion) { id: deletedId deleted }
      }`;
    case 'submit':
    case 'cancel':
      return `mutation ${name}($id: ID!, $expectedVersion: Int) {
        record: ${operation}${model}(id: $id, expectedVersion: $expectedVersion) { record { ${record} } }
      }`;
    case 'reorder':
      return `mutation ${name}($parentId: ID!, $ids: [ID!]) {
        lines: reorder${plural}(parentId: $parentId, ids: $ids) { records { ${fields} } }
      }`;
  }
}

/** The record with all of its lines as they were. */
function pastDocumentText(resource: Resource): string {
  const { model, kind, one } = resource;
  const lists = resource.lines.map(
    (list) => `${snakeOf(list.field)}: ${list.field} { ${recordSelection(list.resource, 'recordId')} }`,
  );
  const [declared, given] = kind === 'singleton' ? ['', ''] : ['$id: ID!, ', 'id: $id, '];
  return `query ${model}Retrieve(${declared}$asOf: DateTime!) {
    record: ${one}(${given}asOf: $asOf) { _version: version ${recordSelection(resource, 'recordId')} ${lists.join(' ')} }
  }`;
}

/** Who made a change, and what it changed. */
export const changeSelection = `
  by { key_id: keyId key_name: keyName request_id: requestId operation }
  changes { path(names: REST) before(names: REST) after(names: REST) action: storedAction record_id: recordId }`;

/**
 * The documented fields: the field `id` under that name, the fields of the resource, and the timestamps of records that have
 * them. Of a record of the past, its own id is `recordId`.
 */
function recordSelection(resource: Resource, id = 'id'): string {
  const { fields, timestamps } = resource;
  const names = ['id', ...fields.map((field) => field.name), ...(timestamps ? ['createdAt', 'updatedAt'] : [])];
  return names
    .map((name) => [snakeOf(name), name === 'id' ? id : isDocumentStatus(resource, name) ? 'storedStatus' : name])
    .map(([restName, name]) => (restName === name ? name : `${restName}: ${name}`))
    .join(' ');
}

/** What a method and a path mean. */
export type Route =
  | { endpoint: RestEndpoint; id?: string }
  /** The path exists, but not with this method. */
  | { others: readonly RestEndpoint[] }
  | undefined;

/** The endpoints of one path, by method. */
type Methods = Partial<Record<string, RestEndpoint>>;

/**
 * Finds the endpoint for a method and a path. A path is a resource's base, followed by nothing, an id, an id and an
 * action, or `reorder`, so two map look-ups suffice for any number of endpoints. Paths are case-sensitive.
 */
export function createRoutes(endpoints: readonly RestEndpoint[]): (method: string, path: string) => Route {
  const bases = new Map<string, Map<string, Methods>>();
  for (const endpoint of endpoints) {
    const base = endpoint.resource?.base ?? endpoint.path;
    const shapes = bases.get(base) ?? new Map<string, Methods>();
    const shape = endpoint.path.slice(base.length);
    bases.set(base, shapes.set(shape, { ...shapes.get(shape), [endpoint.method]: endpoint }));
  }

  return (given, path) => {
    const method = given === 'HEAD' ? 'GET' : given;
    const end = endOfBase(path);
    const shapes = bases.get(path.slice(0, end));
    if (!shapes) return undefined;
    const [first, action, ...others] = end === path.length ? [] : path.slice(end + 1).split('/');
    if (first === '' || action === '' || others.length > 0) return undefined;
    const fixed = action === undefined && first !== '{id}' ? shapes.get(`/${first}`) : undefined;
    const ofFixed = fixed?.[method];
    if (ofFixed) return { endpoint: ofFixed };
    const shape = first === undefined ? '' : action === undefined ? '/{id}' : `/{id}/${action}`;
    const named = shapes.get(shape);
    const endpoint = named?.[method];
    // HEAD means nothing where the answer has no end.
    if (endpoint && !(endpoint.stream && given === 'HEAD'))
      return first === undefined ? { endpoint } : { endpoint, id: first };
    const all = Object.values({ ...named, ...fixed }).filter((each) => each !== undefined);
    return all.length > 0 ? { others: all } : undefined;
  };
}

/** The end of `/api/<area>/<slug>`: the fourth slash or the end of the path. */
function endOfBase(path: string): number {
  const area = path.indexOf('/', 1);
  const slug = area < 0 ? -1 : path.indexOf('/', area + 1);
  const end = slug < 0 ? -1 : path.indexOf('/', slug + 1);
  return end < 0 ? path.length : end;
}
