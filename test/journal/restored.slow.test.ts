/**
 * A database that is restored from a backup uses no position again: readers of undone changes are told to read the
 * records again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { keepJournal } from '../../src/change/journal/keep-journal.js';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { type Stream, type StreamedEvent, watch } from '../features/live/watch.js';
import { createWebhook, startDeliverer, until, webhookSettings } from '../features/webhooks/deliverer.js';
import { startReceiver } from '../features/webhooks/receiver.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Sqlite } from '../support/sqlite-library.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const query = 'subscription ($after: String) { changes(after: $after) { position notice recordId } }';
const feedQuery =
  'query ($after: String) { changes(after: $after, first: 1000) { nodes { position recordId } position } }';

describe.each(providers)('on %s', (provider) => {
  const open = async (url: string) => {
    const gateway = await startGateway({ database: provider, env: { ...webhookSettings, DATABASE_URL: url } });
    ends.push(() => gateway.close());
    return gateway;
  };
  const write = async (gateway: TestGateway, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let made = 0; made < count; made++)
      ids.push((await gateway.rest('POST', '/api/crm/industry-type', { industry: `${performance.now()}` })).body.id);
    return ids;
  };
  const resume = async (gateway: TestGateway, after: number): Promise<[Stream, StreamedEvent]> => {
    const stream = watch(gateway, query, { after });
    ends.push(() => stream.stop());
    return [stream, await stream.next()];
  };
  const take = async (stream: Stream, count: number) => {
    const told: StreamedEvent[] = [];
    while (told.length < count) told.push(await stream.next());
    return told;
  };

  test('after a start with the backup, nobody loses a change without being told', async () => {
    const url = await freshDatabaseUrl(provider);
    const before = await open(url);
    await write(before, 3);
    const [early] = await resume(before, 0);
    const kept = (await take(early, 3)).at(-1)?.position ?? 0;
    await ends.pop()?.();
    await ends.pop()?.();
    const backup = await backupOf(url);

    const lost = await open(url);
    const [stream, opened] = await resume(lost, kept);
    expect(opened).toMatchObject({ notice: 'OPENED', position: kept });
    const undone = await write(lost, 4);
    const told = await take(stream, 4);
    expect(told.map(({ recordId }) => recordId)).toEqual(undone);
    const last = told.at(-1)?.position ?? 0;
    await ends.pop()?.();
    await ends.pop()?.();

    const restored = await open(backup);
    // At once, and when there are as many changes again as there were.
    const [atOnce, first] = await resume(restored, last);
    expect(first.notice).toBe('TOO_OLD');
    const anew = await write(restored, 9);
    const again = await take(atOnce, 9);
    expect(again.map(({ recordId }) => recordId)).toEqual(anew);
    expect(Math.min(...again.map(({ position }) => position))).toBeGreaterThan(last);
    for (const { position } of told) expect((await resume(restored, position))[1].notice).toBe('TOO_OLD');
    const refused = await restored.graphql(feedQuery, { after: String(last) });
    expect(refused.body.errors[0].message).toContain('restored from a backup');
    expect((await restored.rest('GET', `/api/changes?after=${last}`)).status).toBe(400);

    // A reader that has seen no undone changes continues as if nothing had happened.
    const [continued, notice] = await resume(restored, kept);
    expect(notice).toMatchObject({ notice: 'OPENED', position: kept });
    expect((await take(continued, 9)).map(({ recordId }) => recordId)).toEqual(anew);
    const { changes } = (await restored.graphql(feedQuery, { after: String(kept) })).body.data;
    expect(changes.nodes.map(({ recordId }: { recordId: string }) => recordId)).toEqual(anew);
    const page = (await restored.graphql(feedQuery.replace('1000', '4'), { after: String(kept) })).body.data.changes;
    expect(page.nodes).toHaveLength(4);
    expect((await restored.graphql(feedQuery, { after: page.position })).body.data.changes.nodes).toHaveLength(5);
  });

  test('if it is restored while gateways run, streams and webhooks are told with the next change', async () => {
    const gateway = await open(await freshDatabaseUrl(provider));
    ends.push(keepJournal(gateway.database, gateway.journal, 90, { warn: () => undefined }));
    const receiver = await startReceiver();
    ends.push(() => receiver.close());
    await createWebhook(gateway, { url: receiver.url });
    const deliverer = startDeliverer(gateway);
    ends.push(() => deliverer.stop());
    await write(gateway, 3);
    const [stream] = await resume(gateway, 0);
    const told = await take(stream, 3);
    await write(gateway, 5);
    const undone = await take(stream, 5);
    const bodies = () => receiver.received.map(({ text }) => JSON.parse(text));
    await until('the webhook is told of all', () => bodies().length >= 8);
    const last = undone.at(-1)?.position ?? 0;

    // On SQLite the position is checked each second.
    const aLook = provider === 'sqlite' ? 2_500 : 0;
    await sleep(aLook);
    await setBack(gateway, told.at(-1)?.position ?? 0);
    const anew: string[] = [];
    // Enough to exceed every earlier position, if positions were used again.
    for (let made = 0; made < 8; made++) {
      anew.push(...(await write(gateway, 1)));
      if (made === 0) await sleep(aLook);
    }
    const notice = await stream.next();
    expect(notice.notice).toBe('TOO_OLD');
    expect(notice.position).toBeGreaterThan(last);
    anew.push(...(await write(gateway, 1)));
    const after = anew.slice(-1);
    for (let event = await stream.next(); event.recordId !== after[0]; event = await stream.next())
      expect(anew).toContain(event.recordId);
    await until('the webhook is told that it has to read anew', () => bodies().some(({ type }) => type === 'gap'));
    const gap = bodies().find(({ type }) => type === 'gap').data;
    expect(gap).toMatchObject({ after: last });
    await until('the webhook is told of what follows', () =>
      bodies().some(({ data }) => data.id === after[0] && data.position > gap.until - 1),
    );
  });
});

/** A copy, made while nobody uses the database, in place of a backup. */
async function backupOf(url: string): Promise<string> {
  if (url.startsWith('file:')) {
    const copy = `${sqlitePath(url)}.backup`;
    const file = new Sqlite(sqlitePath(url));
    file.exec(`VACUUM INTO '${copy}'`);
    file.close();
    return `file:${copy}`;
  }
  const copy = new URL(url);
  copy.pathname = `${copy.pathname}_backup`;
  const server = new URL(url);
  server.pathname = 'postgres';
  const client = new pg.Client(server.href);
  await client.connect();
  await client.query(`CREATE DATABASE "${copy.pathname.slice(1)}" TEMPLATE "${new URL(url).pathname.slice(1)}"`);
  await client.end();
  return copy.href;
}

/** Sets the journal back to a position, like restoring a database under running processes. */
async function setBack({ database, config }: TestGateway, position: number): Promise<void> {
  if (database.provider === 'sqlite') {
    const file = new Sqlite(sqlitePath(config.databaseUrl));
    file.exec(`BEGIN IMMEDIATE; DELETE FROM "JournalEntry" WHERE "entry" > ${position};
      UPDATE sqlite_sequence SET "seq" = ${position} WHERE "name" = 'JournalEntry'; COMMIT`);
    file.close();
    return;
  }
  const client = new pg.Client(config.databaseUrl);
  await client.connect();
  await client.query(`BEGIN; DELETE FROM "JournalEntry" WHERE "position" > ${position};
    UPDATE "JournalState" SET "position" = ${position}; COMMIT`);
  await client.end();
}
