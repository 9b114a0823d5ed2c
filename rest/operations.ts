/**
 * Every REST endpoint with its GraphQL operation: the documented endpoints and our extensions. A document is parsed at
 * its first use, and validated then (`admit.ts`), so that the start does not wait for documents that may
 * never be used.
 */
import { type DocumentNode, parse, print } from 'graphql';
import { isDocumentStatus } from '../src/model/lifecycle.js';
import { capitalized, snakeOf } from '../src/model/names.js';
import type { Resource } from '../src/model/resource.js';
import { requiredScopes, type Scope } from '../src/model/scopes.js';
import { type EndpointForm, endpointForm, type RestOperationKind } from './endpoint-form.js';
import { asOf } from './request/parameters.js';

export interface RestOperation extends Omit<EndpointForm, 'suffix'> {
  /** Such as `AssetRepairSubmit`; also the name of the GraphQL operation. */
  name: string;
  resource: Resource;
  operation: RestOperationKind;
  /** Such as `/api/assets/asset-repair/{id}/submit`. */
  path: string;
  /** Whether it is part of the legacy documentation; otherwise it is an extension. */
  documented: boolean;
  /** The scopes that a key needs, whatever the body contains. */
  scopes: readonly Scope[];
  readonly document: DocumentNode;
  /** The document with the variable `asOf`: the record and its lines as they were. Undefined for types without it. */
  readonly pastDocument: DocumentNode | undefined;
  /** The texts of these documents; printed at each call, because they are rarely needed. */
  readonly text: string;
  readonly pastText: string | undefined;
  readonly blindText: string;
  /** The document for a write with a key that may not read records: its answer holds only the id. */
  readonly blindDocument: DocumentNode;
}

export const createRestOperations = (resources: readonly Resource[]): RestOperation[] =>
  resources.flatMap((resource) => {
    const further = resource.kind === 'child' ? [] : (['history'] as const);
    return [...resource.operations, ...further].map((operation) => restOperation(resource, operation));
  });

function restOperation(resource: Resource, operation: RestOperationKind): RestOperation {
  const { suffix, ...form } = endpointForm(resource, operation);
  let document: DocumentNode | undefined;
  let pastDocument: DocumentNode | undefined;
  let blindDocument: DocumentNode | undefined;
  return {
    ...form,
    name: resource.model + capitalized(operation),
    resource,
    operation,
    path: resource.base + suffix,
    documented: resource.documented.some((each) => each === operation),
    scopes: requiredScopes(resource, operation === 'history' ? 'retrieve' : operation),
    get text() {
      return print(parse(documentText(resource, operation)));
    },
    get pastText() {
      return form.parameters.includes(asOf) ? print(parse(pastDocumentText(resource))) : undefined;
    },
    get blindText() {
      return form.method === 'GET' ? this.text : print(parse(documentText(resource, operation, 'id')));
    },
    get document() {
      document ??= parse(documentText(resource, operation), { noLocation: true });
      return document;
    },
    get pastDocument() {
      if (!form.parameters.includes(asOf)) return undefined;
      pastDocument ??= parse(pastDocumentText(resource), { noLocation: true });
      return pastDocument;
    },
    get blindDocument() {
      if (form.method === 'GET') return this.document;
      blindDocument ??= parse(documentText(resource, operation, 'id'), { noLocation: true });
      return blindDocument;
    },
  };
}

/** The endpoints that no record type has, by the names of their operations. */
export const changesName = 'Changes';
export const eventsName = 'Events';

/** The names of all endpoints, as in the header `X-GraphQL-Operation`. */
export const operationNames = (operations: readonly Pick<RestOperation, 'name'>[]): string[] => [
  ...operations.map(({ name }) => name),
  changesName,
  eventsName,
];

/** Where the GraphQL document of an endpoint is served by itself. */
export const documentPath = (name: string): string => `/operations/${name}.graphql`;

/**
 * The GraphQL document of a REST operation. Aliases translate the names: the value of `record`, `page` or `lines` is
 * the REST body, with the documented names in the documented order; of a mutation it is inside the payload. `_version` becomes the `ETag`.
 */

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
