import SchemaBuilder from '@pothos/core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Provider } from '../../src/database/migration-history.js';
import { providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const base = '/api/assets/asset-repair';
const day = 24 * 60 * 60 * 1000;

describe.each(providers)('on %s, a gateway restarted with its clock set back a day', (provider) => {
  let first: TestGateway;
  let restarted: TestGateway;
  let before: Repair[];
  let after: Repair[];

  beforeAll(async () => {
    first = await startGateway({ database: provider });
    before = await repairs(first, 3);
    restarted = await restart(provider, first.config.databaseUrl, -day);
    after = await repairs(restarted, 3);
  });

  afterAll(async () => {
    vi.useRealTimers();
    await first.close();
    await restarted.close();
  });

  test('still lists newest created first', async () => {
    const listed: { data: Repair[] } = (await restarted.rest('GET', base)).body;
    expect(listed.data.map(({ id }) => id)).toEqual([...before, ...after].map(({ id }) => id).reverse());
  });

  test('dates no record before one that is older', () => {
    const dates = [...before, ...after].map(({ created_at }) => created_at);
    expect(dates).toEqual(dates.toSorted());
  });

  test('dates no change before the creation of what it changes', async () => {
    const { body } = await restarted.rest('PATCH', `${base}/${after[0]?.id}`, { description: 'Again' });
    expect(body.updated_at >= body.created_at).toBe(true);
  });
});

interface Repair {
  id: string;
  created_at: string;
}

async function repairs(gateway: TestGateway, count: number): Promise<Repair[]> {
  const made: Repair[] = [];
  for (let index = 0; index < count; index++) {
    made.push((await gateway.rest('POST', base, { asset: `Press ${index}`, failure_date: '2026-01-31' })).body);
  }
  return made;
}

/**
 * A gateway as a new process would be, which remembers nothing: its modules are loaded anew, under a clock that is
 * `offset` milliseconds off.
 */
async function restart(provider: Provider, url: string, offset: number): Promise<TestGateway> {
  vi.useFakeTimers({ now: Date.now() + offset, toFake: ['Date'] });
  vi.resetModules();
  // The modules of the new process register theirs again, in what is one process here.
  SchemaBuilder.allowPluginReRegistration = true;
  const modules = await import('../support/gateway.js');
  return modules.startGateway({ database: provider, env: { DATABASE_URL: url } });
}
