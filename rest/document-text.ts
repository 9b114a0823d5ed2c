/**
 * The GraphQL document of a REST operation. Aliases translate the names: the value of `record`, `page` or `lines` is
 * the REST body, with the documented names in the documented order; of a mutation it is inside the payload. `_version` becomes the `ETag`.
 */
import { isDocumentStatus } from '../src/model/document-status.js';
import { capitalized, snakeOf } from '../src/model/names.js';
import type { Resource } from '../src/model/resource.js';
import type { RestOperationKind } from './endpoint-form.js';

/** `fields` is the selection of a record; by default all documented fields. */
export function documentText(
  resource: Resource,
  operation: RestOperationKind,
  fields = recordSelection(resource),
): string {
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
export function pastDocumentText(resource: Resource): string {
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
