/** A visit to the pages: one gateway, one browser, and checks that the tests of several pages share. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { openBrowser } from './browser.js';
import { press } from './press.js';

export interface Visit {
  gateway: TestGateway;
  browser: Awaited<ReturnType<typeof openBrowser>>;
}

/** A gateway for the tests of a block, and a browser that is signed in at it. Where a test fails, what is seen then is told. */
export function signedIn(settings?: Parameters<typeof startGateway>[0]): () => Visit {
  let gateway: TestGateway;
  let browser: Visit['browser'];
  beforeAll(async () => {
    gateway = await startGateway(settings);
    browser = await openBrowser();
    browser.page.setDefaultTimeout(60_000);
    await browser.page.goto(`${gateway.url}/#key=${gateway.key}`);
    await browser.page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(await browser.whatIsSeen());
  });
  return () => ({ gateway, browser });
}

/** The number of pixels by which the page is wider than the window. */
export const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Checks that the present page does not scroll sideways on a phone. */
export async function fitsOnPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await overflow(page)).toBe(0);
  await page.setViewportSize({ width: 1100, height: 850 });
}

/** The answer of the tab with this name in GraphiQL. */
export const answerIn = (page: Page) => page.getByRole('region', { name: /Result/ });

/** The tab of this name in GraphiQL, where it is the one that is shown. */
export const shownTab = (page: Page, name: string) =>
  page.locator('.graphiql-tab-button[aria-current="true"]').getByText(name, { exact: true });

export async function runQuery(page: Page): Promise<void> {
  await press(page.getByRole('button', { name: /Execute query/ }));
}

/** The values of what the browser stores for the tab, those on the disk, and the cookies. */
export const stores = (page: Page): Promise<[string[], string[], string]> =>
  page.evaluate('[Object.values(sessionStorage), Object.values(localStorage), document.cookie]');

/** The keys that the tab keeps. */
export const keysIn = async (page: Page): Promise<string[]> =>
  (await stores(page))[0].map((kept) => JSON.parse(kept).key);

/**
 * How an element with names of our own classes looks within each of these places, and in a page without any rules. Equal
 * if no rule of the pages reaches into a place.
 */
export const looksIn = (page: Page, ...places: string[]): Promise<string[]> =>
  page.evaluate(`(() => {
    const plain = document.body.appendChild(document.createElement('iframe'));
    const parents = [plain.contentDocument.body, ...${JSON.stringify(places)}.map((place) => document.querySelector(place))];
    const looks = parents.map((parent) => ['button', 'input', 'span', 'pre', 'p', 'h2'].map((name) => {
      const one = parent.ownerDocument.createElement(name);
      one.className = 'main small code card badge draft quiet notice bad';
      parent.append(one);
      const parts = ['padding', 'borderRadius', 'backgroundColor', 'whiteSpace', 'position'];
      const look = parts.map((part) => getComputedStyle(one)[part]);
      one.remove();
      return look.join(' ');
    }).join(', '));
    plain.remove();
    return looks;
  })()`);
