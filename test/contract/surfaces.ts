/** Writing and reading records through either surface, under the REST names, so that tests can cross the two. */
import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import type { DocumentedResource } from './document.js';
import { modelName, parentReference } from './documented-fields.js';
import { inCamelCase, mutationOf, selectionOf } from './graphql-names.js';
import type { Body, RecordBody } from './records.js';

export interface Surface {
  name: 'REST' | 'GraphQL';
  create(gateway: TestGateway, resource: DocumentedResource, body: Body): Promise<RecordBody>;
  update(gateway: TestGateway, resource: DocumentedResource, id: string, body: Body): Promise<RecordBody>;
  /** What the surface shows of these records, in their order. They are the newest, or have one parent. */
  read(gateway: TestGateway, resource: DocumentedResource, records: RecordBody[]): Promise<RecordBody[]>;
}

export const rest: Surface = {
  name: 'REST',

  async create(gateway, resource, body) {
    const answer = await gateway.rest('POST', resource.base, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  },

  async update(gateway, resource, id, body) {
    const answer = await gateway.rest('PATCH', `${resource.base}/${id}`, body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  },

  async read(gateway, resource, records) {
    if (resource.kind === 'singleton') return [(await gateway.rest('GET', resource.base)).body];
    const parentId = String(records[0]?.[parentReference(resource) ?? '']);
    const query = resource.kind === 'child' ? `parent_id=${encodeURIComponent(parentId)}&` : '';
    const { data } = (await gateway.rest('GET', `${resource.base}?${query}limit=1000`)).body;
    const byId = new Map<string, RecordBody>(data.map((record: RecordBody) => [record.id, record]));
    return records.flatMap(({ id }) => byId.get(id) ?? []);
  },
};

export const graphql: Surface = {
  name: 'GraphQL',

  create(gateway, resource, body) {
    const name = mutationOf('create', resource);
    return write(gateway, resource, `$input: Create${modelName(resource.title)}Input!`, `${name}(input: $input)`, {
      input: inCamelCase(body),
    });
  },

  update(gateway, resource, id, body) {
    const name = mutationOf('update', resource);
    const declared = `$id: ID!, $input: Update${modelName(resource.title)}Input!`;
    return write(gateway, resource, declared, `${name}(id: $id, input: $input)`, { id, input: inCamelCase(body) });
  },

  async read(gateway, resource, records) {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${modelName(resource.title)} { ${selectionOf(resource)} } } }`;
    const { body } = await gateway.graphql(query, { ids: records.map(({ id }) => id) });
    expect(body.errors).toBeUndefined();
    return body.data.nodes;
  },
};

export const surfaces = [rest, graphql];

async function write(
  gateway: TestGateway,
  resource: DocumentedResource,
  declared: string,
  call: string,
  variables: Record<string, unknown>,
): Promise<RecordBody> {
  const mutation = `mutation (${declared}) { record: ${call} { ${selectionOf(resource)} } }`;
  const { body } = await gateway.graphql(mutation, variables);
  expect(body.errors).toBeUndefined();
  return body.data.record;
}
