import { expect } from 'vitest';
import type { ClauseTests } from './clause.js';
import { decidedOperations } from './decided.js';
import { type DocumentedResource, documentedResources } from './document.js';
import { modelName } from './documented-fields.js';
import { each } from './each.js';
import { decidedEndpoints, documentedEndpoints } from './endpoints.js';
import { oneOf } from './graphql-names.js';
import { create, documented, minimalBody, newParent, type RecordBody } from './records.js';

const ofKind = (kind: DocumentedResource['kind']) => documentedResources.filter((resource) => resource.kind === kind);
const withParent = ofKind('child').filter(({ parent }) => parent !== undefined);

/** Sections 4.3 to 4.5: the path and the operations of each resource. */
export const bases: ClauseTests = (clause) => {
  clause('S4.3-01', async ({ rest }) => {
    expect(ofKind('resource')).toHaveLength(19);
    const offered = [...documentedEndpoints, ...decidedEndpoints];
    await each([...new Set(offered.map(({ path }) => path))], async (path) => {
      const methods = offered.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
      const allow = (await rest('OPTIONS', path.replace('{id}', 'some_id'))).headers.get('allow') ?? '';
      const own = allow.split(', ').filter((method) => method !== 'HEAD' && method !== 'OPTIONS');
      // A path that ends in `/reorder` could also be read as `/{id}`; OPTIONS names the methods of each.
      const alsoRead = path.endsWith('/reorder') ? ['GET', 'PATCH', 'DELETE'] : [];
      expect(own.sort(), path).toEqual([...new Set([...methods, ...alsoRead])].sort());
    });
  });

  clause('S4.3-02', async (gateway) => {
    const { id } = await create(gateway, documented('Signing Signature'));
    for (const action of ['submit', 'cancel']) {
      const { status, body } = await gateway.rest('POST', `/api/signing/signing-signature/${id}/${action}`);
      expect([status, body.error.code]).toEqual([404, 'route_not_found']);
    }
  });

  clause('S4.3-03', async ({ rest }) => {
    expect((await rest('POST', '/api/accounts/bank-reconciliation-tool', {})).status).toBe(201);
    expect((await rest('POST', '/api/accounts/bank-reconciliation-tool')).status).toBe(201);
  });

  clause('S4.3-04', async (gateway) => {
    const quotation = documented('Quotation');
    expect(quotation.operations).toEqual(['retrieve', 'list', 'create']);
    expect(decidedOperations(quotation)).toEqual(['update', 'delete', 'submit', 'cancel']);
    const { id } = await create(gateway, quotation);
    const path = `${quotation.base}/${id}`;
    expect((await gateway.rest('PATCH', path, { terms: '30 days' })).body.terms).toBe('30 days');
    expect((await gateway.rest('POST', `${path}/submit`)).body.status).toBe('submitted');
    expect((await gateway.rest('POST', `${path}/cancel`)).body.status).toBe('cancelled');
    expect((await gateway.rest('DELETE', path)).body).toEqual({ id, deleted: true });
  });

  clause('S4.3-05', async (gateway) => {
    const order = documented('Subcontracting Order');
    expect(order.operations).not.toContain('cancel');
    const { id } = await create(gateway, order);
    await gateway.rest('POST', `${order.base}/${id}/submit`);
    const { status, body } = await gateway.rest('POST', `${order.base}/${id}/cancel`);
    expect([status, body.status]).toEqual([200, 'cancelled']);
  });

  clause('S4.3-06', async ({ rest }) => {
    for (const base of [
      '/api/subcontracting/subcontracting-order-item',
      '/api/subcontracting/subcontracting-order-service-item',
      '/api/crm/quotation-item',
    ]) {
      const { status, body } = await rest('GET', `${base}?parent_id=x`);
      expect([status, body.error.code], base).toEqual([404, 'route_not_found']);
    }
  });

  clause('S4.4-01', async ({ rest }) => {
    for (const { base, slug } of ofKind('singleton')) {
      const { status, body } = await rest('GET', base);
      expect([status, body.id], base).toEqual([200, `${slug}_default`]);
      expect((await rest('GET', base)).body).toEqual(body);
    }
  });

  clause('S4.4-02', async ({ rest }) => {
    const base = '/api/accounts/subscription-settings';
    const before = (await rest('GET', base)).body;
    const { status, body } = await rest('PATCH', `${base}/${before.id}`, { grace_period: 30 });
    expect([status, body]).toEqual([200, { ...before, grace_period: 30, updated_at: body.updated_at }]);
    expect((await rest('GET', base)).body).toEqual(body);
    expect((await rest('PATCH', `${base}/${before.id}`, { grace_period: null })).body.grace_period).toBe(1);
  });

  clause('S4.4-03', async ({ rest }) => {
    for (const { base, slug } of ofKind('singleton')) {
      expect((await rest('PATCH', `${base}/${slug}_default`, {})).status).toBe(200);
      for (const id of ['default', `${slug}_00000000000000000000000000`, slug]) {
        const { status, body } = await rest('PATCH', `${base}/${id}`, {});
        expect([status, body.error.code], id).toEqual([404, 'resource_missing']);
      }
    }
  });

  clause('S4.4-04', async ({ rest }) => {
    for (const { base, slug } of ofKind('singleton')) {
      for (const [method, path, allow] of [
        ['POST', base, 'GET, HEAD, OPTIONS'],
        ['DELETE', base, 'GET, HEAD, OPTIONS'],
        ['POST', `${base}/${slug}_default`, 'PATCH, OPTIONS'],
        ['DELETE', `${base}/${slug}_default`, 'PATCH, OPTIONS'],
      ] as const) {
        const answer = await rest(method, path, method === 'POST' ? {} : undefined);
        expect([answer.status, answer.headers.get('allow')], `${method} ${path}`).toEqual([405, allow]);
      }
      expect((await rest('GET', `${base}?limit=1`)).body).not.toHaveProperty('data');
    }
  });

  clause('S4.5-01', async (gateway) => {
    expect(withParent).toHaveLength(15);
    await each(withParent, async (resource) => {
      const { rest } = gateway;
      const { base } = resource;
      const parentId = await newParent(gateway, resource);
      const created = await rest('POST', base, await minimalBody(gateway, resource, parentId));
      const ids = (await rest('GET', `${base}?parent_id=${parentId}`)).body.data.map(({ id }: RecordBody) => id);
      const { id } = created.body;
      expect(ids, base).toContain(id);
      const statuses = [
        created.status,
        (await rest('PATCH', `${base}/${id}`, {})).status,
        (await rest('POST', `${base}/reorder`, { parent_id: parentId, ids })).status,
        (await rest('DELETE', `${base}/${id}`)).status,
      ];
      expect(statuses, base).toEqual([201, 200, 200, 200]);
    });
  });

  clause('S4.5-02', async (gateway) => {
    await each(withParent, async (resource) => {
      const parent = documented(resource.parent ?? '');
      const parentId = await newParent(gateway, resource);
      const { id } = await create(gateway, resource, {}, parentId);
      const query = `query ($id: ID!) { node(id: $id) { ... on ${modelName(resource.title)} { parent: ${oneOf(parent)} { __typename id } } } }`;
      const { data } = (await gateway.graphql(query, { id })).body;
      expect(data.node.parent).toEqual({ __typename: modelName(parent.title), id: parentId });
    });
  });

  clause('S4.5-03', async (gateway) => {
    const customer = documented('Process Statement Of Accounts Customer');
    expect(customer.operations).toEqual(['list', 'create', 'update']);
    const parentId = await newParent(gateway, customer);
    const first = await create(gateway, customer, {}, parentId);
    const second = await create(gateway, customer, {}, parentId);
    const order = { parent_id: parentId, ids: [second.id, first.id] };
    const { body } = await gateway.rest('POST', `${customer.base}/reorder`, order);
    expect(body.data.map(({ id }: RecordBody) => id)).toEqual(order.ids);
    expect((await gateway.rest('DELETE', `${customer.base}/${second.id}`)).body.deleted).toBe(true);
    expect((await gateway.rest('GET', `${customer.base}/${first.id}`)).body.idx).toBe(1);
  });

  clause('S4.5-04', async ({ rest }) => {
    const { body } = await rest('POST', '/api/accounts/sales-invoice-payment', { mode_of_payment: 'Cash' });
    const missing = body.error.errors.map(({ param }: { param: string }) => param);
    expect(missing).toEqual(['parent_id', 'parent_type']);
  });

  clause('S4.5-05', async ({ rest }) => {
    const { body } = await rest('POST', '/api/manufacturing/job-card-time-log', { employee: 'E-1' });
    const missing = body.error.errors.map(({ param }: { param: string }) => param);
    expect(missing).toEqual(['parent_id', 'parent_type']);
  });

  clause('S4.5-06', async (gateway) => {
    for (const title of ['Sales Invoice Payment', 'Job Card Time Log']) {
      const resource = documented(title);
      // A parent held elsewhere may be called anything.
      const parentId = `${title} & Söhne/2026?#1`;
      const line = await create(gateway, resource, {}, parentId);
      const answer = await gateway.rest('GET', `${resource.base}?parent_id=${encodeURIComponent(parentId)}`);
      expect(Object.keys(answer.body)).toEqual(['data', 'has_more', 'total']);
      expect(answer.body).toEqual({ data: [line], has_more: false, total: 1 });
    }
  });

  clause('S4.5-07', async (gateway) => {
    const industry = documented('Industry Type');
    await create(gateway, industry);
    const plain = (await gateway.rest('GET', `${industry.base}?limit=5`)).body;
    const more = await gateway.rest('GET', `${industry.base}?limit=5&industry=none&sort=asc&filter[x]=1&__proto__=2`);
    expect([more.status, more.body]).toEqual([200, plain]);
    for (const repeated of ['limit=1&limit=2', 'offset=0&offset=0', 'limit=1&offset=1&limit=1']) {
      const { status, body } = await gateway.rest('GET', `${industry.base}?${repeated}`);
      expect([status, body.error?.param], repeated).toEqual([400, repeated.slice(0, repeated.indexOf('='))]);
    }
    const twice = await gateway.rest('GET', '/api/accounts/sales-invoice-payment?parent_id=a&parent_id=b');
    expect([twice.status, twice.body.error.param]).toEqual([400, 'parent_id']);
  });
};
