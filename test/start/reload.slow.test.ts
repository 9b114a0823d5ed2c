/** SIGHUP reloads the settings that may change while a gateway runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import { startProcess } from '../support/process.js';

const API_KEY = 'a-key-that-is-long-enough';
const path = '/api/crm/industry-type';
const old = 'query Old { industryTypes { totalCount } }';
const fresh = 'query Fresh { industryTypes { totalCount } apiDeprecations { callable { name } } }';

async function startReloadable() {
  const folder = freshFolder();
  const file = (name: string) => join(folder, name);
  const write = (name: string, value: unknown) => writeFileSync(file(name), JSON.stringify(value));
  write('deprecations.json', []);
  const gateway = startProcess({
    API_KEY,
    METRICS_PORT: '0',
    DATABASE_URL: await freshDatabaseUrl('sqlite'),
    DEPRECATIONS: file('deprecations.json'),
  });
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });
  const url = await gateway.ready();
  const get = (address: string) => fetch(url + address, { headers: { authorization: `Bearer ${API_KEY}` } });
  const ask = async (query: string) => {
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return { status: answer.status, body: JSON.stringify(await answer.json()) };
  };
  const times = (message: string) => gateway.log().split(message).length - 1;
  /** Sends the signal, and waits until its outcome is logged. */
  const reload = async (outcome: string) => {
    const before = times(outcome);
    gateway.child.kill('SIGHUP');
    await expect.poll(() => times(outcome)).toBe(before + 1);
  };
  const settings = (...lines: string[]) => writeFileSync(join(gateway.folder, '.env'), `${lines.join('\n')}\n`);
  const metrics = async () => (await fetch(/Metrics {3}(http:\S+)/.exec(gateway.output())?.[1] ?? '')).text();
  return { gateway, file, write, get, ask, reload, settings, metrics };
}

const deprecated = (endpoint: string) => [{ endpoints: [endpoint], deprecated: '2026-01-01T00:00:00Z' }];
const reloaded = 'The settings were reloaded';
const refused = 'The settings could not be reloaded';

test('reloaded trusted documents, deprecations and log level take effect everywhere', async () => {
  const { gateway, file, write, get, ask, reload, settings, metrics } = await startReloadable();
  expect((await get(path)).headers.get('deprecation')).toBeNull();
  expect(await (await get('/openapi.json')).text()).not.toContain('"deprecated":true');
  expect(await (await get('/openapi.yaml')).text()).not.toContain('deprecated: true');
  expect(await (await get('/pages/about.json')).json()).toMatchObject({ graphiql: true });
  expect((await get('/schema.graphql')).status).toBe(200);
  expect((await get('/pages/introspection.json')).status).toBe(200);
  expect((await ask(old)).status).toBe(200);
  await get('/readyz');

  write('deprecations.json', deprecated('IndustryTypeList'));
  write('trusted.json', { fresh });
  settings('LOG_LEVEL=debug', `TRUSTED_DOCUMENTS=${file('trusted.json')}`);
  expect(gateway.log()).not.toContain('/readyz');
  await reload(reloaded);
  expect((await get(path)).headers.get('deprecation')).toBe('@1767225600');
  expect(await (await get('/openapi.json')).text()).toContain('"deprecated":true');
  expect(await (await get('/openapi.yaml')).text()).toContain('deprecated: true');
  expect((await ask(old)).status).toBe(403);
  expect((await ask(fresh)).body).toBe(
    '{"data":{"industryTypes":{"totalCount":0},"apiDeprecations":[{"callable":{"name":"IndustryTypeList"}}]}}',
  );
  expect(await (await get('/pages/about.json')).json()).toMatchObject({ graphiql: false });
  expect((await get('/schema.graphql')).status).toBe(404);
  expect((await get('/pages/introspection.json')).ok).toBe(false);
  expect(await metrics()).toContain('operation="Fresh"');
  await get('/readyz');
  await expect.poll(() => gateway.log()).toContain('/readyz');

  settings();
  await reload(reloaded);
  expect((await ask(old)).status).toBe(200);
  expect((await get('/schema.graphql')).status).toBe(200);
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
});

test('a wrong file or setting changes nothing and is named in the log; other settings need a new start', async () => {
  const { gateway, file, write, get, ask, reload, settings } = await startReloadable();
  write('deprecations.json', deprecated('IndustryTypeList'));
  await reload(reloaded);

  write('deprecations.json', deprecated('IndustryTypeGet'));
  write('trusted.json', { fresh: 7 });
  settings(`TRUSTED_DOCUMENTS=${file('trusted.json')}`);
  await reload(refused);
  expect(gateway.log()).toContain('trusted.json, which cannot be used: `fresh` must be a text');
  write('trusted.json', { fresh });
  write('deprecations.json', deprecated('IndustryTypeLost'));
  await reload(refused);
  expect(gateway.log()).toContain('names IndustryTypeLost, which is the name of no endpoint');
  settings('LOG_LEVEL=loud');
  await reload(refused);
  expect(gateway.log()).toContain('LOG_LEVEL in .env must be');
  expect((await ask(old)).status).toBe(200);
  expect((await get(path)).headers.get('deprecation')).toBe('@1767225600');
  expect((await get(`${path}/none`)).headers.get('deprecation')).toBeNull();

  write('deprecations.json', []);
  settings('REQUEST_TIMEOUT=7');
  await reload('These settings have changed and need a new start');
  expect(gateway.log()).toContain('"settings":["REQUEST_TIMEOUT"]');
  expect((await get(path)).headers.get('deprecation')).toBeNull();
});
