/** People sign in on the pages with an issuer, in a real browser. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type GatewayWithPeople, startWithPeople } from '../access/people.js';
import { rolesFile, technician } from '../access/roles.js';
import { issuersFile } from '../support/issuer.js';
import { SignInIssuer } from '../support/sign-in-issuer.js';
import { seriousProblems } from './accessibility.js';
import { missing, openBrowser } from './browser.js';
import { press } from './press.js';
import { answerIn, fitsOnPhone, stores } from './visit.js';

const reason = missing();
if (reason) console.log(reason);

const of = (name: string, company: string) => ({
  sub: name.toLowerCase(),
  name: `${name} Miller`,
  roles: ['Technicians'],
  claims: { company },
});

describe.skipIf(reason)('people on the pages', () => {
  let issuer: SignInIssuer;
  let gateway: GatewayWithPeople;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;
  let file: string;
  const violations: string[] = [];

  beforeAll(async () => {
    issuer = await SignInIssuer.start([of('Ada', 'ACME'), of('Ben', 'Sawmill')]);
    file = issuersFile([issuer.entry({ roles: { Technicians: 'technician' } })]);
    const env = { ROLES: rolesFile({ technician }), ISSUERS: file, ISSUERS_ALLOW: '127.0.0.1' };
    gateway = await startWithPeople({ env });
    for (const company of ['ACME', 'Sawmill']) {
      const repair = { asset: `SAW of ${company}`, failure_date: '2026-11-20', repair_cost: 70, company };
      await gateway.rest('POST', '/api/assets/asset-repair', repair);
    }
    browser = await openBrowser();
  });
  beforeEach(async () => {
    Object.assign(issuer, { expiresIn: 300, refreshes: true, isDown: false, isOpaque: false });
    page = await browser.openPage();
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) violations.push(message.text());
    });
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      for (const one of page.context().pages()) console.log(one.url(), await one.locator('body').allInnerTexts());
      console.log(browser.complaints, issuer.refused);
    }
    await page.context().close();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    await issuer?.stop();
  });

  const list = () => `${gateway.url}/records/asset-repair`;
  const signInButton = (one: Page) => one.getByRole('button', { name: `Sign in with 127.0.0.1` });
  const signOutButton = (one: Page) => one.getByRole('button', { name: 'Sign out' });
  const renewals = () => issuer.grants.filter((grant) => grant === 'refresh_token').length;

  async function choose(one: Page, name: string) {
    await one.waitForURL(/\/authorize\?/);
    await press(one.getByRole('button', { name }));
  }

  async function signIn(one: Page, name: string, address = list()) {
    await one.goto(address);
    await press(signInButton(one));
    await choose(one, name);
    await signOutButton(one).waitFor();
    await one.waitForURL(address);
  }

  test('sign in, go on where they were, and see what their role shows and no more', async () => {
    await signIn(page, 'Ada', `${list()}?order=asset`);
    await page.getByText('1 in all').waitFor();
    await page.getByRole('link', { name: 'SAW of ACME' }).waitFor();
    await press(page.getByRole('button', { name: 'Ada Miller' }));
    await page
      .locator('#who')
      .getByText(
        /Signed in as Ada Miller with 127\.0\.0\.1:\d+\. Roles: technician\. Until .*\d:\d\d.*, and renewed before\./,
      )
      .waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await fitsOnPhone(page);
    expect(issuer.refused).toEqual([]);
  });

  test('keep their tokens in the storage of the tab, over a reload, and leave nothing of them elsewhere', async () => {
    await signIn(page, 'Ada');
    await page.reload();
    await page.getByText('1 in all').waitFor();
    const [tab, disk, cookie] = await stores(page);
    expect([disk, cookie]).toEqual([[], '']);
    const kept = issuer.given.filter((token) => tab.some((value) => value.includes(token)));
    expect([tab.length, kept.length]).toEqual([1, 2]);
    // Neither the code nor the state nor the proof is left.
    expect(await page.evaluate('Object.keys(sessionStorage).sort()')).toEqual(['session /']);
    for (const token of issuer.given) {
      expect(browser.requests.filter((url) => url.includes(token))).toEqual([]);
      expect(gateway.logLines.filter((line) => line.includes(token))).toEqual([]);
    }
    const codes = browser.requests.flatMap((url) => new URL(url).searchParams.get('code') ?? []);
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(gateway.logLines.filter((line) => line.includes(code))).toEqual([]);
    await page.goBack();
    expect(page.url()).not.toContain('code=');
  });

  test('turn back at the issuer, and are told what to do', async () => {
    await page.goto(list());
    await press(signInButton(page));
    await choose(page, 'Turn back');
    await page.getByRole('alert').getByText('has not let you in (access_denied). Try again').waitFor();
    expect(page.url()).toBe(`${gateway.url}/signed-in`);
    expect(await stores(page)).toEqual([[], [], '']);
    expect(await seriousProblems(page)).toEqual([]);
    await press(signInButton(page));
    await choose(page, 'Ada');
    await page.getByText('You are signed in as ').waitFor();
    await press(page.getByRole('link', { name: 'look around here' }));
    await signOutButton(page).waitFor();
    await page.waitForURL(`${gateway.url}/`);
  });

  test('are not signed in by an answer that they have not asked for', async () => {
    const asked = issuer.grants.length;
    await page.goto(`${gateway.url}/signed-in?code=stolen&state=invented`);
    await page.getByRole('alert').getByText('belongs to no sign-in that was begun in this tab').waitFor();
    await page.goto(list());
    await press(signInButton(page));
    await page.waitForURL(/\/authorize\?/);
    const link = await page.getByRole('button', { name: 'Ada' }).getAttribute('href');
    const address = new URL(link ?? '');
    address.searchParams.set('state', 'x'.repeat(43));
    await page.goto(address.href);
    await page.getByRole('alert').getByText('belongs to no sign-in that was begun in this tab').waitFor();
    // What was begun counts once: the right answer is late now.
    await page.goto(link ?? '');
    await page.getByRole('alert').getByText('belongs to no sign-in that was begun in this tab').waitFor();
    expect(issuer.grants.length).toBe(asked);
    expect(await stores(page)).toEqual([[], [], '']);
  });

  test('are told that the issuer cannot be reached, and what it answers is not shown', async () => {
    issuer.isDown = true;
    await page.goto(list());
    await press(signInButton(page));
    await choose(page, 'Ada');
    await page.getByRole('alert').getByText('gave no token: it answered 503. Sign in again.').waitFor();
    await page.route(`${issuer.tokens.issuer}/token`, (route) => route.abort());
    await press(signInButton(page));
    await choose(page, 'Ada');
    await page
      .getByRole('alert')
      .getByText(/cannot be reached from here.*CORS/)
      .waitFor();
  });

  test('use the identity token where the access token is not for the gateway', async () => {
    issuer.isOpaque = true;
    await signIn(page, 'Ben');
    await page.getByRole('link', { name: 'SAW of Sawmill' }).waitFor();
  });

  test('have their token renewed in one of several tabs, and nothing that is typed or shown is lost', async () => {
    issuer.expiresIn = 6;
    await signIn(page, 'Ada');
    await press(page.getByRole('link', { name: 'SAW of ACME' }));
    await press(page.getByRole('button', { name: 'Edit' }));
    await page.getByLabel('Description').fill('Belt worn out.');
    const tabs = [await page.context().newPage(), await page.context().newPage()];
    for (const tab of tabs) {
      await tab.goto(list());
      await tab.getByText('1 in all').waitFor();
    }
    const due = 4_500;
    // All ask at the same time when the token is about to end, and one while it is loaded.
    for (const loaded of tabs) {
      const before = renewals();
      await page.waitForTimeout(due + 100);
      const since = Date.now();
      const asked = (one: Page) => one.evaluate("document.querySelector('#who').togglePopover()");
      await Promise.all([...[page, ...tabs].map(asked), ...tabs.map(asked)]);
      await loaded.reload();
      await loaded.getByText('1 in all').waitFor();
      expect(renewals()).toBeGreaterThan(before);
      expect(renewals() - before).toBeLessThanOrEqual(1 + (Date.now() - since) / due);
    }
    expect(issuer.refused).toEqual([]);
    expect(await page.getByLabel('Description').inputValue()).toBe('Belt worn out.');
    await press(page.getByRole('button', { name: 'Save…' }));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
    await page.getByText(/Saved as version \d+\./).waitFor();
    expect(issuer.refused).toEqual([]);
    issuer.expiresIn = 300;
  });

  test('are not refused the next token where another tab has got it while the page was loaded', async () => {
    issuer.expiresIn = 6;
    await signIn(page, 'Ada');
    const tab = await page.context().newPage();
    await tab.goto(`${gateway.url}/operations/Changes.json`);
    const kept = await page.evaluate("sessionStorage.getItem('session /')");
    await page.waitForTimeout(4_600);
    const before = renewals();
    await page.evaluate("document.querySelector('#who').togglePopover()");
    await expect.poll(renewals).toBe(before + 1);
    issuer.expiresIn = 300;
    await tab.evaluate(`sessionStorage.setItem('session /', ${JSON.stringify(kept)})`);
    await tab.goto(list());
    await tab.getByText('1 in all').waitFor();
    expect(issuer.refused).toEqual([]);
  });

  test('whose sign-in has ended sign in again in another tab without losing what they typed', async () => {
    issuer.expiresIn = 12;
    issuer.refreshes = false;
    await signIn(page, 'Ada');
    await press(page.getByRole('link', { name: 'SAW of ACME' }));
    await press(page.getByRole('button', { name: 'Edit' }));
    await page.getByLabel('Description').fill('Noisy.');
    await page.waitForTimeout(12_000);
    await press(page.getByRole('button', { name: 'Save…' }));
    await page.getByRole('alert').getByText('You are no longer signed in. This token has expired.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await fitsOnPhone(page);
    issuer.expiresIn = 300;
    const opened = page.context().waitForEvent('page');
    await press(signInButton(page));
    const tab = await opened;
    await press(signInButton(tab));
    await choose(tab, 'Ada');
    await tab.getByText('You are signed in as ').waitFor();
    await signOutButton(page).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Noisy.');
    await press(page.getByRole('button', { name: 'Save…' }));
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }));
    await page.getByText(/Saved as version \d+\./).waitFor();
  });

  test('go on with their token while the issuer gives no other', async () => {
    await page.clock.install();
    await signIn(page, 'Ada');
    issuer.isDown = true;
    await page.clock.fastForward(240_000);
    const asked = page.waitForRequest(`${issuer.tokens.issuer}/token`);
    await page.reload();
    await asked;
    await page.getByText('1 in all').waitFor();
    issuer.isDown = false;
    const before = renewals();
    await page.clock.fastForward(20_000);
    await page.reload();
    await page.getByText('1 in all').waitFor();
    expect(renewals()).toBe(before + 1);
  });

  test('sign out in all tabs, and forget everything', async () => {
    await signIn(page, 'Ada');
    const tab = await page.context().newPage();
    await tab.goto(`${gateway.url}/`);
    await press(signOutButton(tab));
    for (const one of [page, tab]) await signInButton(one).waitFor();
    for (const one of [page, tab]) expect(await stores(one)).toEqual([[], [], '']);
  });

  test('use GraphiQL, the reference and the translation with a renewed token', async () => {
    issuer.expiresIn = 8;
    const logged = gateway.logLines.length;
    await signIn(
      page,
      'Ada',
      `${gateway.url}/graphql#query=${encodeURIComponent('{ assetRepairs { nodes { asset } } }')}`,
    );
    await renewedBy(async () => {
      await press(page.getByRole('button', { name: /Execute query/ }));
      await answerIn(page).getByText('SAW of ACME').waitFor();
    });
    await page.goto('about:blank');
    await page.goto(`${gateway.url}/docs#tag/assets/GET/api/assets/asset-repair`);
    await press(page.getByRole('button', { name: /Test Request.*get.*\/api\/assets\/asset-repair\)/i }).first());
    await renewedBy(async () => {
      await press(page.getByRole('button', { name: /^Send get request/ }));
      await page.getByText('200 OK').first().waitFor();
    });
    expect(gateway.logLines.slice(logged).filter((line) => line.includes('token_expired'))).toEqual([]);
  });

  /** Does this after the token has ended. */
  async function renewedBy(work: () => Promise<void>) {
    await page.waitForTimeout(issuer.expiresIn * 1_000);
    const before = renewals();
    await work();
    expect(renewals()).toBeGreaterThan(before);
  }

  test('are offered another issuer after a reload of the file, and the policy names its origin', async () => {
    const policy = async () =>
      (await fetch(gateway.url, { headers: { accept: 'text/html' } })).headers.get('content-security-policy');
    expect(await policy()).toContain(`connect-src 'self' ${issuer.tokens.issuer};`);
    const signIn = { clientId: 'x', authorize: 'https://a.example/a', token: 'https://t.example/token', label: 'ACME' };
    const before = issuer.entry({ roles: { Technicians: 'technician' } });
    writeFileSync(file, JSON.stringify([before, issuer.entry({ issuer: 'https://a.example', roles: {}, signIn })]));
    gateway.reload();
    expect(await policy()).toContain(`connect-src 'self' ${issuer.tokens.issuer} https://t.example;`);
    const [, another] = (await gateway.rest('GET', '/pages/sign-in.json')).body;
    expect(another).toMatchObject({ ...signIn, issuer: 'https://a.example', scopes: ['openid'] });
    await page.goto(gateway.url);
    await page.getByRole('button', { name: 'Sign in with ACME' }).waitFor();
  });

  test('meet no violation of the policy, and no page logs an error', () => {
    expect(violations).toEqual([]);
    expect(browser.complaints).toEqual([]);
    const origins = new Set(browser.requests.filter((url) => url.startsWith('http')).map((url) => new URL(url).origin));
    expect([...origins].sort()).toEqual([gateway.url, issuer.tokens.issuer].sort());
  });
});
