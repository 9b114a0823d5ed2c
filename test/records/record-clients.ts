/** Clients of REST and of GraphQL with the same methods and the same names of fields, so that a test can use either. */
import type { RecordModel } from '../../src/model/catalogue.js';
import { camelOf, snakeOf } from '../../src/model/names.js';
import type { Resource } from '../../src/model/resource.js';
import type { Answer, TestGateway } from '../support/gateway.js';
import { resourceOf } from '../support/resources.js';

export type Body = Record<string, unknown>;

export interface Outcome {
  /** HTTP status; GraphQL answers a refusal with 200. */
  status: number;
  /** The record as in REST, if the request succeeded. */
  record?: Body & { id: string };
  /** The lines in their new order, if a reorder succeeded. */
  lines?: Body[];
  /** The reason of a refusal: `invalid_state`, `version_conflict` … */
  refusal?: string;
}

/** Writes records, with the names that fields have in REST. */
export interface RecordClient {
  create(model: RecordModel, body: Body): Promise<Outcome>;
  update(model: RecordModel, id: string, body: Body, expectedVersion?: number): Promise<Outcome>;
  remove(model: RecordModel, id: string): Promise<Outcome>;
  submit(model: RecordModel, id: string): Promise<Outcome>;
  cancel(model: RecordModel, id: string): Promise<Outcome>;
  reorder(model: RecordModel, parentId: string, ids?: string[]): Promise<Outcome>;
}

/** Sends this many requests at once, alternating between the surfaces. Resolves with the outcome of each. */
export function race<Result>(
  gateway: TestGateway,
  count: number,
  send: (client: RecordClient, index: number) => Promise<Result>,
): Promise<Result[]> {
  const clients = [restClient(gateway), graphqlClient(gateway)] as const;
  return Promise.all(Array.from({ length: count }, (_, index) => send(clients[index % 2 === 0 ? 0 : 1], index)));
}

export function restClient(gateway: TestGateway): RecordClient {
  const send = async (method: string, path: string, body?: Body, headers?: Record<string, string>) =>
    restOutcome(await gateway.rest(method, path, body, headers));
  const base = (model: RecordModel) => resourceOf(model).base;
  return {
    create: (model, body) => send('POST', base(model), body),
    update: (model, id, body, version) =>
      send('PATCH', `${base(model)}/${id}`, body, version === undefined ? {} : { 'if-match': `"${version}"` }),
    remove: (model, id) => send('DELETE', `${base(model)}/${id}`),
    submit: (model, id) => send('POST', `${base(model)}/${id}/submit`),
    cancel: (model, id) => send('POST', `${base(model)}/${id}/cancel`),
    reorder: (model, parentId, ids) => send('POST', `${base(model)}/reorder`, { parent_id: parentId, ids }),
  };
}

export function graphqlClient(gateway: TestGateway): RecordClient {
  const send = async (mutation: string, variables: Body) =>
    graphqlOutcome(await gateway.graphql(`mutation ${mutation}`, variables));
  const selection = (model: RecordModel) => `{ ${selectionOf(resourceOf(model))} }`;
  return {
    create: (model, body) =>
      send(`($input: Create${model}Input!) { record: create${model}(input: $input) { record ${selection(model)} } }`, {
        input: camelKeys(body),
      }),
    update: (model, id, body, version) =>
      send(
        `($id: ID!, $input: Update${model}Input!, $version: Int) {
          record: update${model}(id: $id, input: $input, expectedVersion: $version) { record ${selection(model)} }
        }`,
        { id, input: camelKeys(body), version },
      ),
    remove: (model, id) => send(`($id: ID!) { record: delete${model}(id: $id) { id: deletedId deleted } }`, { id }),
    submit: (model, id) =>
      send(`($id: ID!) { record: submit${model}(id: $id) { record ${selection(model)} } }`, { id }),
    cancel: (model, id) =>
      send(`($id: ID!) { record: cancel${model}(id: $id) { record ${selection(model)} } }`, { id }),
    reorder: (model, parentId, ids) =>
      send(
        `($parentId: ID!, $ids: [ID!]) {
          lines: reorder${resourceOf(model).plural}(parentId: $parentId, ids: $ids) { records ${selection(model)} }
        }`,
        { parentId, ids },
      ),
  };
}

function restOutcome({ status, body }: Answer): Outcome {
  if (body.error) return { status, refusal: body.error.code };
  return Array.isArray(body.data) ? { status, lines: body.data } : { status, record: body };
}

function graphqlOutcome({ status, body }: Answer): Outcome {
  const { errors, data } = body;
  if (errors) return { status, refusal: errors[0].extensions.reason ?? errors[0].extensions.code };
  if (data.lines) return { status, lines: data.lines.records };
  return { status, record: data.record.record ?? data.record };
}

/** The fields that REST shows, under its names. */
function selectionOf({ fields, timestamps }: Resource): string {
  const names = ['id', ...fields.map(({ name }) => name), ...(timestamps ? ['createdAt', 'updatedAt'] : [])];
  return names.map((name) => `${snakeOf(name)}: ${name}`).join(' ');
}

function camelKeys(body: Body): Body {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [camelOf(name), value]));
}
