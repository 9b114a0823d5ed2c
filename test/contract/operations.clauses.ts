import { expect } from 'vitest';
import { shareOf } from '../support/database.js';
import type { ClauseTests } from './clause.js';
import { documentedResources, documentLike } from './document.js';
import { each } from './each.js';
import { recordNames } from './graphql-names.js';
import { create, documented, minimalBody, type RecordBody } from './records.js';

/** Of all sizes; `endpoints.test.ts` calls the same of every resource. */
const several = ['Asset Repair', 'Quotation', 'Serial No', 'UOM Category'].map(documented);
const repair = documented('Asset Repair');

/** Sections 4 and 4.1: the standard operations of a top-level resource. */
export const operations: ClauseTests = (clause) => {
  clause('S4-01', async (gateway) => {
    const record = await create(gateway, repair);
    const encoded = [...record.id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    for (const id of [record.id, encoded, record.id.replace('_', '%5F')]) {
      expect((await gateway.rest('GET', `${repair.base}/${id}`)).body, id).toEqual(record);
    }
    expect((await gateway.rest('GET', `${repair.base}/${record.id}%20`)).status).toBe(404);
    expect((await gateway.rest('GET', `${repair.base}/${record.id.toUpperCase()}`)).status).toBe(404);
  });

  clause('S4.1-01', async (gateway) => {
    await each(several, async (resource) => {
      const record = await create(gateway, resource);
      const answer = await gateway.rest('GET', `${resource.base}/${record.id}`);
      expect(answer.status).toBe(200);
      expect(answer.body, resource.title).toEqual(record);
    });
  });

  clause('S4.1-02', async (gateway) => {
    await each(several, async (resource) => {
      const before = (await gateway.rest('GET', resource.base)).body.total;
      const record = await create(gateway, resource);
      const answer = await gateway.rest('GET', `${resource.base}?limit=1`);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual(['data', 'has_more', 'total']);
      expect(answer.body).toEqual({ data: [record], has_more: before > 0, total: before + 1 });
    });
  });

  clause('S4.1-03', async (gateway) => {
    await each(several, async (resource) => {
      const ids = [];
      for (let index = 0; index < 3; index++) ids.unshift((await create(gateway, resource)).id);
      const { data } = (await gateway.rest('GET', `${resource.base}?limit=3`)).body;
      expect(
        data.map(({ id }: RecordBody) => id),
        resource.title,
      ).toEqual(ids);
    });
  });

  clause('S4.1-04', async (gateway) => {
    await each(several, async (resource) => {
      const record = await create(gateway, resource);
      const listed = (await gateway.rest('GET', `${resource.base}?limit=1`)).body.data[0];
      expect(Object.keys(listed)).toEqual(recordNames(resource));
      expect(listed).toEqual(record);
    });
  });

  clause('S4.1-05', async (gateway) => {
    await each(several, async (resource) => {
      const body = await minimalBody(gateway, resource);
      const answer = await gateway.rest('POST', resource.base, body);
      expect(answer.status, resource.title).toBe(201);
      expect(answer.body).toMatchObject(body);
      const location = answer.headers.get('location') ?? '';
      expect(location).toBe(`${resource.base}/${answer.body.id}`);
      expect((await gateway.rest('GET', location)).body).toEqual(answer.body);
    });
  });

  clause('S4.1-06', async (gateway) => {
    const values = { description: 'Bearing replaced', repair_cost: 12.5, project: 'P-1' };
    const record = await create(gateway, repair, values);
    const path = `${repair.base}/${record.id}`;
    const answer = await gateway.rest('PATCH', path, { description: 'Shaft replaced', downtime: '2 h' });
    expect(answer.status).toBe(200);
    const { updated_at } = answer.body;
    expect(answer.body).toEqual({ ...record, description: 'Shaft replaced', downtime: '2 h', updated_at });
    expect((await gateway.rest('GET', path)).body).toEqual(answer.body);
  });

  clause('S4.1-07', async (gateway) => {
    await each(several, async (resource) => {
      const { id } = await create(gateway, resource);
      const answer = await gateway.rest('DELETE', `${resource.base}/${id}`);
      expect(answer.status, resource.title).toBe(200);
      expect(answer.text).toBe(JSON.stringify({ id, deleted: true }));
    });
  });

  clause('S4.1-08', async (gateway) => {
    const { id } = await create(gateway, repair);
    const before = (await gateway.rest('GET', repair.base)).body.total;
    const path = `${repair.base}/${id}`;
    await gateway.rest('DELETE', path);
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/submit'],
      ['POST', '/cancel'],
    ] as const) {
      const answer = await gateway.rest(method, path + suffix, method === 'PATCH' ? {} : undefined);
      expect(answer.status, method + suffix).toBe(404);
    }
    const list = (await gateway.rest('GET', repair.base)).body;
    expect(list.total).toBe(before - 1);
    expect(list.data.map((record: RecordBody) => record.id)).not.toContain(id);
  });

  clause('S4.1-09', async (gateway) => {
    await each(shareOf(gateway.database.provider, documentLike.map(documented)), async (resource) => {
      const { id } = await create(gateway, resource);
      const submitted = await gateway.rest('POST', `${resource.base}/${id}/submit`);
      expect([submitted.status, submitted.body.status], resource.title).toEqual([200, 'submitted']);
      const cancelled = await gateway.rest('POST', `${resource.base}/${id}/cancel`, { status: 'draft', nonsense: 1 });
      expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
    });
  });

  clause('S4.1-10', async (gateway) => {
    await each(shareOf(gateway.database.provider, documentedResources), async (resource) => {
      const isSingleton = resource.kind === 'singleton';
      const record = isSingleton ? (await gateway.rest('GET', resource.base)).body : await create(gateway, resource);
      expect(Object.keys(record), resource.title).toEqual(recordNames(resource));
      expect(Object.values(record)).not.toContain(undefined);
    });
  });

  clause('S4.1-11', async (gateway) => {
    const ofRecords = documentedResources.filter(({ parent }) => parent && documented(parent).kind === 'resource');
    await each(shareOf(gateway.database.provider, ofRecords), async (resource) => {
      const parent = documented(resource.parent ?? '');
      const { id: parentId } = await create(gateway, parent);
      const child = await create(gateway, resource, {}, parentId);
      const stranger = await create(gateway, resource);
      await gateway.rest('DELETE', `${parent.base}/${parentId}`);
      expect((await gateway.rest('GET', `${resource.base}/${child.id}`)).status, resource.title).toBe(404);
      expect((await gateway.rest('GET', `${resource.base}?parent_id=${parentId}`)).body.total).toBe(0);
      expect((await gateway.rest('GET', `${resource.base}/${stranger.id}`)).status).toBe(200);
    });
  });
};
