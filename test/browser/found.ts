/** Search in the example front end. The tests are one visit, in this order. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { type Desk, Person, startDesk } from './desk.js';

export function found(database: Provider): void {
  let desk: Desk;
  let ann: Person;

  beforeAll(async () => {
    desk = await startDesk({ database });
    await createRecords();
    const before = desk.gateway().statements.length;
    ann = new Person(desk.browser.page);
    await ann.page.goto(desk.url);
    await ann.giveKey((await desk.keyOf('Ann')).secret);
    await ann.said('3 in all');
    // The desk finds out whether the gateway searches without a real search, which would take long in a large table.
    expect(
      desk
        .gateway()
        .statements.slice(before)
        .filter((sql) => sql.includes('SearchText')),
    ).toEqual([]);
  });
  afterAll(() => desk?.close());

  test('finds words of repairs and of their items, whatever their case, the best first', async () => {
    await ann.page.getByLabel('Search').fill('säge');
    await ann.said('2 in all');
    expect(await assets()).toEqual(['SÄGE-1', 'PRESS-2']);
    await ann.page.getByLabel('Search').fill('sage bel');
    await ann.said('1 in all');
    expect(await assets()).toEqual(['SÄGE-1']);
  });

  test('shows at once what somebody else creates, and removes what the search no longer finds', async () => {
    const { id } = await createRepair('SAGE-9', [{ itemCode: 'BELT' }]);
    await ann.said('2 in all');
    await desk.graphql(
      'mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "SAW-9" }) { record { id } } }',
      {
        id,
      },
    );
    await ann.said('1 in all');
    expect(await assets()).toEqual(['SÄGE-1']);
    await ann.page.getByLabel('Search').fill('a b c d e f g h i');
    await ann.said(/at most 8 words/);
  });

  test('offers nothing that the key may not do, and says why nothing can be entered', async () => {
    const { secret } = await desk.keyOf('reader', ['assets:read']);
    const ben = new Person(await desk.browser.openPage());
    await ben.page.goto(desk.url);
    await ben.giveKey(secret);
    await ben.said('4 in all');
    expect(await ben.page.getByRole('link', { name: 'New repair' }).count()).toBe(0);
    await ben.page.getByLabel('Search').fill('press');
    await ben.said('1 in all');
    await ben.open('PRESS-2');
    await ben.said(/assets:write/);
    expect(await ben.field('Company').isEditable()).toBe(false);
    await ben.page.context().close();
  });

  test('logged no errors', () => {
    expect(desk.browser.complaints).toEqual([]);
  });

  async function createRecords() {
    await createRepair('SÄGE-1', [{ itemCode: 'BELT' }]);
    await createRepair('PRESS-2', [{ itemCode: 'SEAL' }, { itemCode: 'SÄGEBLATT' }]);
    await createRepair('LATHE-3', []);
  }

  async function createRepair(asset: string, lines: object[]) {
    const consumedItems = lines.map((line) => ({ warehouse: 'Stores', ...line }));
    const create = 'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }';
    const { createAssetRepair } = await desk.graphql(create, {
      input: { asset, failureDate: '2026-11-20', consumedItems },
    });
    return createAssetRepair.record;
  }

  const assets = () => ann.page.locator('.rows tbody a').allInnerTexts();
}
