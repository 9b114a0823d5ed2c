/** For parents that are stored elsewhere only the row that orders their lines is stored, as long as there are lines. */
import { beforeEach, expect, test } from 'vitest';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { footprint } from '../input/footprint.js';
import { graphqlClient, race, restClient } from './record-clients.js';

const model = 'SalesInvoicePayment';
const line = (parentId: string) => ({
  parent_id: parentId,
  parent_type: 'Sales Invoice',
  mode_of_payment: 'Cash',
  amount: 5,
});

onBothDatabases((gateway) => {
  let before: Record<string, string>;
  beforeEach(async () => {
    before = await footprint(gateway().database);
  });
  const now = () => footprint(gateway().database);

  test.each([
    ['REST', restClient],
    ['GraphQL', graphqlClient],
  ] as const)('a reorder of an unknown parent leaves nothing behind, over %s', async (_, clientOf) => {
    const client = clientOf(gateway());
    for (const [index, ids] of [undefined, [], ['nobody']].entries()) {
      const outcome = await client.reorder(model, `unknown-${index}`, ids);
      if (ids?.length) expect(outcome.refusal).toBe('reorder_mismatch');
      else expect(outcome.lines).toEqual([]);
    }
    const jobCards = await client.reorder('JobCardTimeLog', 'job-card_unknown');
    expect(jobCards.lines).toEqual([]);
    expect(await now()).toEqual(before);
  });

  test('a create that is refused does not either', async () => {
    for (const wrong of [{ amount: 'five' }, { idx: 0 }, { mode_of_payment: null }, { nonsense: 1 }]) {
      const { status } = await restClient(gateway()).create(model, { ...line('unknown'), ...wrong });
      expect(status).toBe(400);
    }
    expect(await now()).toEqual(before);
  });

  test('the last of its lines does not either, once it is deleted', async () => {
    const client = restClient(gateway());
    const made = [await client.create(model, line('an-invoice')), await client.create(model, line('an-invoice'))];
    for (const { record } of made) expect((await client.remove(model, record?.id ?? '')).status).toBe(200);
    expect(await now()).toEqual({ ...before, JournalEntry: expect.anything() });
  });

  test('the version of a parent stays while it has lines of another type: it would begin again at 1', async () => {
    const client = restClient(gateway());
    const parent = 'an-invoice-with-time';
    const time = await client.create('JobCardTimeLog', { parent_id: parent, parent_type: 'Sales Invoice' });
    const payment = await client.create(model, line(parent));
    expect((await client.remove(model, payment.record?.id ?? '')).status).toBe(200);
    const stored = () => gateway().database.client.foreignParent.findUnique({ where: { id: parent } });
    expect(await stored()).toEqual({ id: parent, version: 3 });
    expect((await client.remove('JobCardTimeLog', time.record?.id ?? '')).status).toBe(200);
    expect(await stored()).toBeNull();
  });

  test('lines that come and go and are put in order at once stay 1…n, and go without a trace', async () => {
    const parent = 'a-busy-invoice';
    const base = '/api/accounts/sales-invoice-payment';
    const outcomes = await race(gateway(), 60, async (client, index) => {
      if (index % 3 === 0) return [await client.reorder(model, parent)];
      const made = await client.create(model, { ...line(parent), idx: 1 });
      return [made, ...(index % 3 === 1 ? [await client.remove(model, made.record?.id ?? '')] : [])];
    });
    expect(outcomes.flat().flatMap(({ refusal }) => refusal ?? [])).toEqual([]);
    const { data } = (await gateway().rest('GET', `${base}?parent_id=${parent}&limit=100`)).body;
    expect(data.map(({ idx }: { idx: number }) => idx)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    await race(gateway(), 20, (client, index) => client.remove(model, data[index].id));
    expect(await now()).toEqual({ ...before, JournalEntry: expect.anything() });
  });
});
