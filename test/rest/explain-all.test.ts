/** What `?_explain=graphql` explains gives through `/graphql` what the endpoint gives: for every endpoint. */
import { describe, expect, test } from 'vitest';
import type { DocumentedOperation } from '../contract/document.js';
import { documentedFields, parentReference } from '../contract/documented-fields.js';
import { decidedEndpoints, documentedEndpoints, type Endpoint } from '../contract/endpoints.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { create, documented, minimalBody, newParent, type RecordBody, someRecord } from '../contract/records.js';
import { otherValue } from '../contract/values.js';
import type { Answer, TestGateway } from '../support/gateway.js';
import { restOperations } from '../support/rest-operations.js';

onBothDatabases((gateway, share) => {
  describe('the explanation of', () => {
    for (const endpoint of share([...documentedEndpoints, ...decidedEndpoints])) {
      test(`${endpoint.method} ${endpoint.path} performs nothing, and does through GraphQL what REST does`, async () => {
        const request = () => requests[endpoint.operation](gateway(), endpoint);
        // The lines of a singleton have one parent: the second request finds what the first one found.
        const isShared = await withoutLines(gateway(), endpoint);
        const [performed, other] = [await request(), isShared ? undefined : await request()];
        const rest = await send(gateway(), endpoint, performed);
        expect(rest.status).toBeLessThan(300);
        if (isShared) await withoutLines(gateway(), endpoint);
        const explained = other ?? (await request());

        const before = await everything(gateway());
        const { status, body } = await send(gateway(), endpoint, {
          ...explained,
          query: [...explained.query, explain],
        });
        expect(status, JSON.stringify(body)).toBe(200);
        expect(await everything(gateway())).toEqual(before);

        const { operation, document, variables, kind, way, cost, statements, graphiql } = body.explanation;
        expect(operation).toBe(rest.headers.get('x-graphql-operation'));
        expect(kind).toBe(endpoint.method === 'GET' ? 'query' : 'mutation');
        expect(way).toBe('sql');
        expect(cost).toEqual({ requested: expect.any(Number), limit: 100_000 });
        if (kind === 'query') expect(statements[0]).toMatch(/^SELECT/);
        const opened = new URLSearchParams(graphiql.replace('/graphql#', ''));
        expect(opened.get('query')).toBe(document);

        const answer = await gateway().graphql(document, variables);
        expect(answer.body.errors).toBeUndefined();
        expect(alike(inRestForm(answer.body.data))).toEqual(alike(rest.body));
        const version = answer.body.data.record?._version;
        if (version !== undefined) expect(rest.headers.get('etag')).toBe(`"${version}"`);
      });
    }
  });
});

test('every endpoint is among them', () => {
  const asked = [...documentedEndpoints, ...decidedEndpoints].map(({ method, path }) => `${method} ${path}`).sort();
  // Histories, which the legacy documentation does not have, are asked in test/journal/rest.test.ts.
  const others = restOperations.filter(({ operation }) => operation !== 'history');
  expect(others.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(asked);
});

const explain = '_explain=graphql';

interface Request {
  id?: string;
  query: string[];
  body?: object;
}

/** Deletes the lines of a singleton; false where the endpoint is not of such lines. */
async function withoutLines(gateway: TestGateway, { resource }: Endpoint): Promise<boolean> {
  if (!resource.parent || documented(resource.parent).kind !== 'singleton') return false;
  const parentId = await newParent(gateway, resource);
  const { data } = (await gateway.rest('GET', `${resource.base}?parent_id=${parentId}`)).body;
  for (const { id } of data) await gateway.rest('DELETE', `${resource.base}/${id}`);
  return true;
}

/** A request that succeeds, made anew for each call: two requests do the same to records of the same content. */
const requests: Record<DocumentedOperation, (gateway: TestGateway, endpoint: Endpoint) => Promise<Request>> = {
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

const send = (gateway: TestGateway, { method, path }: Endpoint, { id = '', query, body }: Request): Promise<Answer> =>
  gateway.rest(method, `${path.replace('{id}', id)}?${query.join('&')}`, body);

/** The journal, which every change is written to, and the requests that are kept because they happen once. */
const everything = async ({ database: { client } }: TestGateway) => [
  await client.journalEntry.count(),
  await client.idempotentRequest.count(),
];

interface Data {
  record?: { _version?: number };
  page?: { data: RecordBody[]; pageInfo: { has_more: boolean }; total: number };
  lines?: RecordBody[];
}

/** What the aliases of the document leave to the form of REST. */
function inRestForm({ record, page, lines }: Data): unknown {
  if (page) return { data: page.data, has_more: page.pageInfo.has_more, total: page.total };
  if (lines) return { data: lines, has_more: false, total: lines.length };
  const { _version, ...body } = record ?? {};
  return body;
}

/** Without what differs between two records of the same content. */
function alike(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (name, value) =>
    /^(id|created_at|updated_at|total|has_more)$|_id$/.test(name) ? typeof value : value,
  );
}
