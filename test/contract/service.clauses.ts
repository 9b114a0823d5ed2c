import { expect } from 'vitest';
import type { ClauseTests } from './clause.js';
import { documentedResources } from './document.js';
import { each } from './each.js';
import { create, documented, minimalBody } from './records.js';

const topLevel = documentedResources.filter(({ kind }) => kind === 'resource');

/** Section 1: what the service does. */
export const service: ClauseTests = (clause) => {
  clause('S1-01', async ({ rest }) => {
    const base = '/api/crm/industry-type';
    for (const answer of [
      await rest('POST', base, { industry: 'Mining' }),
      await rest('GET', base),
      await rest('POST', base, {}),
      await rest('GET', `${base}/nothing`),
      await rest('PUT', base, {}),
      await rest('GET', '/api/nothing'),
    ]) {
      expect(answer.headers.get('content-type'), answer.text).toBe('application/json; charset=utf-8');
      expect(answer.body).toEqual(JSON.parse(answer.text));
    }
  });

  clause('S1-02', async ({ rest }) => {
    const areas = [
      'signing',
      'accounts',
      'setup',
      'assets',
      'subcontracting',
      'stock',
      'manufacturing',
      'crm',
      'projects',
    ];
    expect([...new Set(documentedResources.map(({ area }) => area))].sort()).toEqual([...areas].sort());
    await each(documentedResources, async ({ base, kind }) => {
      expect((await rest('GET', kind === 'child' ? `${base}?parent_id=x` : base)).status, base).toBe(200);
    });
  });

  clause('S1-03', async (gateway) => {
    const { rest } = gateway;
    await each(topLevel, async (resource) => {
      const { id } = (await rest('POST', resource.base, await minimalBody(gateway, resource))).body;
      const path = `${resource.base}/${id}`;
      expect((await rest('GET', path)).body.id).toBe(id);
      expect((await rest('GET', resource.base)).body.data[0].id).toBe(id);
      expect((await rest('PATCH', path, {})).body.id).toBe(id);
      expect((await rest('DELETE', path)).body).toEqual({ id, deleted: true });
      expect((await rest('GET', path)).status).toBe(404);
    });
  });

  clause('S1-04', async (gateway) => {
    const repair = documented('Asset Repair');
    const { id, status } = await create(gateway, repair);
    const moved = [status];
    for (const operation of ['submit', 'cancel']) {
      moved.push((await gateway.rest('POST', `${repair.base}/${id}/${operation}`)).body.status);
    }
    expect(moved).toEqual(['draft', 'submitted', 'cancelled']);
  });

  clause('S1-05', async (gateway) => {
    const { id: parentId } = await create(gateway, documented('Timesheet'));
    const detail = documented('Timesheet Detail');
    const line = await create(gateway, detail, {}, parentId);
    await create(gateway, detail);
    expect((await gateway.rest('GET', `${detail.base}?parent_id=${parentId}`)).body.data).toEqual([line]);
  });

  clause('S1-06', async ({ rest }) => {
    const singletons = documentedResources.filter(({ kind }) => kind === 'singleton');
    expect(singletons.map(({ title }) => title)).toEqual(['Currency Exchange Settings', 'Subscription Settings']);
    await each(singletons, async ({ base }) => {
      expect((await rest('GET', base)).body).not.toHaveProperty('data');
      expect((await rest('POST', base, {})).status).toBe(405);
    });
  });

  clause('S1-07', async (gateway) => {
    const uom = documented('UOM Category');
    const body = await minimalBody(gateway, uom);
    const answer = await gateway.rest('POST', uom.base, body, { 'x-forwarded-host': 'elsewhere.example' });
    expect(answer.headers.get('location')).toBe(`${uom.base}/${answer.body.id}`);
    expect(answer.text).not.toContain(new URL(gateway.url).host);
  });

  clause('S1-08', async ({ rest }) => {
    const send = (type: string) =>
      rest('POST', '/api/crm/industry-type', '{"industry": "Mining"}', { 'content-type': type });
    expect((await send('application/json')).status).toBe(201);
    expect((await send('application/json; charset=utf-8')).status).toBe(201);
    expect((await send('text/plain')).status).toBe(415);
  });
};
