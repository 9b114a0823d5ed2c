/** The journal in REST: a record as it was, its history, and all changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { abandonJournal } from './abandoned.js';

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  const path = '/api/assets/asset-repair';
  const get = (url: string, headers?: Record<string, string>) => gateway.rest('GET', url, undefined, headers);
  const instant = async () => {
    const now = new Date().toISOString();
    await sleep(3);
    return now;
  };

  test('a record with its lines as it was', async () => {
    const early = await instant();
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    const then = await get(`${path}/${id}`);
    const lines = await get(`/api/assets/asset-repair-consumed-item?parent_id=${id}`);
    const at = await instant();
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'mill' });
    await gateway.rest('DELETE', `/api/assets/asset-repair-consumed-item/${items[0]}`);
    const answer = await get(`${path}/${id}?as_of=${at}`);
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"1"']);
    expect(answer.body).toEqual({ ...then.body, consumed_items: lines.body.data, purchase_invoices: [] });
    expect((await get(`${path}/${id}?as_of=${at}`, { 'if-none-match': '"1"' })).status).toBe(304);
    const head = await gateway.rest('HEAD', `${path}/${id}?as_of=${at}`);
    expect([head.status, head.headers.get('etag'), head.text]).toEqual([200, '"1"', '']);
    expect(await get(`${path}/${id}?as_of=${early}`)).toMatchObject({
      status: 404,
      body: { error: { code: 'resource_missing' } },
    });
    await gateway.rest('DELETE', `${path}/${id}`);
    expect((await get(`${path}/${id}?as_of=${at}`)).body).toEqual(answer.body);
  });

  test('a singleton as it was', async () => {
    const settings = '/api/accounts/currency-exchange-settings';
    const then = (await get(settings)).body;
    const at = await instant();
    await gateway.rest('PATCH', `${settings}/currency-exchange-settings_default`, { disabled: !then.disabled });
    expect((await get(`${settings}?as_of=${at}`)).body).toMatchObject(then);
    expect((await get(`${settings}?as_of=`)).body).toEqual((await get(settings)).body);
    const before = await get(`${settings}?as_of=2001-01-01`);
    expect(before.body.error.message).toBe(
      'No Currency Exchange Settings has the id "currency-exchange-settings_default".',
    );
    const history = await get(`${settings}/currency-exchange-settings_default/history`);
    expect(history.body).toMatchObject({ data: [{ action: 'update', version: 2 }], complete: true });
  });

  test('an instant that is wrong or unknown is refused, and so is as_of where it does not apply', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const refused = async (url: string) => {
      const { status, body } = await get(url);
      return [status, body.error.code, body.error.param];
    };
    const param = 'as_of';
    const invalid = [400, 'parameter_invalid', param];
    expect(await refused(`${path}/${id}?as_of=2999-01-01`)).toEqual(invalid);
    expect(await refused(`${path}/${id}?as_of=2026-01-01T00:00:00+02:00`)).toEqual(invalid); // the + is a space
    expect(await refused(`${path}/${id}?as_of=2026-01-01&as_of=2026-01-02`)).toEqual(invalid);
    const unknown = [400, 'parameter_unknown', param];
    expect(await refused(`${path}?as_of=2026-01-01`)).toEqual(unknown);
    expect(await refused(`/api/assets/asset-repair-consumed-item/${items[0]}?as_of=2026-01-01`)).toEqual(unknown);
    expect(await refused(`/api/assets/asset-repair-consumed-item?parent_id=${id}&as_of=2026-01-01`)).toEqual(unknown);
    const { status, body } = await get(`${path}/asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd?as_of=2020-01-01`);
    expect([status, body.error.code, Date.parse(body.error.known_from) <= Date.now()]).toEqual([
      410,
      'history_incomplete',
      true,
    ]);
  });

  test('the history of a record', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    await gateway.rest('PATCH', `/api/assets/asset-repair-consumed-item/${items[0]}`, { item_code: 'BELT' });
    await gateway.rest('DELETE', `${path}/${id}`);
    const first = await get(`${path}/${id}/history?limit=2`);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ has_more: true, next: expect.any(String), complete: true });
    const [removed, changed] = first.body.data;
    expect(removed).toMatchObject({ action: 'delete', version: 2 });
    expect(changed).toEqual({
      at: expect.any(String),
      action: 'update',
      version: 2,
      by: {
        key_id: 'environment',
        key_name: expect.any(String),
        request_id: expect.any(String),
        operation: 'AssetRepairConsumedItemUpdate',
      },
      changes: [
        {
          path: ['consumed_items', items[0], 'item_code'],
          before: 'item 1',
          after: 'BELT',
          action: 'update',
          record_id: items[0],
        },
      ],
    });
    const second = await get(`${path}/${id}/history?limit=2&after=${first.body.next}`);
    expect(second.body).toMatchObject({ data: [{ action: 'create', version: 1 }], has_more: false });
    const head = await gateway.rest('HEAD', `${path}/${id}/history`);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('x-graphql-operation')).toBe('AssetRepairHistory');
    const posted = await gateway.rest('POST', `${path}/${id}/history`, {});
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await gateway.rest('OPTIONS', `${path}/${id}/history`)).status).toBe(204);
    expect((await get(`${path}/${id}/history?limit=0`)).body.error).toMatchObject({ param: 'limit' });
    // The largest documented page is within the limit of cost.
    for (const largest of [`${path}/${id}/history?limit=500`, '/api/changes?limit=500']) {
      expect((await get(largest)).status, largest).toBe(200);
    }
    expect((await get(`${path}/${id}/history?limit=501`)).body.error).toMatchObject({ param: 'limit' });
    expect((await get(`${path}/${id}/history?after=x`)).body.error).toMatchObject({ param: 'after' });
  });

  test('histories and records as they were are explained', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const at = await instant();
    for (const [url, answered] of [
      [`${path}/${id}?as_of=${at}&`, (data: Record<string, object>) => data.record],
      [`${path}/${id}/history?limit=1&`, (data: Record<string, object>) => data.history],
    ] as const) {
      const { explanation } = (await get(`${url}_explain=graphql`)).body;
      expect(explanation).toMatchObject({ way: 'resolvers', kind: 'query' });
      const { body } = await gateway.graphql(explanation.document, explanation.variables);
      expect(body.errors).toBeUndefined();
      const { pageInfo, _version, ...rest } = { pageInfo: {}, _version: 0, ...answered(body.data) };
      expect({ ...rest, ...pageInfo }).toEqual((await get(url)).body);
    }
  });

  test('a history is found only under its own type, and there is none of a record that never existed', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    for (const url of [
      `/api/crm/industry-type/${id}/history`,
      `${path}/asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd/history`,
      `/api/assets/asset-repair-consumed-item/${items[0]}/history`,
    ]) {
      expect((await get(url)).status, url).toBe(404);
    }
    const crm = await callerWith(gateway, 'crm:read');
    expect((await crm.rest('GET', `/api/crm/industry-type/${id}/history`)).status).toBe(404);
    expect((await crm.rest('GET', `${path}/${id}/history`)).status).toBe(403);
    expect((await crm.rest('GET', `${path}/${id}?as_of=2026-01-01`)).status).toBe(403);
  });

  test('the history of a record that the journal does not know is empty, not missing', async () => {
    await abandonJournal(gateway.database);
    const env = { DATABASE_URL: gateway.config.databaseUrl, JOURNAL: 'false' };
    const without = await startGateway({ database, env });
    const { id } = await createRepair(without);
    const { status, body } = await without.rest('GET', `${path}/${id}/history`);
    await without.close();
    const again = await startGateway({ database, env: { DATABASE_URL: gateway.config.databaseUrl } });
    await again.close();
    expect([status, body]).toEqual([200, { data: [], has_more: false, next: null, complete: false }]);
  });

  test('all changes after a position', async () => {
    const { last } = await gateway.journal.continuationOf(0);
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'mill' });
    const all = await get(`/api/changes?after=${last}&limit=2`);
    expect(all.status).toBe(200);
    expect(all.body).toMatchObject({ position: all.body.data[1].position, has_more: true });
    expect(all.body.data[1]).toMatchObject({
      action: 'create',
      type: 'asset-repair-consumed-item',
      id: items[0],
      document_id: id,
      version: 1,
      by: { key_id: 'environment' },
      changes: expect.arrayContaining([
        {
          path: ['consumed_items', items[0], 'item_code'],
          before: null,
          after: 'item 1',
          action: 'create',
          record_id: items[0],
        },
      ]),
    });
    const some = await get(`/api/changes?after=${last}&types=asset-repair,industry-type&actions=update,delete`);
    expect(some.body.data).toMatchObject([{ action: 'update', id, changes: [{ path: ['asset'] }] }]);
    expect((await get(`/api/changes?after=${some.body.position}`)).body).toEqual({
      data: [],
      has_more: false,
      position: some.body.position,
    });
    const head = await gateway.rest('HEAD', `/api/changes?after=${last}`);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('x-graphql-operation')).toBe('Changes');
    const ignored = await get(`/api/changes?after=${last}&type=asset-repair`);
    expect(ignored.headers.get('x-ignored-parameters')).toBe('type');
  });

  test('wrong parameters, other methods and keys that may read nothing are refused', async () => {
    const refused = async (query: string) => {
      const { status, body } = await get(`/api/changes?${query}`);
      return [status, body.error.code, body.error.param];
    };
    for (const [param, value] of [
      ['after', '-1'],
      ['after', '1.5'],
      ['after', 'x'],
      ['after', '900000000000000'],
      ['limit', '0'],
      ['limit', '501'],
      ['types', 'asset-repairs'],
      ['types', ''],
      ['actions', 'create,'],
    ]) {
      expect(await refused(`${param}=${value}`), value).toEqual([400, 'parameter_invalid', param]);
    }
    expect((await get('/api/changes?types=asset-repairs')).body.error.message).toContain('"asset-repair"');
    expect((await get('/api/changes?types=Nope')).body.error.message).toContain('`/openapi.json` lists what it takes');
    expect((await get('/api/changes?actions=burn')).body.error.message).toMatch(
      /"burn", which is not known here; it takes create, /,
    );
    const posted = await gateway.rest('POST', '/api/changes', {});
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const options = await gateway.rest('OPTIONS', '/api/changes');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    expect((await gateway.rest('GET', '/api/changes', undefined, { authorization: 'Bearer x' })).status).toBe(401);
    const writer = await callerWith(gateway, 'assets:write');
    expect((await writer.rest('GET', '/api/changes')).status).toBe(403);
    const crm = await callerWith(gateway, 'crm:read');
    expect((await crm.rest('GET', '/api/changes?types=asset-repair')).body.error.missing_scopes).toEqual([
      'assets:read',
    ]);
    const many = await gateway.graphql(
      'query ($a: [ChangeAction!]) { changes(actions: $a, first: 1) { nodes { action } } }',
      {
        a: Array(1_000).fill('CREATE'),
      },
    );
    expect(many.body.data?.changes.nodes).toEqual([{ action: 'CREATE' }]);
    const problem = await get('/api/changes?limit=x', { accept: 'application/problem+json' });
    expect(problem.body).toMatchObject({ status: 400, param: 'limit' });
  });
});
