/** The example front end without records, without answers, and with a gateway that does not search. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seriousProblems } from './accessibility.js';
import { type Desk, Person, startDesk } from './desk.js';
import { press } from './press.js';

export function deskStates(): void {
  let desk: Desk;
  let ann: Person;
  let passing = Promise.resolve();
  let isCut = false;

  beforeAll(async () => {
    desk = await startDesk({ env: {} });
    ann = new Person(desk.browser.page);
    await ann.page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('query Viewer')) await passing;
      await (isCut ? route.abort() : route.continue());
    });
  });
  afterAll(() => desk?.close());

  test('says that it waits, soon and again when it takes long, and then that there is nothing yet', async () => {
    const { secret } = await desk.keyOf('Ann');
    const release = hold();
    await ann.page.goto(desk.url);
    await ann.giveKey(secret);
    await ann.said('Loading…');
    await ann.said('The list is still loading. The gateway is slow or cannot be reached.');
    expect(await seriousProblems(ann.page)).toEqual([]);
    release();
    await ann.said('There are no repairs yet. “New repair” makes the first.');
    expect(await seriousProblems(ann.page)).toEqual([]);
  });

  test('is used with the keyboard alone: makes a repair, moves a line, removes one', async () => {
    const { keyboard } = ann.page;
    await ann.page.getByRole('link', { name: 'New repair' }).press('Enter');
    await ann.page.getByRole('heading', { name: 'New repair' }).waitFor();
    await expect.poll(focused).toBe('New repair');
    await keyboard.press('Tab');
    await keyboard.type('LATHE-7');
    for (const _ of ['repair status', 'failed on']) await keyboard.press('Tab');
    await keyboard.type('11202026');
    for (const item of ['SEAL', 'OIL']) {
      await ann.button('Add a line').press('Enter');
      await keyboard.type(item);
      await keyboard.press('Tab');
      await keyboard.type('Stores');
    }
    await ann.button('Move line OIL up').press('Enter');
    expect(await ann.items()).toEqual(['OIL', 'SEAL']);
    expect(await focusedLabel()).toBe('Move line OIL up');
    await keyboard.press('Enter');
    expect(await ann.items()).toEqual(['OIL', 'SEAL']);
    await ann.button('Remove line OIL').press('Enter');
    expect(await focused()).toBe('Add a line');
    const release = hold();
    await ann.button('Create').press('Enter');
    await ann.said('One moment…');
    release();
    await ann.said('version 1');
    expect(await ann.items()).toEqual(['SEAL']);
    await expect.poll(focused).toBe('LATHE-7');
  });

  test('asks before unsaved edits are left by the back button of the browser', async () => {
    await ann.page.getByRole('link', { name: 'All repairs' }).press('Enter');
    await ann.open('LATHE-7');
    await ann.field('Company').fill('Sawmill');
    const asked: string[] = [];
    ann.page.once('dialog', (dialog) => {
      asked.push(dialog.message());
      return dialog.dismiss();
    });
    await ann.page.goBack();
    await expect.poll(() => asked).toEqual(['Leave without saving? What you have changed will be lost.']);
    await expect.poll(() => ann.page.url()).toMatch(/#\/repairs\//);
    expect(await ann.valuesOf('Company')).toEqual(['Sawmill']);
    await ann.leave();
  });

  test('says so where the gateway does not search, and shows all again', async () => {
    await ann.page.getByLabel('Search').fill('seal');
    await ann.said(/SEARCH/);
    await ann.page.getByLabel('Search').fill('');
    await ann.said('1 in all');
  });

  test('says that the gateway cannot be reached, and goes on when it can', async () => {
    isCut = true;
    await ann.page.reload();
    await ann.said('The gateway cannot be reached.');
    isCut = false;
    await press(ann.button('Try again'));
    await ann.said('1 in all');
  });

  test('logged no errors', () => {
    expect(desk.browser.complaints).toEqual([]);
  });

  /** Requests to the gateway wait from now on. @returns lets them pass, also those to come */
  function hold() {
    let release = () => {};
    passing = new Promise((resolve) => {
      release = resolve;
    });
    return () => release();
  }

  const focused = () => ann.page.evaluate('document.activeElement.textContent');
  const focusedLabel = () => ann.page.evaluate('document.activeElement.getAttribute("aria-label")');
}
