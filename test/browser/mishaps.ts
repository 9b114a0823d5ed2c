/** Where people lost their way at the example front end: an open choice, a blank, who it was, the focus, the address. */
import { beforeAll, describe, expect, test } from 'vitest';
import { allCases } from '../support/thorough.js';
import { seriousProblems } from './accessibility.js';
import { type Desk, Person } from './desk.js';
import { press } from './press.js';

const looks = [
  [390, 'light'],
  [1280, 'dark'],
  [390, 'dark'],
  [1280, 'light'],
] as const;

export function mishaps(started: () => Desk): void {
  let desk: Desk;
  let others: { ben: string; cleo: string };
  let count = 0;

  beforeAll(async () => {
    desk = started();
    others = { ben: (await desk.keyOf('Ben')).secret, cleo: (await desk.keyOf('Cleo')).secret };
  });

  describe.each(allCases ? looks : looks.slice(0, 2))('%i pixels wide, %s', (width, colorScheme) => {
    let ann: Person;
    let asset = '';
    let id = '';

    beforeAll(async () => {
      asset = `DRILL-${++count}`;
      const consumedItems = ['SEAL', 'OIL', 'BELT', 'PUMP'].map((itemCode) => ({
        itemCode,
        warehouse: 'Stores',
        totalValue: 8,
      }));
      const { createAssetRepair } = await desk.graphql(
        'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
        { input: { asset, failureDate: '2026-11-20', repairCost: 300, consumedItems } },
      );
      id = createAssetRepair.record.id;
      ann = new Person(await desk.browser.openPage());
      await ann.page.setViewportSize({ width, height: 844 });
      await ann.page.emulateMedia({ colorScheme });
      await ann.page.goto(desk.url);
      await ann.giveKey((await desk.keyOf('Ann')).secret);
      await ann.said('Live');
      await ann.open(asset);
      return () => ann.page.context().close();
    });

    test('a save with an open choice says that nothing is saved, and shows the choice', async () => {
      await ann.field('Repair cost').fill('500');
      await update(others.ben, { repairCost: 450 });
      await update(others.cleo, { company: 'Sawmill' });
      await ann.said(/^This repair was changed by Cleo and Ben, .+/);
      await press(ann.button('Save'));
      await ann.said('Nothing is saved yet: choose first what is to stand here.');
      await expect.poll(() => isInSight(':focus')).toBe(true);
      expect(await ann.page.locator(':focus').evaluate((input) => input.closest('fieldset')?.textContent)).toMatch(
        /^Repair cost.*500.*450/,
      );
      expect(await seriousProblems(ann.page)).toEqual([]);
      expect((await stored()).version).toBe(3);
    });

    test('the choice is made and merged with the keyboard; the focus goes on at the heading', async () => {
      const { keyboard } = ann.page;
      await keyboard.press('Space');
      await ann.button('Merge').press('Enter');
      await ann.said('Merged. Not saved yet.');
      await expect.poll(focused).toBe(asset);
      await ann.said(/^Changed by Cleo and Ben, .+: Repair cost, Company\.$/);
    });

    test('what is said to be changed by others never names the one who saves', async () => {
      await update(others.ben, { description: 'leaks' });
      await ann.save();
      await ann.said(/^Changed by Ben, .+: What is wrong\.$/);
      expect(await stored()).toMatchObject({ version: 5, repairCost: 500, company: 'Sawmill', description: 'leaks' });
    });

    test('a blank in a number is no 0', async () => {
      await ann.field('Total').first().fill('   ');
      await ann.save();
      expect((await stored()).consumedItems[0].totalValue).toBeNull();
      await ann.field('Repair cost').fill(' ');
      await press(ann.button('Save'));
      await ann.said('A value is needed.');
      await ann.field('Repair cost').fill('500');
      expect((await stored()).repairCost).toBe(500);
    });

    test('after Submit the focus is at the heading, and back in the list at the link of the repair', async () => {
      await press(ann.button('Submit'));
      await ann.said('Submitted.');
      await expect.poll(focused).toBe(asset);
      await update(others.ben, { description: 'leaked' });
      await ann.said(/^Changed by Ben, .+: What is wrong\.$/);
      await ann.page.goBack();
      await ann.page.getByRole('heading', { name: 'Asset repairs' }).waitFor();
      await expect.poll(focused).toBe(asset);
      expect(await isInSight(':focus')).toBe(true);
    });

    test('an address that is not well-formed names no repair, and is no white page', async () => {
      await ann.page.goto(`${desk.url}/#/repairs/%E0%A4%A`);
      await ann.said('There is no such repair.');
      await press(ann.page.getByRole('link', { name: 'All repairs' }));
      await ann.page.getByRole('heading', { name: 'Asset repairs' }).waitFor();
    });

    async function update(key: string, input: object) {
      const query =
        'mutation ($id: ID!, $input: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { id } } }';
      const { body } = await desk.gateway().graphql(
        query,
        { id, input },
        {
          authorization: `Bearer ${key}`,
        },
      );
      expect(body.errors).toBeUndefined();
    }

    async function stored() {
      const query =
        'query ($id: ID!) { assetRepair(id: $id) { version repairCost company description consumedItems { totalValue } } }';
      return (await desk.graphql(query, { id })).assetRepair;
    }

    const focused = () => ann.page.evaluate('document.activeElement.textContent');

    /** Whether what the selector finds is wholly within the window. */
    const isInSight = (selector: string) =>
      ann.page.locator(selector).evaluate((element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
      });
  });
}
