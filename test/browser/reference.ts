/** The REST reference, its box that translates, and who calls what. The tests are one visit, in this order. */
import { beforeAll, expect, test } from 'vitest';
import { addUses } from '../../src/features/usage/usage.js';
import { inRestForm } from '../rest/calls.js';
import { seriousProblems } from './accessibility.js';
import { press } from './press.js';
import { answerIn, fitsOnPhone, keysIn, looksIn, runQuery, shownTab, stores, type Visit } from './visit.js';

/** The key of somebody else, in a pasted command. */
const secret = 'brg_0123456789ab_'.padEnd(69, 's');

export function referenceTests(started: () => Visit): void {
  let gateway: Visit['gateway'];
  let browser: Visit['browser'];
  let repair: string;
  beforeAll(async () => {
    ({ gateway, browser } = started());
    const create = { asset: 'LOOM-1', failure_date: '2026-11-22' };
    const { id } = (await gateway.rest('POST', '/api/assets/asset-repair', create)).body;
    repair = `/api/assets/asset-repair/${id}`;
  });

  test('opens with the key, shows what is deprecated and the operation of each endpoint, and performs calls', async () => {
    const { page } = browser;
    await page.goto(`${gateway.url}/docs#tag/assets/GET/api/assets/asset-repair`);
    await page.getByRole('heading', { name: 'Business Records Gateway' }).waitFor();
    await page.getByText('/api/assets/asset-repair').first().waitFor();
    expect([await keysIn(page), (await stores(page))[2]]).toEqual([[gateway.key], '']);
    expect(JSON.stringify((await stores(page))[1])).not.toContain(gateway.key);
    await page.getByText('query AssetRepairList').first().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await fitsOnPhone(page);
    const call = page.getByRole('button', { name: /Test Request.*get.*\/api\/assets\/asset-repair\)/i }).first();
    const [plain, within, beside] = await looksIn(page, '.reference', 'body');
    expect([within, beside]).toEqual([plain, plain]);
    await press(call);
    const send = page.getByRole('button', { name: /^Send get request/ });
    await press(send);
    await page.getByText('200 OK').first().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    const limit = page.getByRole('row', { name: 'limit' }).getByRole('textbox').last();
    await press(limit);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('many');
    await limit.getByText('many', { exact: true }).waitFor();
    await press(send);
    await page.getByText('400 Bad Request').first().waitFor();
    await page.getByText('must be a whole number').first().waitFor();
  });

  test('translates calls of every kind to operations that give the data of the call', async () => {
    const { page } = browser;
    await page.goto('about:blank');
    await page.goto(`${gateway.url}/docs`);
    await press(page.getByText('Translate a call between REST and GraphQL'));
    const lines = '/api/assets/asset-repair-consumed-item';
    const id = repair.slice(repair.lastIndexOf('/') + 1);
    const line = { asset_repair_id: id, item_code: 'BELT', warehouse: 'Yard' };
    const item = (await gateway.rest('POST', lines, line)).body.id;
    const calls: [method: string, path: string, body?: object][] = [
      ['GET', repair],
      ['GET', '/api/assets/asset-repair?limit=1'],
      ['GET', `${lines}?parent_id=${id}`],
      ['GET', `${repair}/history?limit=1`],
      ['GET', '/api/accounts/subscription-settings'],
      ['GET', '/api/changes?limit=1'],
      ['POST', '/api/assets/asset-repair', { asset: "O'Neil", failure_date: '2026-11-22' }],
      ['PATCH', repair, { repair_cost: 77 }],
      ['POST', `${lines}/reorder`, { parent_id: id, ids: [item] }],
      ['POST', `${repair}/submit`],
      ['POST', `${repair}/cancel`],
      ['DELETE', `${lines}/${item}`],
    ];
    const translation = page.getByRole('region', { name: 'Translation' });
    for (const [method, path, body] of calls) {
      const data = body ? ` -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'` : '';
      await translate(`curl -X ${method} -H 'Authorization: Bearer ${secret}' '${gateway.url}${path}'${data}`);
      expect(await translation.textContent()).not.toContain(secret);
      const link = await translation.getByRole('link', { name: 'Open in GraphiQL' }).getAttribute('href');
      const opened = new URLSearchParams(link?.slice(link.indexOf('#') + 1));
      const answer = await gateway.graphql(opened.get('query') ?? '', JSON.parse(opened.get('variables') ?? '{}'));
      expect(answer.body.errors, path).toBeUndefined();
      if (method === 'GET') expect(inRestForm(answer.body.data), path).toEqual((await gateway.rest(method, path)).body);
    }
    expect((await gateway.rest('GET', repair)).body).toMatchObject({ status: 'cancelled', repair_cost: 77 });
    expect(browser.requests.filter((url) => url.includes(secret))).toEqual([]);

    async function translate(text: string) {
      await page.getByLabel('A line of curl').fill(text);
      await press(page.getByRole('button', { name: 'Translate', exact: true }));
      await translation.waitFor();
    }
  });

  test('translates an operation back, and says which operations have no REST call', async () => {
    const { page } = browser;
    const operation = 'query ($n: Int) {\n  assetRepairs(first: $n) { nodes { asset } }\n}\n{ "n": 2 }';
    await page.getByLabel('A line of curl').fill(operation);
    await press(page.getByRole('button', { name: 'Translate', exact: true }));
    await page.getByText('/api/assets/asset-repair?limit=2').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByLabel('A line of curl').fill('{ node(id: "x") { id } }');
    await press(page.getByRole('button', { name: 'Translate', exact: true }));
    await page.getByText('No endpoint of REST does what the field').waitFor();
    await fitsOnPhone(page);
  });

  test('explains only calls of REST, wherever a pasted line leads', async () => {
    const { page } = browser;
    const query = 'mutation { createIndustryType(input: { industry: "pasted" }) { record { id } } }';
    for (const path of ['/api/../graphql', '/api/%2e%2e/graphql', '/api/..\\graphql']) {
      await page.reload();
      // While the reference is drawn, the page comes back to where it was scrolled to: what is pressed then moves away.
      await page.getByRole('heading', { name: 'Business Records Gateway' }).waitFor();
      await press(page.getByText('Translate a call between REST and GraphQL'));
      const line = `curl -X POST '${gateway.url}${path}' -d '${JSON.stringify({ query })}'`;
      await page.getByLabel('A line of curl').fill(line);
      await press(page.getByRole('button', { name: 'Translate', exact: true }));
      await page.getByText('Calls of REST go to /api/…').waitFor();
    }
    const { body } = await gateway.rest('GET', '/api/crm/industry-type');
    expect(body.data.map(({ industry }: { industry: string }) => industry)).not.toContain('pasted');
  });

  test('leads to GraphiQL, which gives the data of the call', async () => {
    const { page } = browser;
    await page.getByLabel('A line of curl').fill(`curl ${gateway.url}${repair}`);
    await press(page.getByRole('button', { name: 'Translate', exact: true }));
    await press(page.getByRole('region', { name: 'Translation' }).getByRole('link', { name: 'Open in GraphiQL' }));
    await shownTab(page, 'AssetRepairRetrieve').waitFor();
    await runQuery(page);
    await answerIn(page).getByText('LOOM-1').waitFor();
  });

  test('shows administrators who calls what, and what is deprecated', async () => {
    const { page } = browser;
    await gateway.rest('GET', '/api/crm/industry-type');
    await gateway.settle();
    await page.goto(`${gateway.url}/docs/usage`);
    const list = page.getByRole('region', { name: 'AssetRepairList', exact: true });
    await list.getByText('GET /api/assets/asset-repair').first().waitFor();
    await press(list.getByText('Move to'));
    await list.getByText('query AssetRepairList').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await fitsOnPhone(page);
    await press(page.getByLabel('Only what is deprecated'));
    await list.waitFor({ state: 'detached' });
    const ending = page.getByRole('region', { name: 'IndustryTypeList', exact: true });
    await ending.getByText('deprecated since 2026-10-01, ends 2027-06-01').waitFor();
    const later = page.getByRole('region', { name: 'CustomsTariffNumberList', exact: true });
    await later.getByText('deprecated from 2099-10-01, ends 2100-06-01').waitFor();
    // A key without calls in the chosen days may still have to move.
    const before = {
      firstAt: 1,
      lastAt: 1,
      calls: 3,
      userAgent: '',
      surface: 'rest',
      name: 'IndustryTypeDelete',
    } as const;
    await gateway.database.perform(() => addUses('sqlite', [{ ...before, keyId: 'brg_0123456789ab' }]));
    await page.getByLabel('Called').selectOption('7');
    const seldom = page.getByRole('region', { name: 'IndustryTypeDelete', exact: true });
    await seldom.getByText('1 key that has called it is not shown here.').waitFor();
    expect(await seldom.getByText('Nobody calls it.').count()).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
  });
}
