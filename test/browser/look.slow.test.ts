/** The look of every page: light and dark, on a phone and on a wide screen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { seriousProblems } from './accessibility.js';
import { missing, openBrowser } from './browser.js';
import { overflow } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

describe.skipIf(reason)('every page', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let record: string;

  beforeAll(async () => {
    gateway = await startGateway();
    const create = { asset: 'LATHE-7', failure_date: '2026-11-20', repair_cost: 120.5 };
    record = (await gateway.rest('POST', '/api/assets/asset-repair', create)).body.id;
    const line = { asset_repair_id: record, item_code: 'BELT', warehouse: 'Yard' };
    await gateway.rest('POST', '/api/assets/asset-repair-consumed-item', line);
    browser = await openBrowser();
    await browser.page.goto(`${gateway.url}/#key=${gateway.key}`);
    await browser.page.getByRole('button', { name: 'Sign out' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  /** The pages, each with an element that is there when it is complete. */
  const pages: [path: string, whole: string][] = [
    ['/', '[role="img"][aria-label*="draft"]'],
    ['/schema', '.drawing a'],
    ['/schema/AssetRepair', 'h2:has-text("Asset Repair"), h1:has-text("Asset Repair")'],
    ['/records', 'main a:has-text("Asset Repair")'],
    ['/records/asset-repair', 'text="1 in all"'],
    ['/records/asset-repair/:id', 'text="Version 1"'],
    ['/docs/usage', 'main h1'],
    ['/docs', 'h1:has-text("Business Records Gateway")'],
    ['/graphql', '.graphiql-query-editor .view-line'],
  ];
  const looks = (['light', 'dark'] as const).flatMap((scheme) =>
    [360, 768, 1440, 1920].map((width) => ({ scheme, width })),
  );
  const all = pages.flatMap(([path, whole]) => looks.map((look) => ({ path, whole, ...look })));

  test.each(all)('$path, $scheme, $width px: nothing serious by axe, no sideways scroll', async (look) => {
    const { page } = browser;
    await page.emulateMedia({ colorScheme: look.scheme });
    await page.setViewportSize({ width: look.width, height: 900 });
    // An address that differs only behind `#` would not load the page.
    await page.goto('about:blank');
    await page.goto(gateway.url + look.path.replace(':id', record));
    await page.locator(look.whole).first().waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('logs no errors', () => {
    expect(browser.complaints).toEqual([]);
  });
});
