/** Sections 4.1 to 4.5: every endpoint is called over HTTP, documented and decided ones. */
import { describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import type { DocumentedOperation } from './document.js';
import { documentedFields, parentReference } from './documented-fields.js';
import { decidedEndpoints, documentedEndpoints, type Endpoint } from './endpoints.js';
import { recordNames } from './graphql-names.js';
import { onBothDatabases } from './on-both-databases.js';
import { create, minimalBody, newParent, type RecordBody, someRecord } from './records.js';
import { otherValue } from './values.js';

test('the endpoints are 197 documented and 24 decided, all different', () => {
  const endpoints = [...documentedEndpoints, ...decidedEndpoints].map(({ method, path }) => `${method} ${path}`);
  expect([documentedEndpoints.length, decidedEndpoints.length]).toEqual([197, 24]);
  expect(new Set(endpoints).size).toBe(197 + 24);
});

onBothDatabases((gateway, share) => {
  describe.each([
    ['documented', documentedEndpoints],
    ['an extension', decidedEndpoints],
  ])('%s', (_, endpoints) => {
    for (const endpoint of share(endpoints)) {
      test(`${endpoint.method} ${endpoint.path}`, () => calls[endpoint.operation](gateway(), endpoint));
    }
  });
});

type Call = (gateway: TestGateway, endpoint: Endpoint) => Promise<void>;

const calls: Record<DocumentedOperation, Call> = {
  retrieve: async (gateway, { resource, path }) => {
    const record = await someRecord(gateway, resource);
    const answer = await gateway.rest('GET', path.replace('{id}', record.id));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(recordNames(resource));
    expect(answer.body).toEqual(record);
  },

  list: async (gateway, { resource, path }) => {
    const parentId = resource.kind === 'child' ? await newParent(gateway, resource) : undefined;
    const records = [await create(gateway, resource, {}, parentId), await create(gateway, resource, {}, parentId)];
    if (!parentId) records.reverse();
    const answer = await gateway.rest('GET', parentId ? `${path}?parent_id=${parentId}` : `${path}?limit=2`);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data', 'has_more', 'total']);
    expect(answer.body.total).toBeGreaterThanOrEqual(2);
    expect(answer.body.has_more).toBe(answer.body.total > answer.body.data.length);
    // The singleton's children are those of all tests.
    const data: RecordBody[] = answer.body.data.slice(-2);
    expect(data).toEqual(records);
    for (const record of data) expect(Object.keys(record)).toEqual(recordNames(resource));
  },

  create: async (gateway, { resource, path }) => {
    const body = await minimalBody(gateway, resource);
    const answer = await gateway.rest('POST', path, body);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${path}/${answer.body.id}`);
    expect(Object.keys(answer.body)).toEqual(recordNames(resource));
    expect(answer.body).toMatchObject(body);
    expect((await gateway.rest('GET', `${path}/${answer.body.id}`)).body).toEqual(answer.body);
  },

  update: async (gateway, { resource, path }) => {
    const record = await someRecord(gateway, resource);
    const field = documentedFields(resource).findLast(({ name }) => name !== parentReference(resource));
    if (!field) throw new Error(`${resource.title} has nothing to change`);
    const value = otherValue(field, record[field.name]);
    const answer = await gateway.rest('PATCH', path.replace('{id}', record.id), { [field.name]: value });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('location')).toBeNull();
    expect(Object.keys(answer.body)).toEqual(recordNames(resource));
    const touched = resource.kind === 'child' ? {} : { updated_at: answer.body.updated_at };
    expect(answer.body).toEqual({ ...record, [field.name]: value, ...touched });
  },

  delete: async (gateway, { resource, path }) => {
    const { id } = await create(gateway, resource);
    const answer = await gateway.rest('DELETE', path.replace('{id}', id));
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(JSON.stringify({ id, deleted: true }));
    expect((await gateway.rest('GET', `${resource.base}/${id}`)).status).toBe(404);
  },

  submit: async (gateway, { resource, path }) => {
    const record = await create(gateway, resource);
    const answer = await gateway.rest('POST', path.replace('{id}', record.id));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(recordNames(resource));
    expect(answer.body).toEqual({ ...record, status: 'submitted', updated_at: answer.body.updated_at });
  },

  cancel: async (gateway, { resource, path }) => {
    const record = await create(gateway, resource);
    await gateway.rest('POST', `${resource.base}/${record.id}/submit`);
    const answer = await gateway.rest('POST', path.replace('{id}', record.id));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(recordNames(resource));
    expect(answer.body).toEqual({ ...record, status: 'cancelled', updated_at: answer.body.updated_at });
  },

  reorder: async (gateway, { resource, path }) => {
    const parentId = await newParent(gateway, resource);
    for (let index = 0; index < 2; index++) await create(gateway, resource, {}, parentId);
    const before: RecordBody[] = (await gateway.rest('GET', `${resource.base}?parent_id=${parentId}`)).body.data;
    const after = before.toReversed().map((line, index) => ({ ...line, idx: index + 1 }));
    const body = { parent_id: parentId, ids: after.map(({ id }) => id) };
    const answer = await gateway.rest('POST', path, body);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data', 'has_more', 'total']);
    expect(answer.body).toEqual({ data: after, has_more: false, total: after.length });
    for (const line of answer.body.data) expect(Object.keys(line)).toEqual(recordNames(resource));
  },
};
