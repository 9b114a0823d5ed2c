/** The back end of docs/backend.md, as a process of its own, and pages of it and of other sites in a browser. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/features/keys/api-keys.js';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { missing, openBrowser } from './browser.js';
import { serveFolder } from './static-server.js';

const reason = missing();
if (reason) console.log(reason);

/** The command of the page that makes what is kept of a password. */
const [, command = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync('docs/backend.md', 'utf8')) ?? [];

const origin = 'https://desk.example';

/** What the page of the front end does; the script is served with it, as the policy of the back end demands. */
const script = `
  const json = { 'content-type': 'application/json' };
  const post = (path, body, headers = {}) =>
    fetch(path, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const toText = async (answer) => ({ status: answer.status, body: await answer.text(), headers: [...answer.headers] });
  window.login = async (name, password) => (await post('/login', { name, password })).status;
  window.logout = async () => (await post('/logout', {})).status;
  window.ask = async (query, variables, headers) => toText(await post('/graphql', { query, variables }, headers));
  window.events = [];
  window.byEventSource = (query) => {
    window.source = new EventSource('/graphql?query=' + encodeURIComponent(query));
    window.source.addEventListener('next', ({ data }) => window.events.push(Object.values(JSON.parse(data).data)[0]));
  };
  window.parts = { text: '', isDone: false };
  window.byParts = async (query) => {
    const accept = 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0';
    window.parts.isDone = false;
    const answer = await post('/graphql', { query }, { accept });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    try {
      for (let read; !(read = await reader.read()).done; ) window.parts.text += read.value;
    } catch {}
    window.parts.isDone = true;
  };
`;

