/** REST calls that succeed, and the answer of the equivalent GraphQL operation in the form of REST. */
import type { DocumentedOperation } from '../contract/document.js';
import { documentedFields, parentReference } from '../contract/documented-fields.js';
import type { Endpoint } from '../contract/endpoints.js';
import { create, documented, minimalBody, newParent, type RecordBody, someRecord } from '../contract/records.js';
import { otherValue } from '../contract/values.js';
import type { Answer, TestGateway } from '../support/gateway.js';

export interface Call {
  id?: string;
  query: string[];
  body?: object;
}

/** Deletes the lines of a singleton; false if the endpoint is not for such lines. */
export async function withoutLines(gateway: TestGateway, { resource }: Endpoint): Promise<boolean> {
  if (!resource.parent || documented(resource.parent).kind !== 'singleton') return false;
  const parentId = await newParent(gateway, resource);
  const { data } = (await gateway.rest('GET', `${resource.base}?parent_id=${parentId}`)).body;
  for (const { id } of data) await gateway.rest('DELETE', `${resource.base}/${id}`);
  return true;
}

/** A call that succeeds, made anew each time: two calls do the same to two records with the same content. */
export const calls: Record<DocumentedOperation, (gateway: TestGateway, endpoint: Endpoint) => Promise<Call>> = {
  retrieve: async (gateway, { resource }) => ({ id: (await someRecord(gateway, resource)).id, query: [] }),
  list: async (gateway, { resource }) => {
    if (resource.kind !== 'child') await create(gateway, resource);
    const parentId = resource.kind === 'child' ? await newParent(gateway, resource) : undefined;
    if (parentId) await create(gateway, resource, {}, parentId);
    return { query: ['limit=1', 'offset=0', ...(parentId ? [`parent_id=${parentId}`] : [])] };
  },
  create: async (gateway, { resource }) => ({ query: [], body: await minimalBody(gateway, resource) }),
  update: async (gateway, { resource }) => {
    const record = await someRecord(gateway, resource);
    const field = documentedFields(resource).findLast(({ name }) => name !== parentReference(resource));
    if (!field) throw new Error(`${resource.title} has nothing to change`);
    const value = otherValue(field, record[field.name]);
    return { id: record.id, query: [], body: { [field.name]: value } };
  },
  delete: async (gateway, { resource }) => ({ id: (await create(gateway, resource)).id, query: [] }),
  submit: async (gateway, { resource }) => ({ id: (await create(gateway, resource)).id, query: [] }),
  cancel: async (gateway, { resource }) => {
    const { id } = await create(gateway, resource);
    await gateway.rest('POST', `${resource.base}/${id}/submit`);
    return { id, query: [] };
  },
  reorder: async (gateway, { resource }) => {
    const parentId = await newParent(gateway, resource);
    const lines = [await create(gateway, resource, {}, parentId), await create(gateway, resource, {}, parentId)];
    return { query: [], body: { parent_id: parentId, ids: lines.map(({ id }) => id).reverse() } };
  },
};

export const send = (gateway: TestGateway, { method, path, id = '', query, body }: SentCall): Promise<Answer> =>
  gateway.rest(method, `${path.replace('{id}', id)}?${query.join('&')}`, body);

type SentCall = Pick<Endpoint, 'method' | 'path'> & Call;

interface Data {
  /** For a mutation it is in the payload. */
  record?: { _version?: number; record?: { _version?: number } };
  page?: { data: RecordBody[]; pageInfo: { has_more: boolean }; total: number };
  lines?: { records: RecordBody[] };
  history?: { pageInfo: object };
  changes?: object;
}

/** Converts the parts that the aliases of the operation do not cover. */
export function inRestForm({ record, page, lines, history, changes }: Data): unknown {
  if (changes) return withNumbers(changes);
  if (history) {
    const { pageInfo, ...rest } = history;
    return { ...rest, ...pageInfo };
  }
  if (page) return { data: page.data, has_more: page.pageInfo.has_more, total: page.total };
  if (lines) return { data: lines.records, has_more: false, total: lines.records.length };
  const { _version, ...body } = record?.record ?? record ?? {};
  return body;
}

/** Positions are texts in GraphQL, numbers in REST. */
function withNumbers(changes: object): unknown {
  return JSON.parse(JSON.stringify(changes), (name, value) => (name === 'position' ? Number(value) : value));
}

/** Without the values that differ between two records with the same content. */
export function alike(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value) =>
    /^(id|created_at|updated_at|total|has_more)$|_id$/.test(name) ? typeof value : value,
  );
}
