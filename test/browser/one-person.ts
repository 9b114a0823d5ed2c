/** One person at the example front end. The tests are one visit, in this order. */
import { beforeAll, expect, test } from 'vitest';
import { upTo } from '../graphql/asset-repairs.js';
import { seriousProblems } from './accessibility.js';
import { type Desk, Person } from './desk.js';
import { press } from './press.js';

export function onePerson(started: () => Desk): void {
  let desk: Desk;
  let ann: Person;

  beforeAll(async () => {
    desk = started();
    await createRepairs();
    ann = new Person(desk.browser.page);
    await ann.page.goto(desk.url);
  });

  test('says how to get a key of one’s own, refuses a wrong one and the root key, and keeps a right one for this tab only', async () => {
    const { secret: key } = await desk.keyOf('Ann');
    await ann.said('npx records keys create "Ann at the desk" --scopes assets:read,');
    await ann.giveKey('wrong');
    await ann.said('The gateway does not know this key.');
    await ann.giveKey(desk.gateway().key);
    await ann.said(/This key can make other keys, and must not be in a browser/);
    await ann.giveKey(key);
    await ann.said('14 in all');
    const stores = 'JSON.stringify([Object.values(sessionStorage), Object.values(localStorage), document.cookie])';
    expect(await ann.page.evaluate(stores)).toBe(JSON.stringify([[JSON.stringify({ key })], [], '']));
  });

  test('pages through the repairs, newest first', async () => {
    expect(await assets()).toEqual(upTo(10).map((count) => `LATHE-${14 - count}`));
    await press(ann.button('Next'));
    await ann.said('Page 2');
    await ann.page.getByRole('link', { name: 'PRESS-2' }).waitFor();
    expect(await assets()).toEqual(['LATHE-3', 'LATHE-2', 'LATHE-1', 'PRESS-2']);
    expect(await ann.button('Next').isDisabled()).toBe(true);
  });

  test('narrows them by words, and says so if none is left', async () => {
    await ann.page.getByLabel('Search').fill('SAW');
    await ann.said('No repair is like that.');
    await press(ann.button('Show all'));
    await ann.page.getByLabel('Search').fill('PRESS');
    await ann.said('1 in all');
    expect(await assets()).toEqual(['PRESS-2']);
  });

  test('saves a changed line and a new one with their repair, as a reload shows', async () => {
    await ann.open('PRESS-2');
    await ann.field('Repair cost').fill('320');
    await ann.field('Quantity').first().fill('3');
    await ann.addLine('BELT');
    await press(ann.button('Move line BELT up'));
    await ann.save();

    await ann.page.reload();
    await ann.said(/version 2/);
    expect(await ann.valuesOf('Repair cost')).toEqual(['320']);
    expect(await ann.items()).toEqual(['SEAL', 'BELT', 'OIL']);
    expect(await stored()).toMatchObject({
      version: 2,
      repairCost: 320,
      consumedItems: [{ itemCode: 'SEAL', consumedQuantity: '3' }, { itemCode: 'BELT' }, { itemCode: 'OIL' }],
    });
  });

  test('shows at the field what is wrong with it, moves the focus there, and saves nothing', async () => {
    await ann.field('Item').nth(1).fill('');
    await ann.field('Total').nth(1).fill('ten');
    await press(ann.button('Save'));
    await ann.said('Nothing is saved: correct what is marked.');
    expect(await problems()).toEqual(['A value is needed.', 'A number is needed, such as 120.5.']);
    expect(await ann.page.evaluate('document.activeElement.labels[0].textContent')).toBe('Item');
    await ann.field('Item').nth(1).fill('BELT');
    await ann.field('Total').nth(1).fill('');
    expect(await problems()).toEqual([]);
  });

  test('shows in the same way what the gateway refuses, also in a line', async () => {
    await ann.field('What is wrong').fill('leaks\u0000');
    await ann.field('Quantity').nth(1).fill('2\u0000');
    await press(ann.button('Save'));
    await ann.said('Nothing is saved: correct what is marked.');
    const words = 'Must be text without U+0000 and without halves of surrogate pairs.';
    expect(await problems()).toEqual([words, words]);
    expect((await stored()).version).toBe(2);
  });

  test('saves once, also if the answer is lost', async () => {
    await ann.field('What is wrong').fill('leaks');
    await ann.field('Quantity').nth(1).fill('2');
    await ann.addLine('PUMP');
    desk.loseAnswer();
    await ann.save();
    const { version, consumedItems } = await stored();
    expect([version, consumedItems.length]).toEqual([3, 4]);
  });

  test('asks before unsaved edits are left, by a link and by closing the tab', async () => {
    await ann.field('Company').fill('Sawmill');
    const asked: string[] = [];
    ann.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return asked.length === 3 ? dialog.accept() : dialog.dismiss();
    });
    await press(ann.page.getByRole('link', { name: 'All repairs' }));
    expect(await ann.valuesOf('Company')).toEqual(['Sawmill']);
    expect(ann.page.url()).toMatch(/#\/repairs\//);
    await ann.page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['confirm', 'beforeunload']);
    await press(ann.page.getByRole('link', { name: 'All repairs' }));
    await ann.page.getByRole('heading', { name: 'Asset repairs' }).waitFor();
    expect(asked).toEqual(['confirm', 'beforeunload', 'confirm']);
    ann.page.removeAllListeners('dialog');
    expect((await stored()).company).toBeNull();
  });

  test('submits and cancels, after which nothing can be edited, and the list knows', async () => {
    await ann.page.getByLabel('Search').fill('PRESS');
    await ann.open('PRESS-2');
    await press(ann.button('Submit'));
    await ann.said('Submitted.');
    expect((await stored()).status).toBe('SUBMITTED');
    expect(await ann.field('Repair cost').isEditable()).toBe(false);
    expect(await ann.page.getByRole('button', { name: /Save|Submit|Add/ }).count()).toBe(0);
    ann.page.once('dialog', (dialog) => dialog.accept());
    await press(ann.button('Cancel this repair'));
    await ann.said('Cancelled.');
    await press(ann.page.getByRole('link', { name: 'All repairs' }));
    await ann.page.getByLabel('Status', { exact: true }).selectOption('cancelled');
    await ann.said('1 in all');
    expect(await assets()).toEqual(['PRESS-2']);
  });

  test('is accessible by screen reader and keyboard (axe), in light and dark colours, wide and on a phone', async () => {
    const { page } = ann;
    for (const [width, colorScheme] of [
      [360, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 850 });
      await page.emulateMedia({ colorScheme });
      const isGood = async () => {
        expect(await seriousProblems(ann.page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      };
      await isGood();
      await ann.open('PRESS-2');
      await isGood();
      await press(page.getByRole('link', { name: 'All repairs' }));
      await press(page.getByRole('link', { name: 'New repair' }));
      await press(ann.button('Create'));
      expect(await problems()).toHaveLength(2);
      await isGood();
      await ann.leave();
    }
  });

  test('makes a new one, and deletes it', async () => {
    await press(ann.page.getByRole('link', { name: 'New repair' }));
    await press(ann.button('Create'));
    expect(await problems()).toEqual(['A value is needed.', 'A value is needed.']);
    await ann.field('Asset').fill('SAW-1');
    await ann.field('Failed on').fill('2026-11-22');
    await ann.addLine('BLADE');
    await press(ann.button('Create'));
    await ann.said(/version 1/);
    expect(await ann.items()).toEqual(['BLADE']);
    ann.page.once('dialog', (dialog) => dialog.accept());
    await press(ann.button('Delete'));
    await ann.page.getByRole('heading', { name: 'Asset repairs' }).waitFor();
    const { assetRepairs } = await desk.graphql('{ assetRepairs(where: { asset: { eq: "SAW-1" } }) { totalCount } }');
    expect(assetRepairs.totalCount).toBe(0);
  });

  async function createRepairs() {
    const press = {
      asset: 'PRESS-2',
      failureDate: '2026-11-20',
      repairCost: 300,
      consumedItems: ['SEAL', 'OIL'].map((itemCode) => ({ itemCode, warehouse: 'Stores' })),
    };
    const lathes = upTo(13).map((count) => ({ asset: `LATHE-${count}`, failureDate: '2026-11-21' }));
    const create =
      'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
    await desk.graphql(create, { inputs: [press, ...lathes] });
  }

  /** The repair of the press, as stored in the gateway. */
  async function stored() {
    const query = `{ assetRepairs(where: { asset: { eq: "PRESS-2" } }) { nodes {
      version status repairCost company consumedItems { itemCode consumedQuantity } } } }`;
    return (await desk.graphql(query)).assetRepairs.nodes[0];
  }

  function assets() {
    return ann.page.locator('.rows tbody a').allInnerTexts();
  }

  function problems() {
    return ann.page.locator('.problem').allInnerTexts();
  }
}
