/** A gateway below a path of a proxy: with PUBLIC_URL every address in its answers leads there. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { pathProxy } from '../support/path-proxy.js';

let proxy: Awaited<ReturnType<typeof pathProxy>>;
let gateway: TestGateway;
let url: string;
beforeAll(async () => {
  proxy = await pathProxy();
  url = `${proxy.url}/records-api`;
  const DEPRECATIONS = join(freshFolder(), 'deprecations.json');
  const ended = { deprecated: '2025-01-01', sunset: '2025-06-01', ended: ['*'] };
  const ending = { endpoints: ['AssetRepairList', 'Changes'], deprecated: '2025-01-01', sunset: '2100-01-01' };
  writeFileSync(DEPRECATIONS, JSON.stringify([{ endpoints: ['IndustryTypeList'], ...ended }, ending]));
  gateway = await startGateway({ env: { PUBLIC_URL: `${url}/`, DEPRECATIONS } });
  proxy.pass('/records-api', gateway.url);
});
afterAll(async () => {
  await gateway?.close();
  await proxy?.close();
});

const headers = () => ({ authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' });
const ask = (address: string, init: RequestInit = {}) =>
  fetch(address, { ...init, headers: { ...headers(), ...init.headers } });
const statusOf = async (address: string) => (await ask(address)).status;
const repairs = '/api/assets/asset-repair';
const repair = { method: 'POST', body: '{"asset": "LATHE-7", "failure_date": "2026-11-20"}' };

test('a create says where the record is, also when it is answered again', async () => {
  const once = { ...repair, headers: { 'idempotency-key': 'once' } };
  for (const _ of [1, 2]) {
    const created = await ask(url + repairs, once);
    const { id } = await created.json();
    const location = created.headers.get('location') ?? '';
    expect([created.status, location]).toEqual([201, `${url}${repairs}/${id}`]);
    expect(await (await ask(location)).json()).toMatchObject({ id, asset: 'LATHE-7' });
  }
});

test('the address of the description and a path of it make the address of an endpoint', async () => {
  const described = await (await ask(`${url}/openapi.json`)).json();
  expect(described.servers).toEqual([{ url, description: 'This gateway.' }]);
  expect(await statusOf(`${described.servers[0].url}${repairs}`)).toBe(200);
});

test.each([repairs, '/api/changes'])('an answer of %s links to what exists', async (path) => {
  const links = (await ask(url + path)).headers.get('link') ?? '';
  const addresses = [...links.matchAll(/<([^>]*)>/g)].map(([, address]) => address ?? '');
  expect(addresses).toHaveLength(3);
  for (const address of addresses) {
    expect(address).toMatch(new RegExp(`^${url}/`));
    expect((await ask(address, { headers: { accept: 'text/html' } })).status, address).toBe(200);
  }
});

test('an endpoint that has ended names what takes its place', async () => {
  const answer = await ask(`${url}/api/crm/industry-type`);
  const { error } = await answer.json();
  const successor = `${url}/operations/IndustryTypeList.graphql`;
  expect([answer.status, error.successor]).toEqual([410, successor]);
  expect(error.message).toContain(successor);
  expect(await statusOf(successor)).toBe(200);
});

test.each([repairs, '/api/changes', '/api/events'])('an explanation of %s opens GraphiQL', async (path) => {
  const { explanation } = await (await ask(`${url}${path}?_explain=graphql`)).json();
  expect(explanation.graphiql).toMatch(new RegExp(`^${url}/graphql#query=`));
  expect((await fetch(explanation.graphiql, { headers: { accept: 'text/html' } })).status).toBe(200);
});

test('the first answer names the surfaces, whatever the proxy or the client writes', async () => {
  const lies = { 'x-forwarded-host': 'evil.example', 'x-forwarded-prefix': '/evil', 'x-forwarded-proto': 'https' };
  const ways = await (await ask(`${url}/`, { headers: lies })).json();
  expect(ways).toMatchObject({ rest: `${url}/api`, graphql: `${url}/graphql`, graphiql: `${url}/graphql` });
});
