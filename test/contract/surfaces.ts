/** Writes and reads records through either surface, under the REST names, so that tests can combine the two. */
import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import type { DocumentedResource } from './document.js';
import { documentedFields, modelName, parentReference } from './documented-fields.js';
import { camel, inGraphqlNames, mutationOf, selectionOf } from './graphql-names.js';
import type { Body, RecordBody } from './records.js';

export interface Surface {
  name: 'REST' | 'GraphQL';
  /** Creates a record, or updates the one with the id. */
  write(gateway: TestGateway, resource: DocumentedResource, body: Body, id?: string): Promise<Outcome>;
  /** These records as the surface shows them, in their order. They are the newest, or have one parent. */
  read(gateway: TestGateway, resource: DocumentedResource, records: RecordBody[]): Promise<RecordBody[]>;
}

interface Outcome {
  /** The answer; undefined if the body was refused. */
  record?: RecordBody;
  /** The fields for which it was refused, by their REST names. */
  refused?: string[];
}

interface Problem {
  param: string;
}

const rest: Surface = {
  name: 'REST',

  async write(gateway, resource, body, id) {
    const answer = id
      ? await gateway.rest('PATCH', `${resource.base}/${id}`, body)
      : await gateway.rest('POST', resource.base, body);
    if (answer.status === 400) return { refused: answer.body.error.errors.map(({ param }: Problem) => param) };
    expect(answer.status, answer.text).toBe(id ? 200 : 201);
    return { record: answer.body };
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

const graphql: Surface = {
  name: 'GraphQL',

  async write(gateway, resource, body, id) {
    const [verb, type] = id ? (['update', 'Update'] as const) : (['create', 'Create'] as const);
    const [declared, given] = id ? ['$id: ID!, ', 'id: $id, '] : ['', ''];
    const mutation = `mutation (${declared}$input: ${type}${modelName(resource.title)}Input!) {
      written: ${mutationOf(verb, resource)}(${given}input: $input) { record { ${selectionOf(resource)} } }
    }`;
    const { data, errors } = (await gateway.graphql(mutation, { id, input: inGraphqlNames(resource, body) })).body;
    if (errors?.[0].extensions.code === 'BAD_USER_INPUT') {
      return { refused: errors[0].extensions.errors.map(({ param }: Problem) => restName(resource, param)) };
    }
    expect(errors).toBeUndefined();
    return { record: data.written.record };
  },

  async read(gateway, resource, records) {
    const query = `query ($ids: [ID!]!) {
      nodes(ids: $ids) { ... on ${modelName(resource.title)} { ${selectionOf(resource)} } }
    }`;
    const { body } = await gateway.graphql(query, { ids: records.map(({ id }) => id) });
    expect(body.errors).toBeUndefined();
    return body.data.nodes;
  },
};

export const surfaces: readonly Surface[] = [rest, graphql];

/** `input.repairCost` → `repair_cost` */
function restName(resource: DocumentedResource, param: string): string {
  return documentedFields(resource).find(({ name }) => `input.${camel(name)}` === param)?.name ?? param;
}
