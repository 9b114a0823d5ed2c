/** Gateways in schemas of one PostgreSQL database: they share nothing. */
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../src/common/config-error.js';
import { openDatabase } from '../../src/database/open-database.js';
import { checkDatabase } from '../../src/features/check/check-database.js';
import { features } from '../../src/features.js';
import { watch } from '../features/live/watch.js';
import { createRepair } from '../graphql/asset-repairs.js';
import { emptyDatabaseUrl, freshDatabaseUrl } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

const path = '/api/assets/asset-repair';

async function ask(url: string, sql: string): Promise<unknown[][]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

async function start(url: string, env: Record<string, string> = {}) {
  const gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL: url, ...env } });
  onTestFinished(() => gateway.close());
  return gateway;
}

test.each(['records', "Somebody's schéma"])(
  'two gateways, one of them in the schema %s, see nothing of each other',
  async (schema) => {
    const url = await emptyDatabaseUrl('postgresql');
    const mine = `${url}?schema=${encodeURIComponent(schema)}`;
    // At the same time, as both take the lock of migrations.
    const [other, own] = await Promise.all([start(url), start(mine, { API_KEY: 'another-key-of-my-own' })]);
    const tables = await ask(
      url,
      "SELECT table_schema::text, count(*)::int FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema') GROUP BY 1",
    );
    expect(tables.map(([name]) => name).sort()).toEqual(['public', schema].sort());
    expect(tables[0]?.[1]).toBe(tables[1]?.[1]);

    const told = watch(other, 'subscription { changes { position record { id } } }');
    // That it has begun.
    await told.next();
    // By SQL, by the resolvers and by Prisma, in both directions.
    const { id: here } = await createRepair(own);
    const { id: there } = await createRepair(other);
    expect((await own.rest('GET', `${path}/${here}`)).status).toBe(200);
    expect((await own.rest('GET', `${path}/${there}`)).status).toBe(404);
    expect((await other.rest('GET', `${path}/${here}`)).status).toBe(404);
    for (const gateway of [own, other]) {
      const { data } = (await gateway.graphql('{ assetRepairs { totalCount nodes { id } } }')).body;
      expect(data.assetRepairs).toEqual({ totalCount: 1, nodes: [{ id: gateway === own ? here : there }] });
      expect(await gateway.database.client.apiKey.count()).toBe(1);
      expect(await gateway.database.client.assetRepair.count()).toBe(1);
    }
    expect((await own.rest('GET', path, undefined, { authorization: `Bearer ${other.key}` })).status).toBe(401);
    expect(await told.next()).toMatchObject({ record: { id: there } });
    told.stop();
    await ask(
      url,
      'CREATE TABLE public."guests" ("id" int); INSERT INTO public."guests" VALUES (1); ALTER TABLE public."guests" ADD CONSTRAINT "few" CHECK ("id" > 1) NOT VALID',
    );
    // What is wrong with one is not found in the other.
    await ask(url, 'UPDATE "AssetRepair" SET "version" = 1; DELETE FROM "RecordCount"');
    expect((await checkDatabase(mine, features)).flatMap(({ problems }) => problems)).toEqual([]);
  },
);

test('processes of one schema tell each other of commits, those of another are not woken', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const [listening, writing] = [
    await openDatabase({ url: `${url}?schema=one`, migrate: true }),
    await openDatabase({ url: `${url}?schema=one`, migrate: false }),
  ];
  const stranger = await openDatabase({ url: `${url}?schema=two`, migrate: true });
  for (const each of [listening, writing, stranger]) onTestFinished(() => each.close());
  const woken = { one: 0, two: 0 };
  listening.signals?.listen(() => woken.one++);
  stranger.signals?.listen(() => woken.two++);
  await expect
    .poll(() =>
      ask(
        url,
        `SELECT count(*)::int FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE locktype = 'advisory' AND datname = current_database()`,
      ),
    )
    .toEqual([[2]]);
  const before = { ...woken };
  writing.signals?.send();
  await expect.poll(() => woken.one).toBeGreaterThan(before.one);
  expect(woken.two).toBe(before.two);
});

test('a schema that is missing is made only by who migrates', async () => {
  const url = `${await emptyDatabaseUrl('postgresql')}?schema=absent`;
  await expect(openDatabase({ url, migrate: false })).rejects.toThrow('The database lacks the migrations');
  expect(await ask(url.replace(/\?.*/, ''), "SELECT 1 FROM pg_namespace WHERE nspname = 'absent'")).toEqual([]);
});

test('addresses that name different schemas are refused', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const opened = openDatabase({ url, directUrl: `${url}?schema=other`, migrate: true });
  await expect(opened).rejects.toThrow(ConfigError);
  await expect(openDatabase({ url, readUrls: [`${url}?schema=other`], migrate: true })).rejects.toThrow(
    'must name the same schema',
  );
});
