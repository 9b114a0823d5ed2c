/** GraphiQL in the browser. The tests are one visit, in this order, with a key and some presses. */
import { beforeAll, expect, test } from 'vitest';
import { seriousProblems } from './accessibility.js';
import { press } from './press.js';
import { answerIn, keysIn, looksIn, overflow, runQuery, shownTab, stores, type Visit } from './visit.js';

export function graphiqlTests(started: () => Visit): void {
  let gateway: Visit['gateway'];
  let browser: Visit['browser'];
  beforeAll(() => {
    ({ gateway, browser } = started());
  });

  test('opens with the key of the other pages, and tabs that each run as they are', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/graphql`);
    const expected: [tab: string, answer: RegExp][] = [
      ['NestedRead', /PRESS-30/],
      ['CreateWithLines', /createAssetRepair/],
      ['SubmitRepair', /SUBMITTED/],
      ['Page', /hasNextPage/],
      ['Filter', /BELT/],
      ['Aggregate', /assetRepairAggregate/],
      ['StaleSave', /VERSION_CONFLICT/],
      ['Live', /OPENED/],
    ];
    for (const [tab, answer] of expected) {
      await press(page.getByTitle(tab, { exact: true }));
      // Until then the button runs the previous tab.
      await shownTab(page, tab).waitFor();
      await runQuery(page);
      await answerIn(page).getByText(answer).first().waitFor();
      if (tab !== 'StaleSave') expect(await answerIn(page).textContent()).not.toContain('"errors"');
    }
    await press(page.getByRole('button', { name: /Stop query/ }));
    const tabs = page.getByRole('list', { name: 'Operations' }).getByTitle(/./);
    expect(await tabs.allInnerTexts()).toEqual(expected.map(([tab]) => tab));
    expect(browser.requests.filter((url) => url === `${gateway.url}/pages/introspection.json`)).toHaveLength(1);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('looks as its authors meant: no rule of the pages reaches into it or beside it', async () => {
    const [plain, within, beside] = await looksIn(browser.page, '.embedded', 'body');
    expect([within, beside]).toEqual([plain, plain]);
    expect(await overflow(browser.page)).toBe(0);
    const { page } = browser;
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
  });

  test('asks once for each file that its page names ahead, and the app then uses it', async () => {
    const { page } = browser;
    const ahead: string[] = await page.evaluate(
      `[...document.querySelectorAll('link[rel="preload"]')].map(({ href }) => href)`,
    );
    expect(ahead).toHaveLength(2);
    for (const file of ahead) {
      expect(browser.requests.filter((url) => url === file)).toHaveLength(1);
      const used = page.locator(`script[src="${file}"], link[rel="stylesheet"][href="${file}"]`);
      expect(await used.count()).toBe(1);
    }
  });

  test('runs the operation of a tab that was opened a moment ago', async () => {
    const { page } = browser;
    const execute = page.getByRole('button', { name: /Execute query/ });
    for (const [tab, answer] of [
      ['NestedRead', 'PRESS-30'],
      ['Page', 'hasNextPage'],
    ] as const) {
      // By keyboard, which is sooner than the mouse.
      await page.getByTitle(tab, { exact: true }).press('Enter');
      await execute.press('Enter');
      await answerIn(page).getByText(answer).first().waitFor();
    }
  });

  test('completes what is typed', async () => {
    const { page } = browser;
    await press(page.getByRole('button', { name: /New tab/ }));
    // The tab appears before the editor has its text: until then the input goes to the previous tab.
    await shownTab(page, '<untitled>').waitFor();
    await page.locator('.graphiql-query-editor').getByText('query Page').waitFor({ state: 'detached' });
    const offered = page.getByRole('option', { name: /^assetRepairAggregate/ });
    const completed = page.locator('.graphiql-query-editor').getByText('assetRepairAggregate');
    // The worker with the schema may still be loading, and then nothing is suggested. On a busy machine the list may still
    // show what was suggested for the beginning of the word. Then all is typed once more.
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape');
        await press(page.locator('.graphiql-query-editor'));
        await page.keyboard.press('Control+A');
        await page.keyboard.type('{ assetRepairAgg');
        await page.keyboard.press('Control+Space');
        return offered
          .waitFor({ timeout: 5_000 })
          .then(() => page.keyboard.press('Enter'))
          .then(() => completed.waitFor({ timeout: 2_000 }))
          .then(() => true, String);
      })
      .toBe(true);
  });

  test('describes the schema, with links, and its types and fields, what people look for first', async () => {
    const { page } = browser;
    await press(page.getByRole('button', { name: /Documentation Explorer/ }));
    const docs = page.locator('.graphiql-doc-explorer');
    await docs.getByText('The business records of nine areas').waitFor();
    const { pathname } = new URL(
      (await docs.getByRole('link', { name: 'REST reference' }).getAttribute('href')) ?? '',
      page.url(),
    );
    expect(pathname).toBe('/docs');
    const types = docs.locator('.graphiql-doc-explorer-section-content').last();
    expect((await types.getByRole('link').allInnerTexts()).slice(0, 2)).toEqual([
      'SigningDocument',
      'SigningSignature',
    ]);
    expect(await seriousProblems(page)).toEqual([]);
    await press(types.getByRole('link', { name: 'AssetRepair', exact: true }));
    await docs.getByText('Cost of outside services and labour').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('opens the operation that the address names', async () => {
    const { page } = browser;
    const query = 'query Named($first: Int) { assetRepairs(first: $first) { totalCount } }';
    const search = new URLSearchParams({ query, variables: '{"first":1}' });
    for (const [address, tab, answer] of [
      [`?${search}`, 'Named', 'totalCount'],
      [`#${search}`, 'Named', 'totalCount'],
      // The operation of an endpoint of REST, with the variables of its example.
      ['#operation=AssetRepairCreate', 'AssetRepairCreate', '_version'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(`${gateway.url}/graphql${address}`);
      await shownTab(page, tab).waitFor();
      await runQuery(page);
      await answerIn(page).getByText(answer).first().waitFor();
      expect(await answerIn(page).textContent()).not.toContain('"errors"');
    }
  });

  test('fits on a phone, with the answer below the operation', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${gateway.url}/graphql`);
    // It is still open from the previous test, and there is no room for both.
    await page.locator('.graphiql-doc-explorer').waitFor();
    expect(await overflow(page)).toBe(0);
    await press(page.getByRole('button', { name: /Hide Documentation Explorer/ }));
    await page.getByRole('button', { name: /Execute query/ }).waitFor();
    const [editors, answer] = await Promise.all([
      page.locator('.graphiql-editors').boundingBox(),
      answerIn(page).boundingBox(),
    ]);
    expect(answer?.y).toBeGreaterThanOrEqual((editors?.y ?? 0) + (editors?.height ?? 0));
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1100, height: 850 });
  });

  test('leaves the key nowhere but in the storage of the tab', async () => {
    const [, disk, cookie] = await stores(browser.page);
    expect(await keysIn(browser.page)).toEqual([gateway.key]);
    expect(JSON.stringify(disk) + cookie).not.toContain(gateway.key);
  });
}
