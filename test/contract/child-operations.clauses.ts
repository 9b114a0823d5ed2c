import { expect } from 'vitest';
import type { ClauseTests } from './clause.js';
import { documentedResources } from './document.js';
import { each } from './each.js';
import { create, documented, minimalBody, newParent, type RecordBody, type Rest } from './records.js';

const children = documentedResources.filter(({ kind }) => kind === 'child');
/** One of each sort of parent; `endpoints.test.ts` calls the same of every child. */
const several = ['Timesheet Detail', 'Currency Exchange Settings Result', 'Job Card Time Log'].map(documented);
const item = documented('Asset Repair Consumed Item');

/** Section 4.2: the standard operations of a child collection. */
export const childOperations: ClauseTests = (clause) => {
  clause('S4.2-01', async (gateway) => {
    await each(several, async (resource) => {
      const parentId = await newParent(gateway, resource);
      const before = (await gateway.rest('GET', `${resource.base}?parent_id=${parentId}`)).body.data;
      const lines = [await create(gateway, resource, {}, parentId), await create(gateway, resource, {}, parentId)];
      if (resource.parent !== 'Currency Exchange Settings') await create(gateway, resource);
      const answer = await gateway.rest('GET', `${resource.base}?parent_id=${parentId}`);
      expect(answer.status, resource.title).toBe(200);
      const data = [...before, ...lines];
      expect(answer.body).toEqual({ data, has_more: false, total: data.length });
    });
  });

  clause('S4.2-02', async ({ rest }) => {
    await each(children, async ({ base }) => {
      for (const query of ['', '?parent_id=', '?limit=5']) {
        const { status, body } = await rest('GET', base + query);
        expect([status, body.error?.code, body.error?.param], base).toEqual([400, 'parameter_missing', 'parent_id']);
      }
    });
  });

  clause('S4.2-03', async ({ rest }) => {
    await each(children, async ({ base }) => {
      const answer = await rest('GET', `${base}?parent_id=nobody`);
      expect([answer.status, answer.body]).toEqual([200, { data: [], has_more: false, total: 0 }]);
    });
  });

  clause('S4.2-04', async (gateway) => {
    await each(several, async (resource) => {
      const body = await minimalBody(gateway, resource);
      const answer = await gateway.rest('POST', resource.base, body);
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body).toMatchObject(body);
      expect(answer.headers.get('location')).toBe(`${resource.base}/${answer.body.id}`);
    });
  });

  clause('S4.2-05', async (gateway) => {
    const line = await create(gateway, item, { consumed_quantity: '2', serial_no: 'SN-1' });
    const answer = await gateway.rest('PATCH', `${item.base}/${line.id}`, { consumed_quantity: '3' });
    expect([answer.status, answer.body]).toEqual([200, { ...line, consumed_quantity: '3' }]);
    expect((await gateway.rest('GET', `${item.base}/${line.id}`)).body).toEqual(answer.body);
  });

  clause('S4.2-06', async (gateway) => {
    await each(several, async (resource) => {
      const { id } = await create(gateway, resource);
      const answer = await gateway.rest('DELETE', `${resource.base}/${id}`);
      expect([answer.status, answer.text]).toEqual([200, JSON.stringify({ id, deleted: true })]);
      expect((await gateway.rest('DELETE', `${resource.base}/${id}`)).status).toBe(404);
    });
  });

  clause('S4.2-07', async (gateway) => {
    const { ids, parentId } = await threeItems(gateway);
    await gateway.rest('DELETE', `${item.base}/${ids[0]}`);
    expect(await list(gateway, parentId)).toEqual([
      [ids[1], 1],
      [ids[2], 2],
    ]);
  });

  clause('S4.2-08', async (gateway) => {
    await each(several, async (resource) => {
      const parentId = await newParent(gateway, resource);
      for (let index = 0; index < 3; index++) await create(gateway, resource, {}, parentId);
      const page = `${resource.base}?parent_id=${parentId}`;
      const before: RecordBody[] = (await gateway.rest('GET', page)).body.data;
      const wanted = before.toReversed();
      const ids = wanted.map(({ id }) => id);
      const answer = await gateway.rest('POST', `${resource.base}/reorder`, { parent_id: parentId, ids });
      expect(answer.status, answer.text).toBe(200);
      expect(Object.keys(answer.body)).toEqual(['data', 'has_more', 'total']);
      const data = wanted.map((line, index) => ({ ...line, idx: index + 1 }));
      expect(answer.body).toEqual({ data, has_more: false, total: data.length });
      expect((await gateway.rest('GET', page)).body.data).toEqual(data);
    });
  });

  clause('S4.2-09', async (gateway) => {
    const { ids, parentId } = await threeItems(gateway);
    const [a, b, c] = ids;
    for (const [sent, missing, unexpected] of [
      [[a, b], [c], []],
      [[a, b, c, 'stranger'], [], ['stranger']],
      [[a, b, b], [c], [b]],
      [[], [a, b, c], []],
    ]) {
      const answer = await gateway.rest('POST', `${item.base}/reorder`, { parent_id: parentId, ids: sent });
      expect([answer.status, answer.body.error.code]).toEqual([400, 'reorder_mismatch']);
      expect(answer.body.error.errors).toMatchObject([{ param: 'ids', missing, unexpected }]);
    }
    expect((await list(gateway, parentId)).map(([id]) => id)).toEqual(ids);
  });

  clause('S4.2-10', async (gateway) => {
    const { ids, parentId } = await threeItems(gateway);
    for (const answer of [
      await gateway.rest('POST', `${item.base}/reorder`, { parent_id: parentId }),
      await gateway.rest('POST', `${item.base}/reorder?parent_id=${parentId}`),
    ]) {
      expect(answer.body.data.map((line: RecordBody) => [line.id, line.idx])).toEqual(
        ids.map((id, at) => [id, at + 1]),
      );
    }
  });

  clause('S4.2-11', async ({ rest }) => {
    await each(children, async ({ base }) => {
      for (const body of [undefined, {}]) {
        const answer = await rest('POST', `${base}/reorder`, body);
        expect([answer.status, answer.body.error.param], base).toEqual([400, 'parent_id']);
        expect(answer.body.error).toMatchObject({ code: 'parameter_missing' });
        expect(answer.body.error.message).toMatch(/"parent_id".*"ids"/);
      }
    });
  });

  clause('S4.2-12', async (gateway) => {
    await each(several, async (resource) => {
      const line = await create(gateway, resource);
      const answer = await gateway.rest('GET', `${resource.base}/${line.id}`);
      expect([answer.status, answer.body], resource.title).toEqual([200, line]);
    });
  });

  clause('S4.2-13', async (gateway) => {
    const { ids, parentId } = await threeItems(gateway);
    const page = (query: string) => gateway.rest('GET', `${item.base}?parent_id=${parentId}&${query}`);
    const summary = async (query: string) => {
      const { data, has_more, total } = (await page(query)).body;
      return [data.map(({ id }: RecordBody) => id), has_more, total];
    };
    expect(await summary('limit=2')).toEqual([ids.slice(0, 2), true, 3]);
    expect(await summary('limit=2&offset=1')).toEqual([ids.slice(1), false, 3]);
    expect(await summary('offset=3')).toEqual([[], false, 3]);
    expect((await page('limit=0')).status).toBe(400);
  });
};

/** An Asset Repair with three consumed items. */
async function threeItems(gateway: Rest): Promise<{ parentId: string; ids: string[] }> {
  const parentId = await newParent(gateway, item);
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) ids.push((await create(gateway, item, {}, parentId)).id);
  return { parentId, ids };
}

async function list({ rest }: Rest, parentId: string): Promise<[id: string, idx: unknown][]> {
  const { data } = (await rest('GET', `${item.base}?parent_id=${parentId}`)).body;
  return data.map(({ id, idx }: RecordBody) => [id, idx]);
}
