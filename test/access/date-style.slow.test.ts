/** A database or a role of PostgreSQL may write dates in another form; keys expire all the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

test.each(['German', 'SQL, DMY'])(
  'keys expire where the DateStyle of the database is %s, and changes are in the journal with their times, from which records are told as they were',
  async (style) => {
    const url = await freshDatabaseUrl('postgresql');
    const client = new pg.Client(url);
    await client.connect();
    const name = new URL(url).pathname.slice(1);
    await client.query(`ALTER DATABASE "${name}" SET datestyle = '${style}'`);
    await client.query(`ALTER DATABASE "${name}" SET timezone = 'Asia/Tokyo'`);
    await client.end();

    const gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL: url } });
    const expiresAt = new Date(Date.now() + 4_000).toISOString();
    const made = await gateway.graphql(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { input: { name: 'short', scopes: ['*'], expiresAt } },
    );
    const { secret } = made.body.data.createApiKey;
    const ask = async () =>
      (await fetch(`${gateway.url}/api/assets/asset-repair`, { headers: { authorization: `Bearer ${secret}` } }))
        .status;
    expect(await ask()).toBe(200);
    await expect.poll(ask, { timeout: 10_000 }).toBe(401);

    const before = Date.now();
    const input = { asset: 'lathe', failure_date: '2026-01-31' };
    const { id, created_at } = (await gateway.rest('POST', '/api/assets/asset-repair', input)).body;
    const {
      entries: [entry],
    } = await gateway.journal.read((await gateway.journal.continuationOf(0)).last - 1, 1);
    expect(Math.abs((entry?.at.getTime() ?? 0) - before)).toBeLessThan(60_000);

    await sleep(3);
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'mill' });
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    const past = await gateway.rest('GET', `/api/assets/asset-repair/${id}?as_of=${created_at}`);
    expect(past.body).toMatchObject({ asset: 'lathe', created_at, updated_at: created_at });
    await gateway.close();
  },
);
