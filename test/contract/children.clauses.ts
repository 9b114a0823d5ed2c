import { expect } from 'vitest';
import type { ClauseTests } from './clause.js';
import { documentedResources } from './document.js';
import { documentedFields, parentReference } from './documented-fields.js';
import { each } from './each.js';
import { type Body, create, documented, minimalBody, newParent, type RecordBody, type Rest } from './records.js';

const everyChild = documentedResources.filter(({ kind }) => kind === 'child');
/** One of each sort of parent. */
const several = ['Timesheet Detail', 'Currency Exchange Settings Result', 'Job Card Time Log'].map(documented);
const item = documented('Asset Repair Consumed Item');

/** Section 2.1.5: what holds for every child record. */
export const children: ClauseTests = (clause) => {
  clause('S2.1.5-01', async (gateway) => {
    await each(everyChild, async (resource) => {
      const parentId = await newParent(gateway, resource);
      const child = await create(gateway, resource, {}, parentId);
      expect(child.id).toMatch(new RegExp(`^${resource.slug}_[0-9a-hjkmnp-tv-z]{26}$`));
      expect(child).toMatchObject({ idx: expect.any(Number), [parentReference(resource) ?? '']: parentId });
    });
  });

  clause('S2.1.5-02', async (gateway) => {
    await each(several, async (resource) => {
      const parentId = await newParent(gateway, resource);
      const first = await create(gateway, resource, { idx: 1 }, parentId);
      const second = await create(gateway, resource, { idx: 2 }, parentId);
      expect([first.idx, second.idx]).toEqual([1, 2]);
      const refused = await gateway.rest('PATCH', `${resource.base}/${first.id}`, { idx: 1.5 });
      expect([refused.status, refused.body.error.param]).toEqual([400, 'idx']);
    });
  });

  clause('S2.1.5-03', async (gateway) => {
    const { positions } = await threeItems(gateway);
    expect(await positions()).toEqual(['a 1', 'b 2', 'c 3']);
    for (const idx of [0, -1]) {
      const refused = await gateway.rest('POST', item.base, { ...(await minimalBody(gateway, item)), idx });
      expect([refused.status, refused.body.error.param]).toEqual([400, 'idx']);
    }
  });

  clause('S2.1.5-04', async (gateway) => {
    const { add, positions } = await threeItems(gateway);
    expect(await add('x', { idx: 2 })).toMatchObject({ idx: 2 });
    expect(await positions()).toEqual(['a 1', 'x 2', 'b 3', 'c 4']);
    expect(await add('y', { idx: 100 })).toMatchObject({ idx: 5 });
    expect(await positions()).toEqual(['a 1', 'x 2', 'b 3', 'c 4', 'y 5']);
  });

  clause('S2.1.5-05', async (gateway) => {
    const { ids, positions } = await threeItems(gateway);
    const move = (index: number, idx: number) => gateway.rest('PATCH', `${item.base}/${ids[index]}`, { idx });
    expect((await move(0, 3)).body.idx).toBe(3);
    expect(await positions()).toEqual(['b 1', 'c 2', 'a 3']);
    await move(2, 1);
    expect(await positions()).toEqual(['c 1', 'b 2', 'a 3']);
    expect((await move(2, 100)).body.idx).toBe(3);
    expect(await positions()).toEqual(['b 1', 'a 2', 'c 3']);
  });

  clause('S2.1.5-06', async (gateway) => {
    await each(everyChild, async (resource) => {
      const reference = parentReference(resource) ?? '';
      const { [reference]: _, ...orphan } = await minimalBody(gateway, resource);
      for (const body of [orphan, { ...orphan, [reference]: null }]) {
        const { status, body: answer } = await gateway.rest('POST', resource.base, body);
        expect([status, answer.error.param], resource.title).toEqual([400, reference]);
      }
    });
  });

  clause('S2.1.5-07', async (gateway) => {
    await each(
      everyChild.filter(({ parent }) => parent),
      async (resource) => {
        const parent = documented(resource.parent ?? '');
        const name = `${parent.title.toLowerCase().replaceAll(' ', '_')}_id`;
        expect(typeof (await create(gateway, resource))[name], name).toBe('string');
      },
    );
  });

  clause('S2.1.5-08', async (gateway) => {
    await each(
      everyChild.filter(({ parent }) => parent),
      async (resource) => {
        for (const unknown of ['nothing', `${documented(resource.parent ?? '').slug}_00000000000000000000000000`]) {
          const { status, body } = await gateway.rest(
            'POST',
            resource.base,
            await minimalBody(gateway, resource, unknown),
          );
          expect([status, body.error.code], resource.title).toEqual([400, 'resource_missing']);
          expect(body.error.param).toBe(parentReference(resource));
        }
      },
    );
  });

  clause('S2.1.5-09', async (gateway) => {
    await each(several, async (resource) => {
      const reference = parentReference(resource) ?? '';
      const child = await create(gateway, resource);
      const path = `${resource.base}/${child.id}`;
      const other = resource.parent === 'Currency Exchange Settings' ? 'other' : await newParent(gateway, resource);
      const refused = await gateway.rest('PATCH', path, { [reference]: other });
      expect([refused.status, refused.body.error.code], resource.title).toEqual([400, 'parameter_immutable']);
      expect(refused.body.error.param).toBe(reference);
      expect((await gateway.rest('PATCH', path, { [reference]: child[reference] ?? null })).body).toEqual(child);
    });
  });

  clause('S2.1.5-10', async (gateway) => {
    await each(everyChild, async (resource) => {
      const names = ['id', ...documentedFields(resource).map(({ name }) => name)];
      expect(Object.keys(await create(gateway, resource))).toEqual(names);
    });
  });

  clause('S2.1.5-11', async (gateway) => {
    const payment = documented('Sales Invoice Payment');
    const longest = '漢'.repeat(255);
    expect((await create(gateway, payment, {}, longest)).parent_id).toBe(longest);
    for (const parentId of ['', `${longest}漢`]) {
      const refused = await gateway.rest('POST', payment.base, await minimalBody(gateway, payment, parentId));
      expect([refused.status, refused.body.error.param]).toEqual([400, 'parent_id']);
    }
  });
};

/** An Asset Repair with the consumed items `a`, `b` and `c`. */
async function threeItems(gateway: Rest) {
  const parentId = await newParent(gateway, item);
  const add = (item_code: string, more: Body = {}) => create(gateway, item, { item_code, ...more }, parentId);
  const ids = [(await add('a')).id, (await add('b')).id, (await add('c')).id];
  const positions = async () => {
    const { data } = (await gateway.rest('GET', `${item.base}?parent_id=${parentId}`)).body;
    return data.map((line: RecordBody) => `${line.item_code} ${line.idx}`);
  };
  return { ids, add, positions };
}