describe.skipIf(reason)('a back end for a front end', () => {
  let gateway: TestGateway;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;
  let backend: ChildProcess;
  /** Through which the back end reaches the gateway. */
  let between: Awaited<ReturnType<typeof serveFolder>>;
  let url = '';
  let others: Server;
  const keys: Record<string, { secret: string; id: string }> = {};

  beforeAll(async () => {
    gateway = await startGateway();
    const folder = freshFolder();
    for (const name of ['ann', 'bob']) {
      const { secret, apiKey } = await createKey(gateway.database, { name, scopes: ['assets:read', 'assets:write'] });
      keys[name] = { secret, id: apiKey.id };
    }
    between = await serveFolder(folder, gateway.url);
    const people = Object.entries(keys).map(([name, { secret }]) => {
      const printed = execFileSync('bash', ['-c', command.replace("'the password'", `'password of ${name}'`)]);
      return [name, { ...JSON.parse(printed.toString()), key: secret }];
    });
    writeFileSync(join(folder, 'people.json'), JSON.stringify(Object.fromEntries(people)), { mode: 0o600 });
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Desk</title><script src="/desk.js"></script>');
    writeFileSync(join(folder, 'desk.js'), script);
    const env = { ...process.env, GATEWAY: `${between.url}/graphql`, ORIGIN: origin, PORT: '0', SITE: folder };
    backend = spawn(process.execPath, ['examples/backend/server.js'], {
      env: { ...env, PEOPLE: join(folder, 'people.json') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!backend.stdout) throw new Error('No output');
    [url] = await once(createInterface(backend.stdout), 'line');
    others = createServer(({ url: path }, response) => {
      const target = new URL(path ?? '', 'http://other').searchParams;
      response.setHeader('content-type', 'text/html').end(
        `<form method="post" enctype="text/plain" action="${target.get('action')}">
           <input name='${target.get('body')}' value=''></form><script>document.forms[0].submit()</script>`,
      );
    }).listen(0, '127.0.0.1');
    await once(others, 'listening');
    browser = await openBrowser();
    page = browser.page;
    await page.goto(url);
  });
  afterAll(async () => {
    await browser?.close();
    backend?.kill();
    others?.close();
    await between?.close();
    await gateway?.close();
  });

  const call = (name: string, ...args: unknown[]) => page.evaluate(`${name}(...${JSON.stringify(args)})`);
  const ask = async (query: string, variables = {}, headers = {}) => {
    const { status, body, headers: received } = Object(await call('ask', query, variables, headers));
    for (const { secret } of Object.values(keys)) expect(body + JSON.stringify(received)).not.toContain(secret);
    return { status, body: JSON.parse(body) };
  };
  const create = (asset: string, headers = {}) =>
    ask(
      'mutation ($asset: String!) { createAssetRepair(input: { asset: $asset, failureDate: "2026-11-20" }) { record { id } } }',
      { asset },
      headers,
    );
  const total = async () =>
    (await gateway.graphql('{ assetRepairs { totalCount } }')).body.data.assetRepairs.totalCount;
  const changes = (fields: string) => `subscription { assetRepairChanged { position notice ${fields} } }`;

  test('lets nobody ask without a session, or sign in with a wrong password', async () => {
    expect(await ask('{ viewer { name } }')).toMatchObject({
      status: 401,
      body: { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] },
    });
    expect(await call('login', 'ann', 'password of bob')).toBe(401);
    expect(await call('login', 'nobody', 'password of ann')).toBe(401);
    expect(await call('login', '__proto__', '')).toBe(401);
    expect((await ask('{ viewer { name } }')).status).toBe(401);
  });

  test('signs a person in, who asks and changes with the key that the browser never gets', async () => {
    expect(await call('login', 'ann', 'password of ann')).toBe(204);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: '__Host-session', httpOnly: true, secure: true, sameSite: 'Strict' });
    expect(cookie?.value).not.toBe(keys.ann?.secret);
    const visible = '[document.cookie, localStorage.length, sessionStorage.length]';
    expect(await page.evaluate(visible)).toEqual(['', 0, 0]);
    expect((await ask('{ viewer { name } }')).body.data.viewer.name).toBe('ann');
    const created = await create('LATHE-7');
    expect(created.body.data.createAssetRepair.record.id).toMatch(/^asset-repair_/);
    // A header of the page does not take the place of the key.
    const forged = await ask('{ viewer { name } }', {}, { authorization: `Bearer ${gateway.key}` });
    expect(forged.body.data.viewer.name).toBe('ann');
    await create('PRESS-2', { 'idempotency-key': 'one' });
    await create('PRESS-2', { 'idempotency-key': 'one' });
    expect(await total()).toBe(2);
  });

  test.each(['127.0.0.1', 'localhost'])('refuses forms of another site, at %s, which browsers send', async (host) => {
    const body = '{"query":"mutation { createIndustryType(input: { industry: \\"x\\" }) { record { id } } }", "a":"';
    const { port } = others.address() as AddressInfo;
    for (const path of ['/graphql', '/login', '/logout']) {
      const other = await page.context().newPage();
      const refused = other.waitForResponse(`${url}${path}`);
      await other.goto(`http://${host}:${port}/?${new URLSearchParams({ action: url + path, body })}`);
      const answer = await refused;
      expect([answer.status(), await answer.text()]).toEqual([403, expect.stringContaining('FORBIDDEN')]);
      // A form of the same site brings the cookie: only the check of the back end is left.
      expect('cookie' in (await answer.request().allHeaders())).toBe(host === '127.0.0.1');
      await other.close();
    }
    expect((await ask('{ viewer { name } }')).body.data.viewer.name).toBe('ann');
    expect(await total()).toBe(2);
  });

  test('asks browsers that do not say which site asks for the origin', async () => {
    const login = async (headers: Record<string, string>) => {
      const body = JSON.stringify({ name: 'ann', password: 'password of ann' });
      const type = { 'content-type': 'application/json', 'sec-fetch-mode': 'cors' };
      return (await fetch(`${url}/login`, { method: 'POST', headers: { ...type, ...headers }, body })).status;
    };
    expect(await login({ origin })).toBe(204);
    expect(await login({})).toBe(403);
    expect(await login({ origin: 'https://desk.example.evil' })).toBe(403);
    expect(await login({ origin: 'null' })).toBe(403);
    expect(await login({ origin, 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  test('passes each event on as it comes, also to the EventSource of the browser', async () => {
    await call('byEventSource', changes('recordId'));
    await page.evaluate(`void byParts(${JSON.stringify(changes('recordId'))})`);
    const events = () =>
      page.evaluate<{ notice: string | null; recordId: string | null; position: string }[]>('events');
    const parts = () => page.evaluate<{ text: string; isDone: boolean }>('parts');
    await expect.poll(events).toMatchObject([{ notice: 'OPENED' }]);
    await expect.poll(async () => (await parts()).text).toContain('OPENED');
    const { id } = (await create('SAW-1')).body.data.createAssetRepair.record;
    await expect.poll(events).toMatchObject([{ notice: 'OPENED' }, { recordId: id }]);
    await expect.poll(async () => (await parts()).text).toContain(id);
    expect((await parts()).isDone).toBe(false);
    between.cut();
    await expect.poll(async () => (await parts()).isDone).toBe(true);
    const { id: next } = (await create('SAW-2')).body.data.createAssetRepair.record;
    const missed = [{ notice: 'OPENED' }, { recordId: id }, { notice: 'OPENED' }, { recordId: next }];
    await expect.poll(events).toMatchObject(missed);
    await page.evaluate(`void byParts(${JSON.stringify(changes('recordId'))})`);
    await expect.poll(async () => (await parts()).text.split('OPENED').length).toBe(3);
  });

  test('ends the streams of who logs out, and refuses what they ask next', async () => {
    const cookies = await page.context().cookies();
    expect(await call('logout')).toBe(204);
    await expect.poll(() => page.evaluate('parts.isDone')).toBe(true);
    // The browser has asked again, and was refused.
    await expect.poll(() => page.evaluate('source.readyState')).toBe(2);
    expect(await page.context().cookies()).toEqual([]);
    // Nor does who has kept the cookie get in.
    await page.context().addCookies(cookies);
    expect((await ask('{ viewer { name } }')).status).toBe(401);
  });

  test('ends the session whose key is revoked, and no other', async () => {
    await call('login', 'ann', 'password of ann');
    const second = await browser.openPage();
    await second.goto(url);
    await second.evaluate("login('bob', 'password of bob')");
    await revokeKey(gateway.database, keys.ann?.id ?? '');
    await expect.poll(async () => (await ask('{ viewer { name } }')).status).toBe(401);
    expect((await ask('{ viewer { name } }')).body.errors[0].message).toBe('Sign in.');
    expect(await second.evaluate("ask('{ viewer { name } }')")).toMatchObject({ status: 200 });
  });

  test('says so if the gateway cannot be reached, or a request cannot be read', async () => {
    const wrong = await page.evaluate(`fetch('/login', { method: 'POST', headers: json, body: '{' }).then(toText)`);
    expect(wrong).toMatchObject({ status: 400, body: expect.stringContaining('This cannot be read.') });
    await call('login', 'bob', 'password of bob');
    await gateway.close();
    expect(await ask('{ viewer { name } }')).toMatchObject({
      status: 503,
      body: { errors: [{ extensions: { code: 'UNAVAILABLE' } }] },
    });
    gateway = await startGateway();
  });
});
