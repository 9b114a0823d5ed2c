/**
 * The GraphQL document of a REST operation. Aliases translate the names: the value of `record`, `page` or `lines` is
 * the REST body, with the documented names in the documented order. `_version` becomes the `ETag`.
 */
import type { RecordOperation } from '../src/catalogue.js';
import { capitalized, snakeOf } from '../src/model/names.js';
import type { Resource } from '../src/model/resource.js';

/** `fields` is the selection of a record; by default all documented fields. */
export function documentText(
  resource: Resource,
  operation: RecordOperation,
  fields = recordSelection(resource),
): string {
  const { model, kind, one, many } = resource;
  const name = model + capitalized(operation);
  const record = `_version: version ${fields}`;
  switch (operation) {
    case 'retrieve':
      return kind === 'singleton'
        ? `query ${name} { record: ${one} { ${record} } }`
        : `query ${name}($id: ID!) { record: ${one}(id: $id) { ${record} } }`;
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
      return `mutation ${name}($input: Create${model}Input!) { record: create${model}(input: $input) { ${record} } }`;
    case 'update':
      return `mutation ${name}($id: ID!, $input: Update${model}Input!, $expectedVersion: Int) {
        record: update${model}(id: $id, input: $input, expectedVersion: $expectedVersion) { ${record} }
      }`;
    case 'delete':
      return `mutation ${name}($id: ID!, $expectedVersion: Int) {
        record: delete${model}(id: $id, expectedVersion: $expectedVersion) { id: deletedId deleted }
      }`;
    case 'submit':
    case 'cancel':
      return `mutation ${name}($id: ID!, $expectedVersion: Int) {
        record: ${operation}${model}(id: $id, expectedVersion: $expectedVersion) { ${record} }
      }`;
    case 'reorder':
      return `mutation ${name}($parentId: ID!, $ids: [ID!]) {
        lines: reorder${capitalized(many)}(parentId: $parentId, ids: $ids) { ${fields} }
      }`;
  }
}

/** The documented fields: `id`, the fields of the resource, and the timestamps of records that have them. */
function recordSelection({ fields, timestamps }: Resource): string {
  const names = ['id', ...fields.map((field) => field.name), ...(timestamps ? ['createdAt', 'updatedAt'] : [])];
  return names.map((name) => (snakeOf(name) === name ? name : `${snakeOf(name)}: ${name}`)).join(' ');
}
