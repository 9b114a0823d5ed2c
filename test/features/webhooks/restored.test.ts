/** Receivers are notified when a backup was restored: the changes that they got after the backup are undone. */
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { records } from '../../commands/records.js';
import { freshDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { createWebhook, startDeliverer, until, webhookSettings } from './deliverer.js';
import { startReceiver } from './receiver.js';

const ends: (() => unknown)[] = [];
const stop = async () => {
  for (const end of ends.splice(0).reverse()) await end();
};
afterEach(stop);

const start = async (database: (typeof providers)[number], url: string) => {
  const gateway = await startGateway({ database, env: { ...webhookSettings, DATABASE_URL: url } });
  const deliverer = startDeliverer(gateway);
  ends.push(
    () => gateway.close(),
    () => deliverer.stop(),
  );
  return gateway;
};
const write = async (gateway: TestGateway): Promise<string> =>
  (await gateway.rest('POST', '/api/crm/industry-type', { industry: `${performance.now()}` })).body.id;

test.each(providers)('on %s with the tools that back it up and restore it', async (provider) => {
  const url = await freshDatabaseUrl(provider);
  const receiver = await startReceiver();
  const told = () => receiver.received.map(({ text }) => JSON.parse(text));
  const gaps = () => told().filter(({ type }) => type === 'gap');
  const isTold = (id: string) => until(`it is told of ${id}`, () => told().some(({ data }) => data.id === id));
  const before = await start(provider, url);
  await createWebhook(before, { url: receiver.url });
  await isTold(await write(before));
  await stop();
  const known = Math.max(...told().map(({ data }) => data.position));
  const restore = await backUp(url);

  const undone = await start(provider, url);
  for (let made = 0; made < 3; made++) await isTold(await write(undone));
  expect(gaps()).toEqual([]);
  await stop();
  const last = Math.max(...told().map(({ data }) => data.position));

  const restored = await restore();
  const after = await start(provider, restored);
  await until('it is told of the gap, though nothing was changed', () => gaps().length > 0);
  const [{ data }] = gaps();
  expect(data.after).toBeLessThanOrEqual(known);
  expect(data.until).toBeGreaterThan(last);
  const id = await write(after);
  await isTold(id);
  expect(told().find((message) => message.data.id === id).data.position).toBeGreaterThan(data.until);
  await stop();

  // Once: nothing was restored since.
  await isTold(await write(await start(provider, restored)));
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1 + 3 + 1 + 1 + 1);
  expect(gaps()).toHaveLength(1);
});

/** Makes a backup; returns a function that restores it as the documentation says and returns its URL. */
async function backUp(url: string): Promise<() => Promise<string>> {
  const file = join(freshFolder(), 'backup');
  if (url.startsWith('file:')) {
    expect(await records(['backup', file], { DATABASE_URL: url })).toMatchObject({ code: 0 });
    return async () => {
      const done = await records(['restore', file, '--replace'], { DATABASE_URL: url });
      expect(done, done.problem).toMatchObject({ code: 0 });
      return url;
    };
  }
  // There is no pg_dump of the server's version. A copy is also a new database for the server, like a restored dump.
  const name = new URL(url).pathname.slice(1);
  await atServer(url, `CREATE DATABASE "${name}_backup" TEMPLATE "${name}"`);
  return async () => {
    await atServer(url, `DROP DATABASE "${name}" WITH (FORCE)`);
    await atServer(url, `CREATE DATABASE "${name}" TEMPLATE "${name}_backup"`);
    return url;
  };
}

async function atServer(url: string, statement: string): Promise<void> {
  const server = new URL(url);
  server.pathname = 'postgres';
  const client = new pg.Client(server.href);
  await client.connect();
  await client.query(statement);
  await client.end();
}
