/** Two people at the example front end, each in a window of their own. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { revokeKey } from '../../src/features/keys/api-keys.js';
import { seriousProblems } from './accessibility.js';
import { type Desk, Person } from './desk.js';
import { holdDown, press } from './press.js';

export function twoPeople(started: () => Desk): void {
  let desk: Desk;
  let ann: Person;
  let ben: Person;
  let asset = '';
  let count = 0;

  beforeAll(async () => {
    desk = started();
    [ann, ben] = [new Person(await desk.browser.openPage()), new Person(await desk.browser.openPage())];
    for (const [person, name] of [
      [ann, 'Ann'],
      [ben, 'Ben'],
    ] as const) {
      await person.page.goto(desk.url);
      await person.giveKey((await desk.keyOf(name)).secret);
      await person.said('Live');
    }
  });

  /** A repair of its own for each test. Both open it from their lists, where it appears by itself. */
  beforeEach(async () => {
    asset = `SAW-${++count}`;
    const consumedItems = ['SEAL', 'OIL'].map((itemCode) => ({ itemCode, warehouse: 'Stores' }));
    const input = { asset, failureDate: '2026-11-20', repairCost: 300, consumedItems };
    await desk.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      {
        input,
      },
    );
    for (const person of [ann, ben]) await person.open(asset);
    return async () => {
      for (const person of [ann, ben]) await person.leave();
    };
  });

  test('see what the other saves at once, marked, and with who it was', async () => {
    await ann.field('Repair cost').fill('450');
    await ann.addLine('BELT');
    await ann.save();
    await ben.said(/^Changed by .+, .+: Repair cost, line BELT added\.$/);
    expect(await ben.valuesOf('Repair cost')).toEqual(['450']);
    expect(await ben.items()).toEqual(['SEAL', 'OIL', 'BELT']);
    expect(await ben.page.locator('.field.changed label').allInnerTexts()).toEqual(['Repair cost']);
    expect(await ben.page.locator('li.changed').count()).toBe(1);
  });

  test('each add a line and change another field, and nobody is asked anything', async () => {
    await ben.field('What is wrong').fill('leaks');
    await ben.addLine('PUMP');
    await ann.field('Repair cost').fill('450');
    await ann.addLine('BELT');
    await ann.save();
    await ben.said('This repair was changed by ');
    await ben.save();
    expect(await ben.page.getByRole('radio').count()).toBe(0);
    await ben.said(/^Changed by .+: Repair cost, line BELT added\.$/);
    const expected = { repairCost: 450, description: 'leaks', items: ['SEAL', 'OIL', 'BELT', 'PUMP'] };
    expect(await stored()).toMatchObject(expected);
    await ann.said(/What is wrong, line PUMP added/);
    expect(await ann.items()).toEqual(expected.items);
  });

  test('change the same field, and only that is asked for', async () => {
    await ben.field('Repair cost').fill('500');
    await ben.field('Quantity').first().fill('2');
    await ann.field('Repair cost').fill('450');
    await ann.field('Company').fill('Sawmill');
    await ann.save();
    await ben.said('You have both changed the following');
    expect(await ben.page.locator('.question').allInnerTexts()).toEqual([expect.stringMatching(/500[\s\S]*450/)]);
    await press(ben.button('Save'));
    await ben.said('1 choice is left.');
    expect(await stored()).toMatchObject({ version: 2, repairCost: 450 });
    expect(await seriousProblems(ben.page)).toEqual([]);
    await press(ben.page.getByRole('radio', { name: 'Mine 500' }));
    await press(ben.button('Merge'));
    await ben.said('Merged. Not saved yet.');
    expect([await ben.valuesOf('Repair cost'), await ben.valuesOf('Company')]).toEqual([['500'], ['Sawmill']]);
    await ben.save();
    expect(await stored()).toMatchObject({ version: 3, repairCost: 500, company: 'Sawmill' });
  });

  test('what the other saves does not move what is being pressed', async () => {
    await ben.addLine('PUMP');
    const passOn = desk.holdBack();
    await ann.field('Company').fill('Sawmill');
    await ann.save();
    await holdDown(ben.button('Save'), async () => {
      passOn();
      await ben.page.waitForTimeout(400);
    });
    await ben.said('Saved.');
    expect(await stored()).toMatchObject({ company: 'Sawmill', items: ['SEAL', 'OIL', 'PUMP'] });
  });

  test('edit and delete the same line, and are asked which to keep', async () => {
    await ben.field('Quantity').nth(1).fill('9');
    await press(ann.button('Remove line OIL'));
    await ann.save();
    await ben.said('You have both changed the following');
    await press(ben.page.getByRole('radio', { name: /Mine Item OIL/ }));
    await ben.save();
    expect((await stored()).items).toEqual(['SEAL', 'OIL']);
  });

  test('a line moved by one stays moved, and that of the other is kept', async () => {
    await ben.addLine('PUMP');
    await press(ann.button('Move line OIL up'));
    await ann.save();
    await ben.said('order of the lines');
    await ben.save();
    expect((await stored()).items).toEqual(['OIL', 'PUMP', 'SEAL']);
  });

  test('one submits it meanwhile: the other is told, and can keep the edits as a new repair', async () => {
    await ben.field('What is wrong').fill('leaks');
    await ben.addLine('PUMP');
    await press(ann.button('Submit'));
    await ann.said('Submitted.');
    await ben.said(/This repair was submitted by /);
    expect(await ben.button('Save').count()).toBe(0);
    expect(await ben.field('What is wrong').isEditable()).toBe(false);
    await ben.saveAsNew();
    await expect.poll(() => ben.items()).toEqual(['SEAL', 'OIL', 'PUMP']);
    const [copy, submitted] = await allStored();
    expect(submitted).toMatchObject({ status: 'SUBMITTED', description: null, items: ['SEAL', 'OIL'] });
    expect(copy).toMatchObject({ status: 'DRAFT', description: 'leaks', items: ['SEAL', 'OIL', 'PUMP'] });
  });

  test('one deletes it while the other edits it: the edits can be kept as a new repair', async () => {
    await ben.field('What is wrong').fill('leaks');
    ann.page.once('dialog', (dialog) => dialog.accept());
    await press(ann.button('Delete'));
    await ben.said(/This repair was deleted by /);
    await ben.saveAsNew();
    expect(await allStored()).toMatchObject([{ description: 'leaks', items: ['SEAL', 'OIL'] }]);
  });

  test('save at the same time again and again, and nothing is lost', async () => {
    const rounds = [1, 2, 3, 4];
    for (const round of rounds) {
      await Promise.all(
        [ann, ben].map(async (person, index) => {
          await person.addLine(`${index}-${round}`);
          await person.field(index === 0 ? 'Company' : 'What was done').fill(`round ${round}`);
          await person.save();
        }),
      );
    }
    const { items, company, actionsPerformed } = await stored();
    expect(items.toSorted()).toEqual(
      ['OIL', 'SEAL', ...[0, 1].flatMap((index) => rounds.map((round) => `${index}-${round}`))].toSorted(),
    );
    expect([company, actionsPerformed]).toEqual(['round 4', 'round 4']);
    await expect.poll(() => ann.items()).toEqual(items);
    await expect.poll(() => ben.items()).toEqual(items);
  });

  test('the stream is cut, and continues where it was', async () => {
    await ben.field('What is wrong').fill('leaks');
    await desk.restart();
    await ann.field('Company').fill('Sawmill');
    await ann.save();
    await ben.said(/Changed: Company/);
    await ben.save();
    expect(await stored()).toMatchObject({ company: 'Sawmill', description: 'leaks' });
  });

  test('a key is revoked while it is used: the edits wait for another', async () => {
    const { id, secret } = await desk.keyOf('Ben for an hour', ['assets:read', 'assets:write']);
    await press(ben.page.getByRole('link', { name: 'Sign out' }));
    await ben.giveKey(secret);
    await ben.open(asset);
    await ben.field('What is wrong').fill('leaks');
    await revokeKey(desk.gateway().database, id);
    await ben.said(/The gateway does not know this key, or not any more/);
    await ben.giveKey((await desk.keyOf('Ben')).secret);
    await ben.said('Live');
    expect(await ben.valuesOf('What is wrong')).toEqual(['leaks']);
    await ben.save();
    expect(await stored()).toMatchObject({ description: 'leaks' });
  });

  test('a save is refused before the stream that began with the same key: another key is asked for once', async () => {
    const { id, secret } = await desk.keyOf('Ben for an hour', ['assets:read', 'assets:write']);
    await press(ben.page.getByRole('link', { name: 'Sign out' }));
    let reads = 0;
    ben.page.on('requestfinished', (request) => {
      if (request.postData()?.includes('query Repairs(')) reads++;
    });
    await ben.giveKey(secret);
    // The list is read once more when its stream begins; refused, it would ask for a key before the save does.
    await expect.poll(() => reads).toBeGreaterThan(1);
    await ben.open(asset);
    await ben.field('What is wrong').fill('leaks');
    const passOn = desk.holdBack();
    await revokeKey(desk.gateway().database, id);
    // It is still taken where it was looked up just before, as a stream does now and then; within a second it is not.
    await expect.poll(() => desk.statusWith(secret)).toBe(401);
    await press(ben.button('Save'));
    await ben.said(/The gateway does not know this key, or not any more/);
    await ben.giveKey((await desk.keyOf('Ben')).secret);
    // On a busy machine the list may have been read anew, and refused, before the button was pressed: then nothing waits.
    const saved = ben.page.getByText('Saved.').first();
    const save = ben.page.getByRole('button', { name: 'Save', disabled: false });
    await saved.or(save).first().waitFor();
    if (!(await saved.isVisible())) await press(save);
    await ben.said('Saved.');
    passOn();
    await ann.field('Company').fill('Sawmill');
    await ann.save();
    await ben.said(/: Company\.$/);
    expect(await ben.page.getByLabel('API key').count()).toBe(0);
  });

  async function stored() {
    return (await allStored())[0];
  }

  /** The repairs of the test as the gateway has them, the newest first. */
  async function allStored() {
    const query = `query ($asset: String) { assetRepairs(where: { asset: { eq: $asset } }) { nodes {
      version status repairCost company description actionsPerformed consumedItems { itemCode } } } }`;
    const { assetRepairs } = await desk.graphql(query, { asset });
    return assetRepairs.nodes.map(({ consumedItems, ...values }: { consumedItems: { itemCode: string }[] }) => ({
      ...values,
      items: consumedItems.map(({ itemCode }) => itemCode),
    }));
  }
}
