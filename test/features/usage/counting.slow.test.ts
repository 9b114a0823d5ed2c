/** Calls are counted for each key, endpoint and user agent, and stored without loss. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usesByKey } from '../../../src/features/usage/report.js';
import { addUses, longestUserAgent, mostUserAgents, Usage, type Use } from '../../../src/features/usage/usage.js';
import { callerWith } from '../../access/keys.js';
import { freshDatabaseUrl, providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { startProcess } from '../../support/process.js';

const silent = { warn: () => undefined, error: () => undefined };
const everything = { limit: 1000, offset: 0 };
const uses = `query ($name: String, $keyId: ID, $surface: UsageSurface, $since: DateTime, $limit: Int! = 100, $offset: Int! = 0) {
  apiUses(name: $name, keyId: $keyId, surface: $surface, since: $since, limit: $limit, offset: $offset) {
    name keyId calls firstAt lastAt key { name state } userAgents { userAgent calls }
    callable { surface call isDeprecated replacement }
  }
}`;

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  const told = async (variables: object = {}) => {
    await gateway.settle();
    const { body } = await gateway.graphql(uses, { ...variables });
    expect(body.errors).toBeUndefined();
    return body.data.apiUses;
  };

  test('each call is counted for its key, endpoint and user agent, refused or not, and reported with its replacement', async () => {
    const caller = await callerWith(gateway, 'assets:read');
    const before = Date.now();
    await caller.rest('GET', '/api/assets/asset-repair', undefined, { 'user-agent': 'importer/1.0' });
    await caller.rest('HEAD', '/api/assets/asset-repair', undefined, { 'user-agent': 'importer/1.0' });
    // Of those of the same millisecond none is the latest.
    await sleep(5);
    await caller.rest('GET', '/api/assets/asset-repair?limit=0', undefined, { 'user-agent': 'importer/1.1' });
    await caller.rest('POST', '/api/assets/asset-repair', {}, { 'user-agent': 'importer/1.0' });
    await caller.rest('GET', '/api/assets/asset-repair/none/history');
    await caller.rest('GET', '/api/changes');
    await caller.rest('GET', '/api/crm/quotation?_explain=graphql');
    await caller.rest('GET', '/api/changes?_explain=graphql');
    await caller.rest('PUT', '/api/assets/asset-repair');
    await caller.rest('GET', '/api/nothing');
    const found = await told({ keyId: caller.id });
    expect(found.map(({ name, calls }: { name: string; calls: number }) => [name, calls])).toEqual([
      ['AssetRepairCreate', 1],
      ['AssetRepairHistory', 1],
      ['AssetRepairList', 3],
      ['Changes', 1],
    ]);
    const list = found[2];
    expect(list).toMatchObject({
      keyId: caller.id,
      key: { name: 'a test', state: 'ACTIVE' },
      callable: { surface: 'REST', call: 'GET /api/assets/asset-repair', isDeprecated: false },
      userAgents: [
        { userAgent: 'importer/1.1', calls: 1 },
        { userAgent: 'importer/1.0', calls: 2 },
      ],
    });
    expect(list.callable.replacement).toMatch(/^query AssetRepairList/);
    expect(Date.parse(list.firstAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(list.lastAt)).toBeGreaterThanOrEqual(Date.parse(list.firstAt));
    expect(Date.parse(list.lastAt)).toBeLessThanOrEqual(Date.now());
  });

  test('later counts are added, and calls without a key are not counted', async () => {
    const caller = await callerWith(gateway, 'crm:read');
    await caller.rest('GET', '/api/crm/industry-type');
    const [first] = await told({ keyId: caller.id });
    await caller.rest('GET', '/api/crm/industry-type');
    await gateway.rest('GET', '/api/crm/industry-type', undefined, { authorization: 'Bearer wrong' });
    const [second] = await told({ keyId: caller.id });
    expect(second).toMatchObject({ calls: 2, firstAt: first.firstAt });
    expect(Date.parse(second.lastAt)).toBeGreaterThanOrEqual(Date.parse(first.lastAt));
    expect(await told({ keyId: caller.id, since: new Date(Date.now() + 1000).toISOString() })).toEqual([]);
    expect(await told({ name: 'IndustryTypeList', keyId: caller.id, surface: 'GRAPHQL' })).toEqual([]);
    expect(await told({ keyId: caller.id, limit: 1, offset: 1 })).toEqual([]);
  });

  test('many user agents of a key count together beyond the most, also those of several processes', async () => {
    const caller = await callerWith(gateway, 'crm:read');
    const ask = async (count: number, name: string) => {
      for (let index = 0; index < count; index++) {
        await caller.rest('GET', '/api/crm/industry-type', undefined, { 'user-agent': `${name}-${index}` });
      }
    };
    await ask(5, 'one');
    await told();
    await ask(5, 'other');
    const [use] = await told({ keyId: caller.id });
    expect(use.calls).toBe(10);
    expect(use.userAgents).toHaveLength(mostUserAgents + 1);
    expect(use.userAgents.filter(({ userAgent }: { userAgent: string }) => userAgent === '')).toMatchObject([
      { calls: 2 },
    ]);
  });

  test('a user agent is shortened, and holds neither the key of its request nor another', async () => {
    const caller = await callerWith(gateway, 'crm:read');
    const another = 'brg_0123456789ab_'.padEnd(69, 'x');
    const environment = gateway.key;
    const agents = [`tool ${caller.secret}`, `tool/2 (${another})`, 'x y'.repeat(3000), 'naïve\ttool'];
    for (const agent of agents) {
      await caller.rest('GET', '/api/crm/industry-type', undefined, { 'user-agent': agent });
    }
    await gateway.rest('GET', '/api/crm/industry-type', undefined, { 'user-agent': `curl ${environment}` });
    const all = JSON.stringify(await told());
    for (const secret of [caller.secret, another, environment]) expect(all).not.toContain(secret);
    const [use] = await told({ keyId: caller.id });
    const found: string[] = use.userAgents.map(({ userAgent }: { userAgent: string }) => userAgent);
    expect(found).toContain('tool …');
    expect(found).toContain('tool/2 (…)');
    expect(Math.max(...found.map((agent) => agent.length))).toBe(longestUserAgent);
  });

  test('a key is found where it begins in the part of a user agent that is kept, and ends behind it', async () => {
    const usage = new Usage({ database: gateway.database, log: silent });
    const key = `long-${'environment/key+'.repeat(15)}`;
    for (const userAgent of [`curl ${key}`, `curl${' '.repeat(190)}${key}`]) {
      usage.count('brg_cut', 'rest', 'Endpoint', { 'user-agent': userAgent, authorization: `Bearer ${key}` });
    }
    await usage.close();
    const [use] = await usesByKey(gateway.database, { keyId: 'brg_cut' }, everything);
    expect(use?.userAgents.map(({ userAgent }) => userAgent)).toEqual(['curl …']);
  });

  test('only administrators can see them', async () => {
    const caller = await callerWith(gateway, '*', 'webhooks');
    const { body } = await caller.graphql('{ apiUses { name } apiDeprecations { calls } }');
    expect(body.data).toEqual({ apiUses: null, apiDeprecations: null });
    expect(body.errors.map(({ extensions }: { extensions: object }) => extensions)).toMatchObject([
      { missingScopes: ['admin'] },
      { missingScopes: ['admin'] },
    ]);
  });

  test('several processes that write at the same time add up', async () => {
    const parts = { database: gateway.database, log: silent };
    const processes = Array.from({ length: 4 }, () => new Usage(parts));
    for (const round of [1, 2, 3]) {
      for (const [index, usage] of processes.entries()) {
        for (let calls = 0; calls < 10; calls++) {
          usage.count('brg_shared', 'rest', `Endpoint${calls % 2}`, { 'user-agent': `agent-${index}-${round}` });
        }
      }
      expect(await Promise.all(processes.map((usage) => usage.write()))).toEqual([true, true, true, true]);
    }
    const found = await usesByKey(gateway.database, { keyId: 'brg_shared' }, everything);
    expect(found.map(({ name, calls }) => [name, calls])).toEqual([
      ['Endpoint0', 60],
      ['Endpoint1', 60],
    ]);
    for (const { userAgents } of found) expect(userAgents).toHaveLength(mostUserAgents + 1);
  });

  test('what could not be stored is stored the next time, with what was counted since', async () => {
    let isDown = true;
    const perform: typeof gateway.database.perform = (begin) =>
      isDown ? Promise.reject(new Error('The database is down')) : gateway.database.perform(begin);
    const usage = new Usage({ database: { provider: database, perform }, log: silent, every: 2 ** 31 - 1 });
    const client = { 'user-agent': `a ${'x'.repeat(24)} ${'y '.repeat(longestUserAgent)}` };
    usage.count('brg_down', 'rest', 'Endpoint', client);
    expect(await usage.write()).toBe(false);
    usage.count('brg_down', 'rest', 'Endpoint', client);
    expect(await usage.write()).toBe(false);
    isDown = false;
    await usage.close();
    expect(await usesByKey(gateway.database, { keyId: 'brg_down' }, everything)).toMatchObject([
      { calls: 2, userAgents: [{ calls: 2, userAgent: expect.stringMatching(/^a … y y .*…$/) }] },
    ]);
  });

  test('it is written by itself after a while, and not again when nothing was called', async () => {
    let writes = 0;
    const perform: typeof gateway.database.perform = (begin) => {
      writes++;
      return gateway.database.perform(begin);
    };
    const usage = new Usage({ database: { provider: database, perform }, log: silent, every: 20 });
    usage.count('brg_later', 'rest', 'Endpoint', {});
    await expect.poll(() => writes).toBe(1);
    await sleep(100);
    expect(writes).toBe(1);
    await usage.close();
    expect(writes).toBe(1);
  });

  test('only so many rows are kept: what was called longest ago is forgotten', async () => {
    const many = (start: number, count: number): Use[] =>
      Array.from({ length: count }, (_, index) => ({
        keyId: `brg_many_${Math.floor((start + index) / 200)}`,
        surface: 'rest',
        name: `Endpoint${(start + index) % 200}`,
        userAgent: '',
        calls: 1,
        firstAt: start + index,
        lastAt: start + index,
      }));
    const most = 300;
    const add = (each: Use[]) => gateway.database.perform(() => addUses(database, each, most));
    await add(many(0, most));
    await add(many(most, 10));
    const [[count] = []] = await (gateway.database.read?.('SELECT count(*) FROM "ApiUse"', [], 'unbounded') ?? []);
    expect(Number(count)).toBe(most);
    expect(await usesByKey(gateway.database, { keyId: 'brg_many_0', names: ['Endpoint0'] }, everything)).toEqual([]);
    const last = `brg_many_${Math.floor((most + 9) / 200)}`;
    expect(await usesByKey(gateway.database, { keyId: last }, everything)).not.toEqual([]);
  });
});

test.each(providers)('SIGTERM loses no call on %s', async (provider) => {
  const databaseUrl = await freshDatabaseUrl(provider);
  const API_KEY = 'a-key-that-is-long-enough';
  const process = startProcess({ API_KEY, DATABASE_URL: databaseUrl });
  try {
    const url = await process.ready();
    const calls = 50;
    const headers = { authorization: `Bearer ${API_KEY}` };
    const ask = async () => (await fetch(`${url}/api/crm/industry-type`, { headers })).text();
    for (let index = 0; index < calls; index++) await ask();
    process.child.kill('SIGTERM');
    expect(await process.ended).toBe(0);
    const gateway = await startGateway({ env: { DATABASE_URL: databaseUrl, API_KEY } });
    const { body } = await gateway.graphql(uses);
    await gateway.close();
    expect(body.data.apiUses).toMatchObject([{ name: 'IndustryTypeList', keyId: 'environment', calls }]);
  } finally {
    process.child.kill('SIGKILL');
    await process.ended;
  }
});
