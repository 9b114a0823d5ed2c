/** The recipes of docs/apollo.md, in a browser. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../src/features/keys/api-keys.js';
import { createRepair, repairInput } from '../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type InBrowser, noBrowser, openInBrowser } from './in-browser.js';
import { possibleTypes } from './possible-types.js';
import { hundredRepairs } from './records.js';

describe.skipIf(noBrowser)('a page with Apollo Client', () => {
  let gateway: TestGateway;
  let browser: InBrowser<typeof import('./pages/apollo.js')>;
  beforeAll(async () => {
    gateway = await startGateway();
    await hundredRepairs(gateway);
    browser = await openInBrowser<typeof import('./pages/apollo.js')>('test/clients/pages/apollo.ts', gateway.url);
    await browser.call('open', gateway.key, possibleTypes);
    await browser.call('show', where);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });

  const where = { failureDate: { eq: '2026-11-20' } };
  const assets = async () => (await browser.call('seen')).map(({ asset }) => asset);
  const lists = (count: number) => expect.poll(async () => (await assets()).length).toBe(count);
  const change = (id: string, values: object) => gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, values);
  const create = (asset: string, failureDate = '2026-11-20') =>
    createRepair(gateway, { ...repairInput({ asset }), failureDate });

  test('shows an endless list, and in it what others create, change and delete', async () => {
    await lists(20);
    await browser.call('showMore');
    await lists(40);
    const created = await create('NEW');
    await lists(41);
    expect((await assets()).slice(0, 2)).toEqual(['NEW', 'ASSET-099']);
    await change(created.id, { asset: 'CHANGED' });
    await expect.poll(assets).toContain('CHANGED');
    await change(created.id, { failure_date: '2026-11-21' });
    await lists(40);
    await change(created.id, { failure_date: '2026-11-20' });
    await expect.poll(async () => (await assets())[0]).toBe('CHANGED');
    await gateway.rest('DELETE', `/api/assets/asset-repair/${created.id}`);
    await lists(40);
    await create('ELSEWHERE', '2026-11-22');
    await browser.call('showMore');
    await lists(60);
    expect(new Set(await assets()).size).toBe(60);
    expect((await assets())[0]).toBe('ASSET-099');
  });

  test('continues behind the last event after a lost connection, and reads nothing again', async () => {
    const other = await startGateway({ env: { DATABASE_URL: gateway.config.databaseUrl } });
    const { id } = await create('BEFORE');
    await expect.poll(async () => (await assets())[0]).toBe('BEFORE');
    const before = await browser.call('requestsSoFar');
    browser.passTo('http://127.0.0.1:9');
    await browser.cut();
    await change(id, { asset: 'MISSED' });
    await create('MISSED TOO');
    await expect.poll(() => browser.call('requestsSoFar')).toBeGreaterThan(before + 1);
    browser.passTo(other.url);
    await expect.poll(async () => (await assets()).slice(0, 2)).toEqual(['MISSED TOO', 'MISSED']);
    expect((await assets()).length).toBe(62);
    expect(await browser.call('wrong')).toEqual([]);
    browser.passTo(gateway.url);
    await browser.cut();
    await other.close();
  });

  test('shows what is saved at once, and takes it back where somebody else was faster', async () => {
    const [edited] = await browser.call('seen');
    if (!edited) throw new Error('Nothing is shown');
    const saved = await browser.call('save', edited, { description: 'leaks' });
    expect(saved).toMatchObject({ saved: { description: 'leaks', version: edited.version + 1 } });
    const soFar = (await browser.call('seenSoFar')).map(([first]) => [first?.description, first?.version]);
    expect(soFar).toContainEqual(['leaks', edited.version]);
    // With the version of before, as if the event had not come yet.
    expect(await browser.call('save', edited, { description: 'mine' })).toMatchObject({
      conflict: { description: 'leaks', version: edited.version + 1 },
    });
    expect((await browser.call('seenSoFar')).map(([first]) => first?.description)).toContain('mine');
    await expect.poll(async () => (await browser.call('seen'))[0]?.description).toBe('leaks');
    const [now = edited] = await browser.call('seen');
    expect(await browser.call('save', now, { description: 'decided' })).toMatchObject({
      saved: { description: 'decided' },
    });
    expect(await browser.call('save', now, { description: 'a\u0000b' })).toMatchObject({
      problems: [{ code: 'PARAMETER_INVALID', path: ['input', 'description'] }],
    });
  });

  test('saves once, also if the answer is lost', async () => {
    const [edited] = await browser.call('seen');
    if (!edited) throw new Error('Nothing is shown');
    browser.loseAnswer();
    const outcome = await browser.call('save', edited, { description: 'once' });
    expect(outcome).toMatchObject({ saved: { description: 'once', version: edited.version + 1 } });
  });

  test('deletes, and the list knows', async () => {
    const [first] = await browser.call('seen');
    await browser.call('remove', first?.id ?? '');
    await expect.poll(async () => (await browser.call('seen'))[0]?.id).not.toBe(first?.id);
  });

  test('does not ask again where something in between has refused, in words of its own', async () => {
    const proxy = createServer((_, response) => void response.writeHead(403).end('no')).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    browser.passTo(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    await browser.cut();
    await expect.poll(() => browser.call('wrong')).toEqual([expect.stringContaining('403')]);
    browser.passTo(gateway.url);
    proxy.close();
  });

  test('says once that its key is refused, and does not ask again', async () => {
    await browser.call('close');
    const { secret, apiKey } = await createKey(gateway.database, { name: 'apollo', scopes: ['assets:read'] });
    await browser.call('open', secret, possibleTypes);
    await browser.call('show', where);
    await lists(20);
    await revokeKey(gateway.database, apiKey.id);
    await expect.poll(() => browser.call('wrong')).toEqual([expect.stringContaining('revoked')]);
    const requests = await browser.call('requestsSoFar');
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect([await browser.call('requestsSoFar'), (await browser.call('wrong')).length]).toEqual([requests, 1]);
    expect(browser.complaints).toEqual([]);
  });
});
