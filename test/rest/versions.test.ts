import { beforeAll, describe, expect, it } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

const base = '/api/assets/asset-repair';
const lines = '/api/assets/asset-repair-consumed-item';

describe.each(['sqlite', 'postgresql'] as const)('the version of a record over REST, on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await sharedGateway(database, true);
  });

  const create = async () => {
    const { body, headers } = await gateway.rest('POST', base, { asset: 'PRESS-2', failure_date: '2026-02-01' });
    return { path: `${base}/${body.id}`, id: body.id as string, etag: headers.get('etag') ?? '' };
  };

  it('is the ETag of every single record and raised by every write', async () => {
    const { path, etag } = await create();
    expect(etag).toBe('"1"');
    expect((await gateway.rest('PATCH', path, { description: 'x' })).headers.get('etag')).toBe('"2"');
    expect((await gateway.rest('POST', `${path}/submit`)).headers.get('etag')).toBe('"3"');
    const read = await gateway.rest('GET', path);
    expect(read.headers.get('etag')).toBe('"3"');
    expect(read.body).not.toHaveProperty('_version');
  });

  it('is raised by writing a line, for the document is the parent with its lines', async () => {
    const { path, id } = await create();
    const line = await gateway.rest('POST', lines, { asset_repair_id: id, item_code: 'BOLT', warehouse: 'Stores' });
    expect((await gateway.rest('GET', path)).headers.get('etag')).toBe('"2"');
    const other = await gateway.rest('POST', lines, { asset_repair_id: id, item_code: 'NUT', warehouse: 'Stores' });
    await gateway.rest('PATCH', `${lines}/${line.body.id}`, { total_value: 3 });
    await gateway.rest('POST', `${lines}/reorder`, { parent_id: id, ids: [other.body.id, line.body.id] });
    await gateway.rest('DELETE', `${lines}/${line.body.id}`);
    expect((await gateway.rest('GET', path)).headers.get('etag')).toBe('"6"');
  });

  it('answers 304 without a body to a client that has it already', async () => {
    const { path, etag } = await create();
    for (const known of [etag, `W/${etag}`, `"9", ${etag}`, '*']) {
      const { status, text } = await gateway.rest('GET', path, undefined, { 'if-none-match': known });
      expect([known, status, text]).toEqual([known, 304, '']);
    }
    expect((await gateway.rest('GET', path, undefined, { 'if-none-match': '"2"' })).status).toBe(200);
  });

  it.each([
    ['PATCH', '', { description: 'stale' }],
    ['POST', '/submit', undefined],
    ['DELETE', '', undefined],
  ] as const)('stops a stale %s%s with 412, the current version, and no change', async (method, suffix, body) => {
    const { path, etag } = await create();
    await gateway.rest('PATCH', path, { description: 'newer' }, { 'if-match': etag });
    for (const stale of [etag, 'W/"2"', '"x"']) {
      const refused = await gateway.rest(method, path + suffix, body, { 'if-match': stale });
      expect([stale, refused.status, refused.headers.get('etag')]).toEqual([stale, 412, '"2"']);
      expect(refused.body.error).toMatchObject({
        type: 'conflict_error',
        code: 'version_conflict',
        current_version: 2,
      });
    }
    const read = await gateway.rest('GET', path);
    expect([read.headers.get('etag'), read.body.description, read.body.status]).toEqual(['"2"', 'newer', 'draft']);
    expect((await gateway.rest(method, path + suffix, body, { 'if-match': '"2"' })).status).toBe(200);
  });

  it.each([
    ['PATCH', '', { description: 'in time' }],
    ['POST', '/submit', undefined],
    ['DELETE', '', undefined],
  ] as const)('may be any of those that If-Match lists for %s%s', async (method, suffix, body) => {
    for (const listed of ['"9", "2"', '"2","9"', ' "x" ,"1",, "2"', 'W/"2", "2"', '"9", "2", "7", "1"']) {
      const { path } = await create();
      await gateway.rest('PATCH', path, { description: 'newer' });
      const { status } = await gateway.rest(method, path + suffix, body, { 'if-match': listed });
      expect([listed, status]).toEqual([listed, 200]);
    }
  });

  it('is none of those that If-Match lists, where they are older, weak or not ours', async () => {
    const { path } = await create();
    await gateway.rest('PATCH', path, { description: 'newer' });
    for (const listed of ['"9", "1"', 'W/"2", W/"9"', '2, 1', '"02x", "2"x', "'2', 2", '"9", *', '"a,2,b"', '""']) {
      const refused = await gateway.rest('PATCH', path, { description: 'late' }, { 'if-match': listed });
      expect([listed, refused.status, refused.headers.get('etag')]).toEqual([listed, 412, '"2"']);
    }
    expect((await gateway.rest('GET', path)).body.description).toBe('newer');
  });

  it('is one of a list for exactly one of many who send the same list at once', async () => {
    const { path } = await create();
    const send = () => gateway.rest('PATCH', path, { description: 'x' }, { 'if-match': '"7", "1"' });
    const answers = await Promise.all(Array.from({ length: 10 }, send));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(9);
  });

  it('submits once with a list and an Idempotency-Key', async () => {
    const { path } = await create();
    const headers = { 'if-match': '"7", "1"', 'idempotency-key': `${database}-list` };
    const [first, second] = [
      await gateway.rest('POST', `${path}/submit`, undefined, headers),
      await gateway.rest('POST', `${path}/submit`, undefined, headers),
    ];
    expect([first.status, first.headers.get('etag'), second.text]).toEqual([200, '"2"', first.text]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('may be anything where If-Match is *, and an unknown id stays 404', async () => {
    const { path } = await create();
    expect((await gateway.rest('PATCH', path, {}, { 'if-match': '*' })).status).toBe(200);
    expect((await gateway.rest('PATCH', `${base}/none`, {}, { 'if-match': '"1"' })).status).toBe(404);
  });
});
