import { expect } from 'vitest';
import { shareOf } from '../support/database.js';
import { isThere } from '../support/schema.js';
import type { ClauseTests } from './clause.js';
import { each } from './each.js';
import { decidedEndpoints, documentedEndpoints } from './endpoints.js';
import { create, documented } from './records.js';

const repair = documented('Asset Repair');

/** Sections 5 to 7: authentication, events, errors. */
export const accessAndErrors: ClauseTests = (clause) => {
  clause('S5-01', async ({ url, key }) => {
    for (const scheme of ['Bearer', 'bearer']) {
      const answer = await fetch(url + repair.base, { headers: { authorization: `${scheme} ${key}` } });
      expect(answer.status).toBe(200);
    }
    expect((await fetch(`${url + repair.base}?api_key=${key}`)).status).toBe(401);
    expect((await fetch(url + repair.base, { headers: { authorization: key } })).status).toBe(401);
  });

  clause('S5-02', async ({ url, database: { provider } }) => {
    await each(shareOf(provider, [...documentedEndpoints, ...decidedEndpoints]), async ({ method, path }) => {
      const answer = await fetch(url + path.replace('{id}', 'some_id'), { method });
      const { error } = await answer.json();
      expect([answer.status, error.type, error.code], path).toEqual([401, 'authentication_error', 'api_key_missing']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    });
    const body = JSON.stringify({ query: '{ __typename }' });
    const headers = { 'content-type': 'application/json' };
    const graphql = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    expect(graphql.status).toBe(401);
    expect((await graphql.json()).errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  clause('S5-03', async ({ rest, key }) => {
    const answers: unknown[] = [];
    for (const wrong of [
      `${key}x`,
      key.slice(0, -1),
      key.toUpperCase(),
      'brg_000000000000_',
      'ключ'.replace(/./g, 'k'),
    ]) {
      const headers = { authorization: `Bearer ${wrong}`, 'x-request-id': 'same' };
      const answer = await rest('GET', repair.base, undefined, headers);
      expect([answer.status, answer.body.error.code]).toEqual([401, 'api_key_invalid']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      answers.push(answer.text);
    }
    expect(new Set(answers).size).toBe(1);
  });

  clause('S5-04', async ({ url }) => {
    for (const [method, path, body] of [
      ['GET', '/api/nothing/at-all', undefined],
      ['PUT', repair.base, '{}'],
      ['POST', repair.base, 'no json'],
      ['POST', '/graphql', 'no json'],
      ['GET', `${repair.base}?limit=x`, undefined],
    ] as const) {
      expect((await fetch(url + path, { method, body })).status, path).toBe(401);
    }
  });

  clause('S5-05', async ({ rest, graphql, config, key }) => {
    expect(config.apiKey).toBe(key);
    expect((await rest('GET', repair.base)).status).toBe(200);
    expect((await graphql('{ assetRepairs { totalCount } }')).body.errors).toBeUndefined();
  });

  clause('S6-01', async ({ rest, graphql }) => {
    for (const path of ['/api/webhooks', '/webhooks']) {
      expect((await rest('GET', path)).status, path).toBe(404);
    }
    const names = '{ fields { name } }';
    const { data } = (await graphql(`{ __schema { subscriptionType ${names} mutationType ${names} } }`)).body;
    const { subscriptionType, mutationType } = data.__schema;
    if (isThere('live')) expect(subscriptionType.fields).toContainEqual({ name: 'assetRepairChanged' });
    if (isThere('webhooks')) expect(mutationType.fields).toContainEqual({ name: 'createWebhook' });
  });

  clause('S7-01', async ({ rest }) => {
    const { body } = await rest('POST', repair.base, { asset: 'A-1' });
    expect(Object.keys(body)).toEqual(['error']);
    expect(body.error).toEqual({
      type: 'invalid_request_error',
      code: 'parameter_missing',
      message: '`failure_date` is required.',
      param: 'failure_date',
      errors: [{ param: 'failure_date', code: 'parameter_missing', message: '`failure_date` is required.' }],
      request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const unknown = await rest('GET', `${repair.base}/none`);
    expect(unknown.body.error).toMatchObject({ param: null, errors: [] });
  });

  clause('S7-02', async ({ rest }) => {
    const { status, body } = await rest('POST', '/api/crm/industry-type', {});
    expect([status, body.error.code, body.error.param]).toEqual([400, 'parameter_missing', 'industry']);
    expect(body.error.message).toContain('industry');
  });

  clause('S7-03', async ({ rest }) => {
    const sent = { repair_cost: 'x', asset: null, colour: 'red', capitalize_repair_cost: 'yes' };
    const { error } = (await rest('POST', repair.base, sent)).body;
    const found = error.errors.map(({ param, code }: { param: string; code: string }) => `${param} ${code}`);
    expect(found.sort()).toEqual([
      'asset parameter_invalid',
      'capitalize_repair_cost parameter_invalid',
      'colour parameter_unknown',
      'failure_date parameter_missing',
      'repair_cost parameter_invalid',
    ]);
    const { param, code, message } = error;
    expect({ param, code, message }).toEqual(error.errors[0]);
  });

  clause('S7-04', async ({ rest, database: { provider } }) => {
    await each(
      shareOf(
        provider,
        [...documentedEndpoints, ...decidedEndpoints].filter(({ path }) => path.includes('{id}')),
      ),
      async ({ method, path, resource }) => {
        const stranger = `${resource.slug}_00000000000000000000000000`;
        const answer = await rest(method, path.replace('{id}', stranger), method === 'PATCH' ? {} : undefined);
        const { error } = answer.body;
        expect([answer.status, error.type, error.code], path).toEqual([
          404,
          'invalid_request_error',
          'resource_missing',
        ]);
        expect(error.message).toContain(resource.title);
        expect(error.message).toContain(stranger);
      },
    );
  });

  clause('S7-05', async (gateway) => {
    const record = await create(gateway, repair);
    const { status, body } = await gateway.rest('POST', `${repair.base}/${record.id}/cancel`);
    expect([status, body.error.code]).toEqual([409, 'invalid_state']);
    expect((await gateway.rest('GET', `${repair.base}/${record.id}`)).body).toEqual(record);
  });

  clause('S7-06', async ({ rest }) => {
    const before = (await rest('GET', repair.base)).body.total;
    for (const body of ['{"secret-1234": ', 'secret-1234', '[{"secret-1234": 1}]', '"secret-1234"', 'null', '1234']) {
      // The answer contains the id of the request, which may contain these digits by chance.
      const answer = await rest('POST', repair.base, body, { 'x-request-id': 'of-a-test' });
      expect([answer.status, answer.body.error.code], body).toEqual([400, 'json_invalid']);
      expect(answer.text).not.toContain('1234');
    }
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const answer = await rest('POST', repair.base, '{"failure_date": "x", "asset": "y"}', { 'content-type': type });
      expect([answer.status, answer.body.error.code], type).toEqual([415, 'content_type_unsupported']);
    }
    expect((await rest('GET', repair.base)).body.total).toBe(before);
  });

  clause('S7-07', async ({ rest }) => {
    for (const path of [
      '/api',
      '/api/assets',
      '/api/assets/asset-repairs',
      '/api/stock/asset-repair',
      '/api/Assets/asset-repair',
      '/api/assets/Asset-Repair',
      '/api/assets/asset-repair/',
      '/api/assets/asset-repair/x/approve',
      '/api/assets/asset-repair/x/submit/now',
      '/elsewhere',
    ]) {
      const { status, body } = await rest('GET', path);
      expect([status, body?.error.code], path).toEqual([404, 'route_not_found']);
    }
  });

  clause('S7-08', async ({ rest }) => {
    for (const [method, path, allow] of [
      ['PUT', repair.base, 'GET, POST, HEAD, OPTIONS'],
      ['DELETE', repair.base, 'GET, POST, HEAD, OPTIONS'],
      ['POST', `${repair.base}/x`, 'GET, PATCH, DELETE, HEAD, OPTIONS'],
      ['GET', `${repair.base}/x/submit`, 'POST, OPTIONS'],
    ] as const) {
      const answer = await rest(method, path);
      expect([answer.status, answer.body.error.code], path).toEqual([405, 'method_not_allowed']);
      const sorted = (list: string | null) => list?.split(', ').sort();
      expect(sorted(answer.headers.get('allow'))).toEqual(sorted(allow));
    }
  });

  clause('S7-09', async (gateway) => {
    const { id } = await create(gateway, repair);
    for (const path of [repair.base, `${repair.base}/${id}`]) {
      const [get, head] = [await gateway.rest('GET', path), await gateway.rest('HEAD', path)];
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      const options = await gateway.rest('OPTIONS', path);
      expect([options.status, options.text]).toEqual([204, '']);
      expect(options.headers.get('allow')).toContain('GET');
    }
    expect((await gateway.rest('HEAD', `${repair.base}/none`)).status).toBe(404);
  });

  clause('S7-10', async ({ rest }) => {
    const accept = { accept: 'application/problem+json', 'x-request-id': 'r-1' };
    const plain = (await rest('POST', repair.base, { asset: 5 }, { 'x-request-id': 'r-1' })).body.error;
    const answer = await rest('POST', repair.base, { asset: 5 }, accept);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body).toEqual({
      ...plain,
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: plain.message,
    });
  });

  clause('S7-11', async ({ rest }) => {
    const given = await rest('GET', `${repair.base}/none`, undefined, { 'x-request-id': 'order-66.retry_2' });
    expect(given.headers.get('x-request-id')).toBe('order-66.retry_2');
    expect(given.body.error.request_id).toBe('order-66.retry_2');
    const made = await rest('GET', `${repair.base}/none`);
    expect(made.body.error.request_id).toBe(made.headers.get('x-request-id'));
    expect(made.body.error.request_id).toMatch(/^[0-9a-f]{32}$/);
  });

  clause('S7-12', async (gateway) => {
    const mutation =
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    const refused = await gateway.graphql(mutation, { input: { repairCost: 'x', asset: 'A-1' } });
    expect(refused.body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', reason: expect.any(String) });
    const problems = refused.body.errors[0].extensions.errors;
    expect(problems).toHaveLength(2);
    expect(problems).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ param: 'input.failureDate', code: 'parameter_missing' }),
        expect.objectContaining({ param: 'input.repairCost', code: 'parameter_invalid' }),
      ]),
    );
    const { id } = await create(gateway, repair);
    const cancel = await gateway.graphql('mutation ($id: ID!) { cancelAssetRepair(id: $id) { record { id } } }', {
      id,
    });
    expect(cancel.body.errors[0].extensions).toMatchObject({
      code: 'INVALID_STATE',
      currentState: 'DRAFT',
      expectedState: 'SUBMITTED',
      allowedActions: ['SUBMIT'],
    });
    const missing = await gateway.graphql('mutation { deleteAssetRepair(id: "none") { deletedId } }');
    expect(missing.body.errors[0].extensions.code).toBe('NOT_FOUND');
    expect((await gateway.graphql('{ assetRepair(id: "none") { id } }')).body).toEqual({ data: { assetRepair: null } });
  });
};
