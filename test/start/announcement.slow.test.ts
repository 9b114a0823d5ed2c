import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { announcement } from '../../src/gateway/start/serve.js';
import { freshDatabaseUrl } from '../support/database.js';
import { type GatewayProcess, startProcess } from '../support/process.js';
import { readConfig } from '../support/settings.js';

const started: GatewayProcess[] = [];
const start = (...given: Parameters<typeof startProcess>) => {
  const gateway = startProcess(...given);
  started.push(gateway);
  return gateway;
};
afterEach(async () => {
  for (const gateway of started.splice(0)) {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  }
});

/** What the `curl` line in `output` prints when it is pasted. */
async function pasted(output: string, environment: Record<string, string> = {}) {
  const line = /^ *(curl .*)$/m.exec(output)?.[1] ?? '';
  const { stdout } = await promisify(execFile)('bash', ['-c', line], { env: { ...process.env, ...environment } });
  return JSON.parse(stdout);
}

const emptyList = { data: [], has_more: false, total: 0 };

test('the first start makes a key and prints it in a request that works when pasted; the second prints none, and it still opens', async () => {
  const first = start();
  const url = await first.ready();
  expect(first.output()).toContain(`GraphQL   ${url}/graphql`);
  expect(first.output()).toMatch(new RegExp(`Explore   ${url}/#key=brg_\\w+  \\(in a browser`));
  expect(first.output()).toContain(
    `Records   a new, empty database at ${first.folder}/data/records.db\n            \`records seed\`, in a checkout \`npx records seed\`, fills it`,
  );
  expect(first.output()).toMatch(/API key {3}brg_\w+\n/);
  expect(await pasted(first.output())).toEqual(emptyList);

  const key = /API key {3}(brg_\w+)/.exec(first.output())?.[1] ?? '';
  first.child.kill('SIGTERM');
  await first.ended;
  const second = start({ DATABASE_URL: `file:${first.folder}/data/records.db` });
  await second.ready();
  expect(second.output()).toContain(`Records   ${first.folder}/data/records.db\n`);
  expect(second.output()).not.toContain('brg_');
  expect(second.output()).toMatch(/Explore {3}http:[^#]*\/ {2}\(in a browser\)/);
  expect(await pasted(second.output(), { API_KEY: key })).toEqual(emptyList);
});

test('a key from API_KEY is never printed, and the request names it as $API_KEY', async () => {
  const API_KEY = 'canary-key-from-the-environment';
  const gateway = start({ API_KEY, DATABASE_URL: await freshDatabaseUrl('sqlite') });
  await gateway.ready();
  expect(await pasted(gateway.output(), { API_KEY })).toEqual(emptyList);
  expect(gateway.output() + gateway.log()).not.toContain('canary');
});

const address = { address: '', family: '', port: 4321 };

test('a link that signs in is printed only where the gateway listens on the machine itself', () => {
  const told = (environment: Record<string, string>) =>
    announcement(readConfig(environment), { address, isNew: true, madeKey: 'brg_canary' });
  expect(told({})).toContain('http://127.0.0.1:4321/#key=brg_canary');
  expect(told({ HOST: '::1' })).toContain('http://[::1]:4321/#key=brg_canary');
  for (const HOST of ['0.0.0.0', '::', '10.0.0.7', 'gateway.example']) expect(told({ HOST })).not.toContain('#key');
});

test('behind a proxy the addresses are those of clients, and where it listens stands beside them', () => {
  const PUBLIC_URL = 'https://example.com/records-api/';
  const told = announcement(readConfig({ PUBLIC_URL }), { address, isNew: false, madeKey: 'brg_canary' });
  for (const path of ['/api', '/graphql', '/#key=brg_canary', '/api/assets/asset-repair'])
    expect(told).toContain(` https://example.com/records-api${path}`);
  expect(told).toContain('Listens   http://127.0.0.1:4321\n');
  expect(told.split('127.0.0.1')).toHaveLength(2);
});

test('the address is one that can be opened, and a database URL is shown without its password', () => {
  const told = (environment: Record<string, string>) =>
    announcement(readConfig(environment), { address, isNew: false });
  expect(told({ HOST: '0.0.0.0' })).toContain('http://localhost:4321/api');
  expect(told({ HOST: '::1' })).toContain('http://[::1]:4321/api');
  const postgresql = told({ DATABASE_URL: 'postgresql://me:canary@db.example:5432/records?sslmode=require' });
  expect(postgresql).toContain('PostgreSQL at db.example:5432/records');
  expect(postgresql).not.toContain('canary');
});
