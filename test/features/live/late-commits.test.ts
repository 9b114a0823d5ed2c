/**
 * The timeline in which streams with a cursor lose changes on PostgreSQL, as it was reported of another gateway: a
 * transaction writes first and stays open, a later one commits and is told, and only then the first one commits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WebhookDeliverer } from '../../../src/features/webhooks/delivery/webhook-deliverer.js';
import { ask } from '../../graphql/ask.js';
import { createRepair } from '../../graphql/asset-repairs.js';
import { freshDatabaseUrl } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { createWebhook, startDeliverer, until, webhookSettings } from '../webhooks/deliverer.js';
import { startReceiver } from '../webhooks/receiver.js';
import { type StreamedEvent, watch } from './watch.js';

let url: string;
let gateways: TestGateway[];
let deliverer: WebhookDeliverer;
let blocker: pg.Client;
beforeAll(async () => {
  url = await freshDatabaseUrl('postgresql');
  const start = () => startGateway({ database: 'postgresql', env: { ...webhookSettings, DATABASE_URL: url } });
  gateways = [await start(), await start()];
  deliverer = startDeliverer(one());
  blocker = new pg.Client(url);
  await blocker.connect();
});
afterAll(async () => {
  await blocker.end();
  await deliverer.stop();
  for (const gateway of gateways) await gateway.close();
});
const one = (): TestGateway => gateways[0] as TestGateway;
const subscriptions = [
  'subscription ($after: String) { changes(after: $after) { position notice action recordId } }',
  'subscription ($after: String) { changes(after: $after) { position notice action recordId record { id } } }',
];

/** Begins a transaction of the gateway that has written its first entry and waits, until the returned function is called. */
async function heldOpen(repair: string): Promise<() => Promise<string>> {
  const drawn = async () =>
    Number((await blocker.query('SELECT last_value FROM "JournalEntry_entry_seq"')).rows[0].last_value);
  const before = await drawn();
  await blocker.query('BEGIN; LOCK TABLE "AssetRepairConsumedItem" IN EXCLUSIVE MODE');
  const line = { asset_repair_id: repair, item_code: 'BELT', warehouse: 'Stores' };
  const answer = one().rest('POST', '/api/assets/asset-repair-consumed-item', line);
  await until('the first entry of the transaction', async () => (await drawn()) > before);
  return async () => {
    await blocker.query('ROLLBACK');
    const { status, body } = await answer;
    expect(status).toBe(201);
    return body.id;
  };
}

test('a transaction that writes first and commits last comes last, in streams, the list of changes and webhooks', async () => {
  const receiver = await startReceiver();
  await createWebhook(one(), { url: receiver.url });
  const { id: repair } = await createRepair(one());
  const { last: start } = await one().journal.continuationOf(0);
  const streams = gateways.flatMap((gateway) => subscriptions.map((query) => watch(gateway, query, { after: start })));
  const told = new Map(streams.map((stream) => [stream, [] as StreamedEvent[]]));
  for (const stream of streams) expect((await stream.next()).notice).toBe('OPENED');
  const follow = async (count: number) => {
    for (const [stream, events] of told) for (let each = 0; each < count; each++) events.push(await stream.next());
  };
  const create = async () => (await one().rest('POST', '/api/crm/industry-type', { industry: 'mining' })).body.id;
  const feed = async (after: number) => {
    const query = 'query ($after: String!) { changes(after: $after) { nodes { recordId } position } }';
    const { changes } = await ask(one(), query, { after: String(after) });
    return {
      ids: changes.nodes.map(({ recordId }: { recordId: string }) => recordId),
      position: Number(changes.position),
    };
  };

  const release = await heldOpen(repair);
  const second = await create();
  await follow(1);
  const early = await feed(start);
  expect(early.ids).toEqual([second]);
  await until('the message', () => receiver.received.some(({ text }) => text.includes(second)));
  await sleep(1_500);
  const third = await create();
  await follow(1);
  // A stream that begins now begins behind the committed changes.
  const late = streams.length;
  for (const gateway of gateways) {
    const stream = watch(gateway, subscriptions[0] ?? '', { after: early.position });
    expect((await stream.next()).notice).toBe('OPENED');
    expect((await stream.next()).recordId).toBe(third);
    streams.push(stream);
    told.set(stream, []);
  }
  const line = await release();
  await follow(2);

  for (const stream of streams.slice(0, late)) {
    const events = told.get(stream) ?? [];
    expect(events.map(({ recordId }) => recordId)).toEqual([second, third, repair, line]);
    const found = events.map(({ position }) => position);
    expect([start, ...found]).toEqual([start, ...found].sort((a, b) => a - b));
  }
  for (const stream of streams.slice(late)) {
    expect(told.get(stream)?.map(({ recordId }) => recordId)).toEqual([repair, line]);
  }
  expect((await feed(early.position)).ids).toEqual([third, repair, line]);
  await until('all messages', () => receiver.received.length >= 5);
  const delivered = receiver.received.map(({ text }) => JSON.parse(text).data);
  // Documents do not wait for each other.
  const behind = delivered.filter(({ position }) => position > start).sort((a, b) => a.position - b.position);
  expect(behind.map(({ id }) => id)).toEqual([second, third, repair, line]);
  for (const stream of streams) stream.stop();
});
