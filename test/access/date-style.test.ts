/** A database or a role of PostgreSQL may write dates in another form; keys expire all the same. */
import pg from 'pg';
import { expect, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

test.each(['German', 'SQL, DMY'])(
  'keys expire where the DateStyle of the database is %s, and changes are in the journal with their times',
  async (style) => {
    const url = await freshDatabaseUrl('postgresql');
    const client = new pg.Client(url);
    await client.connect();
    const name = new URL(url).pathname.slice(1);
    await client.query(`ALTER DATABASE "${name}" SET datestyle = '${style}'`);
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
    await gateway.rest('POST', '/api/assets/asset-repair', { asset: 'lathe', failure_date: '2026-01-31' });
    const [entry] = await gateway.journal.read((await gateway.journal.bounds()).last - 1, 1);
    expect(Math.abs((entry?.at.getTime() ?? 0) - before)).toBeLessThan(60_000);
    await gateway.close();
  },
);
