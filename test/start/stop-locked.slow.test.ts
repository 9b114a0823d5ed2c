/** A process that is told to stop ends in time and with 0, also while another program keeps a lock on its tables. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startProcess } from '../support/process.js';
import { Sqlite } from '../support/sqlite-library.js';

const API_KEY = 'a-key-that-is-long-enough';

/** Locks what a create and the count of calls write. Returns the number of industry types that are stored, after it has let go. */
async function lock(provider: Provider, url: string): Promise<() => Promise<number>> {
  if (provider === 'sqlite') {
    const holder = new Sqlite(url.slice('file:'.length));
    holder.exec('BEGIN IMMEDIATE');
    return async () => {
      holder.exec('COMMIT');
      const count = holder.prepare<[], number>('SELECT count(*) FROM "IndustryType"').pluck().get();
      holder.close();
      return count ?? expect.unreachable();
    };
  }
  const holder = new pg.Client(url);
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE "IndustryType", "ApiUse" IN ACCESS EXCLUSIVE MODE');
  return async () => {
    await holder.query('COMMIT');
    const { rows } = await holder.query('SELECT count(*)::int AS "count" FROM "IndustryType"');
    await holder.end();
    return rows[0].count;
  };
}

test.concurrent.for(providers)('on %s', async (provider, { onTestFinished }) => {
  const DATABASE_URL = await freshDatabaseUrl(provider);
  const gateway = startProcess({ API_KEY, DATABASE_URL });
  onTestFinished(() => void gateway.child.kill('SIGKILL'));
  const url = await gateway.ready();
  const release = await lock(provider, DATABASE_URL);
  const create = async () => {
    const answer = await fetch(`${url}/api/crm/industry-type`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body: '{"industry":"Steel"}',
    });
    return { status: answer.status, body: await answer.json() };
  };
  const answers = [create(), create()];
  await sleep(2_000);
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'busy' } } });
  }
  expect(gateway.log()).toContain('The database keeps statements waiting');
  expect(gateway.log()).toContain('Stopped');
  expect(await release()).toBe(0);
});
