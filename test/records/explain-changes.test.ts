import { describe, expect, test } from 'vitest';
import { sweep } from '../../src/features/idempotency/run-idempotently.js';
import { type Resource, singletonId } from '../../src/model/resource.js';
import { providers } from '../support/database.js';
import {
  accessesTo,
  type Explained,
  expectIndexes,
  explained,
  isOfTheShapes,
  parentIdOf,
} from '../support/explained.js';
import { resourceOf, resources } from '../support/resources.js';
import { isChosen, thorough } from '../support/thorough.js';

const categories = '/api/stock/u-o-m-category';
const children = resources.filter(({ kind }) => kind === 'child');

describe.each(providers)('on %s', (provider) => {
  const suite = explained({ provider });
  const { plan, plansOf, plansFor, rest, gateway } = suite;

  // Both databases have the same indexes, so a third of the types is tested on one of them.
  const isForAll = provider === 'sqlite' || thorough;
  const some = resources.filter((one, index) => isOfTheShapes(one) || (isForAll && isChosen(index, 3)));

  test.each(some)('$title: every change finds its rows through indexes', async (resource) => {
    const plans = await plansFor(resource, () => change(suite, resource));

    expectIndexes(plans);
    expect(accessesTo(resource.model, plans).length).toBeGreaterThan(0);
  });

  test('the gateway itself has an index for each look-up in its own tables', async () => {
    const plans = await plansOf(async () => {
      await rest('GET', categories);
      await change(suite, resourceOf('UOMCategory'));
      await change(suite, resourceOf('SalesInvoicePayment'));
      for (const _ of 'ab') await rest('POST', categories, { category_name: 'x' }, { 'idempotency-key': 'once' });
      await sweep(gateway().database);
    }, 'indexed');

    for (const table of ['RecordCount', 'IdempotentRequest']) {
      const ways = accessesTo(table, plans).map(({ how }) => how);
      expect(new Set(ways), table).toEqual(new Set(['search']));
    }
  });

  test('every foreign key begins an index, so that deleting a parent reads its lines only', async () => {
    for (const { model, parents } of children) {
      for (const { reference } of parents) {
        const one = provider === 'sqlite' ? '?' : '$1';
        const cascade = await plan(`DELETE FROM "${model}" WHERE "${reference}" = ${one}`, ['x']);
        expect(accessesTo(model, [cascade]), cascade.text).toEqual([expect.objectContaining({ how: 'search' })]);
      }
    }
  });
});

/** Everything that can be done to a record from its creation on. */
async function change(suite: Explained, resource: Resource): Promise<void> {
  const { rest } = suite;
  const { base, kind } = resource;
  if (kind === 'singleton') return void (await rest('PATCH', `${base}/${singletonId(resource)}`, {}));
  if (kind === 'child') return changeLine(suite, resource);
  const { id } = await rest('POST', base, bodyOf(resource));
  await rest('PATCH', `${base}/${id}`, bodyOf(resource));
  if (resource.documentLike) for (const action of ['submit', 'cancel']) await rest('POST', `${base}/${id}/${action}`);
  await rest('DELETE', `${base}/${id}`);
}

async function changeLine({ rest }: Explained, resource: Resource): Promise<void> {
  const { base, fields, scope } = resource;
  const parentId = parentIdOf(resource);
  const reference = fields.find(({ name }) => name === scope)?.restName ?? '';
  const { id } = await rest('POST', base, { ...bodyOf(resource), [reference]: parentId, idx: 3 });
  await rest('PATCH', `${base}/${id}`, { idx: 7 });
  await rest('POST', `${base}/reorder`, { parent_id: parentId });
  await rest('DELETE', `${base}/${id}`);
}

/** The required fields but the reference to a parent. */
function bodyOf({ fields, scope }: Resource): Record<string, unknown> {
  const values = { String: 'some text', Float: 1.5, Int: 1, Boolean: true };
  const required = fields.filter(({ name, required }) => required && name !== scope && name !== 'idx');
  return Object.fromEntries(required.map(({ restName, type }) => [restName, values[type]]));
}
