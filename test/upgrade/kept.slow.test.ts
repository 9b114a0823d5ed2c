/**
 * What others hold from version 0.1 goes on in this one: a gateway of 0.1 makes it, and serves beside this one for a while.
 * A checkout without the history of 0.1 has no such gateway, and skips this.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, inject, test } from 'vitest';
import { until, webhookSettings } from '../features/webhooks/deliverer.js';
import { startReceiver } from '../features/webhooks/receiver.js';
import { databaseInTurn, emptyDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { GatewayOf } from './gateway-of.js';
import { type Program, versionBefore } from './versions.js';

let before: Program | undefined;
const current = () => [join(inject('testRun').built, 'src/main.js')];
beforeAll(async () => {
  before = await versionBefore();
});

const base = '/api/assets/asset-repair';
const repair = (asset: string) => ({ asset, failure_date: '2026-01-31' });
const notAny = 'not valid in this version';
const noHistory = 'The history of this checkout does not reach back to 0.1';

/** A mutation whose document this version refuses: its answers have another form now. */
const createMany = `mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { id asset } }`;
const createOne = `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id status } } }`;
const createWebhook = `mutation ($input: CreateWebhookInput!) { made: createWebhook(input: $input) { secret webhook { id } } }`;

test.for(providers)('data of 0.1 on %s', async (provider, { skip }) => {
  if (!before) return skip(noHistory);
  const refused = new Map([
    ['/waiting', 500],
    ['/gone', 410],
  ]);
  const receiver = await startReceiver(({ url }, response) => void response.writeHead(refused.get(url) ?? 204).end());
  const environment = { ...webhookSettings, DATABASE_URL: await emptyDatabaseUrl(provider) };
  const messagesAt = (path: string) =>
    receiver.received
      .filter(({ url }) => url === path)
      .map(({ text, headers }) => ({ ...JSON.parse(text), webhookId: headers['webhook-id'] }));
  const toldOf = (path: string, id: string) => messagesAt(path).find(({ data }) => data.id === id)?.data;

  const old = await GatewayOf.start(before, environment);
  const made: Record<string, string> = {};
  const webhooks = {
    plain: { types: ['AssetRepair'], selection: '{ asset status }' },
    node: { selection: '{ id ... on AssetRepair { asset history(first: 1) { nodes { version } } } }' },
    interface: { selection: '{ ... on Record { version } }' },
    disabled: { selection: '{ ... on Record { version } }' },
    waiting: { types: ['AssetRepair'], actions: ['CREATE'] },
    gone: {},
  };
  for (const [name, input] of Object.entries(webhooks)) {
    const url = new URL(`/${name}`, receiver.url).href;
    made[name] = (await old.ask(createWebhook, { input: { name, url, ...input } })).made.webhook.id;
  }
  await old.ask('mutation ($id: ID!) { updateWebhook(id: $id, input: { enabled: false }) { state } }', {
    id: made.disabled,
  });
  // 0.1 notices it within seconds, and until then sends to it.
  await sleep(3_000);
  const { secret } = (
    await old.ask('mutation { made: createApiKey(input: { name: "reader", scopes: ["assets:read"] }) { secret } }')
  ).made;

  const opened = (await old.events(1, '/api/events', {}))[0] ?? '';
  const start = /^id: (\d+)$/m.exec(opened)?.[1] ?? '';
  const inputs = [{ asset: 'many', failureDate: '2026-01-31' }];
  const [input] = inputs;
  const ownWebhook = {
    input: { name: 'once', url: new URL('/once', receiver.url).href, types: ['AssetRepair'], actions: ['DELETE'] },
  };
  const asked = {
    rest: (gateway: GatewayOf) => gateway.rest('POST', base, repair('rest'), { 'idempotency-key': 'rest' }),
    create: (gateway: GatewayOf) => gateway.graphql(createOne, { input }, { 'idempotency-key': 'create' }),
    many: (gateway: GatewayOf) => gateway.graphql(createMany, { inputs }, { 'idempotency-key': 'many' }),
    webhook: (gateway: GatewayOf) => gateway.graphql(createWebhook, ownWebhook, { 'idempotency-key': 'webhook' }),
  };
  const once = new Map<string, string>();
  for (const [name, ask] of Object.entries(asked)) once.set(name, (await ask(old)).text);
  const { id } = JSON.parse(once.get('rest') ?? '');
  await old.rest('PATCH', `${base}/${id}`, { description: 'changed' });
  await old.rest('POST', `${base}/${id}/submit`);

  const page = `query ($after: String) { page: assetRepairs(first: 1, after: $after, orderBy: [{ field: ASSET }]) { nodes { id } pageInfo { endCursor } } }`;
  const history = `query ($id: ID!, $after: String) { record: assetRepair(id: $id) { history(first: 1, after: $after) { nodes { version action storedAction } pageInfo { endCursor } } } }`;
  const cursor = (await old.ask(page)).page.pageInfo.endCursor;
  const nextPage = await old.ask(page, { after: cursor });
  const historyCursor = (await old.ask(history, { id })).record.history.pageInfo.endCursor;
  const olderVersion = await old.ask(history, { id, after: historyCursor });
  const query = `/graphql?query=${encodeURIComponent(`{ assetRepair(id: "${id}") { asset status version } }`)}`;
  const read = [`${base}/${id}`, query];
  const etags = await Promise.all(read.map(async (path) => (await old.rest('GET', path)).headers.get('etag') ?? ''));
  await until('the messages of 0.1', () => toldOf('/plain', id)?.action === 'create' && toldOf('/waiting', id));
  const isGone = async () => (await old.graphql('{ webhooks { disabledReason } }')).text.includes('"gone"');
  await until('the webhook that is gone', isGone);
  const kept = messagesAt('/plain')[0];
  const events = await old.events(6, `/api/events?after=${start}`, {});

  const next = await GatewayOf.start(current(), environment);
  await expect.poll(() => outdatedIn(next).length).toBeGreaterThan(0);
  expect(outdatedIn(next)).toEqual([expect.objectContaining({ webhook: made.interface, name: 'interface' })]);

  // Both serve: what the one does, the other answers again, and neither loses a change.
  const meanwhile = (await old.rest('POST', base, repair('by 0.1'), { 'idempotency-key': 'meanwhile' })).text;
  const beside = (await next.rest('POST', base, repair('by this one'), { 'idempotency-key': 'beside' })).text;
  const again = async (gateway: GatewayOf, asset: string, key: string) =>
    (await gateway.rest('POST', base, repair(asset), { 'idempotency-key': key })).text;
  expect(await again(next, 'by 0.1', 'meanwhile')).toBe(meanwhile);
  expect(await again(old, 'by this one', 'beside')).toBe(beside);
  const both = [meanwhile, beside].map((text) => JSON.parse(text).id);
  for (const gateway of [old, next]) {
    const sent = await gateway.events(8, '/api/events', { 'last-event-id': start });
    expect(sent.slice(0, 6)).toEqual(events);
    expect(sent.slice(6).map((event) => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '').id)).toEqual(both);
  }
  await old.stop();

  // Stored answers, byte for byte.
  for (const [name, ask] of Object.entries(asked)) {
    const { text, headers } = await ask(next);
    expect(text, name).toBe(once.get(name));
    expect(headers.get('idempotent-replayed'), name).toBe('true');
  }
  const otherwise = await next.graphql(createMany, { inputs: [] }, { 'idempotency-key': 'many' });
  expect(otherwise.text).not.toContain('"id"');

  // Positions, as numbers and as texts; cursors; ETags; keys.
  const live = 'subscription ($after: String) { changes(after: $after) { position action recordId } }';
  const idsIn = (sent: string[]) => sent.flatMap((event) => /"(?:recordId|id)":"([^"]+)"/.exec(event)?.[1] ?? []);
  const variables = { after: String(Number(start)) };
  const streamed = await next.events(8, '/graphql', {}, { query: live, variables });
  expect(idsIn(streamed)).toEqual([...idsIn(events), ...both]);
  const resumed = await next.events(8, '/graphql', { 'last-event-id': start }, { query: live });
  expect(resumed).toEqual(streamed);
  expect(await next.ask(page, { after: cursor })).toEqual(nextPage);
  expect(await next.ask(history, { id, after: historyCursor })).toEqual(olderVersion);
  for (const [index, path] of read.entries()) {
    const answer = await next.rest('GET', path, undefined, { 'if-none-match': etags[index] ?? '' });
    expect([path, answer.status]).toEqual([path, 304]);
  }
  const cancelled = await next.rest('POST', `${base}/${id}/cancel`, undefined, { 'if-match': etags[0] ?? '' });
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled']);
  const authorization = `Bearer ${secret}`;
  expect((await next.rest('GET', base, undefined, { authorization })).status).toBe(200);
  expect((await next.rest('POST', base, repair('x'), { authorization })).status).toBe(403);

  // Webhooks: each as it was; the one that the start has named is mended as it says.
  await until('the messages to all', () =>
    ['/plain', '/node', '/interface'].every((path) => both.every((each) => toldOf(path, each))),
  );
  expect(toldOf('/plain', both[1]).record).toEqual({ asset: 'by this one', status: 'DRAFT' });
  expect(toldOf('/node', both[1]).record).toMatchObject({ id: both[1], asset: 'by this one' });
  expect(Object.keys(toldOf('/plain', both[1]))).toEqual(Object.keys(kept.data));
  const update =
    'mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { __typename } }';
  await next.ask(update, { id: made.interface, input: { selection: '{ ... on BusinessRecord { version } }' } });
  // The change is noticed within seconds, so the first messages may be as they were.
  await until('a mended message', async () => {
    await next.rest('POST', base, repair('mended'));
    return messagesAt('/interface').some(({ data }) => data.record?.version === 1);
  });
  expect(messagesAt('/disabled')).toEqual([]);
  const rename = `mutation ($id: ID!) { made: updateWebhook(id: $id, input: { name: "renamed" }) {
    webhook { state disabledReason types actions }
  } }`;
  const words = { state: 'DISABLED', types: [], actions: [] };
  for (const [name, disabledReason] of [
    ['disabled', 'BY_HAND'],
    ['gone', 'GONE'],
  ])
    expect((await next.ask(rename, { id: made[name ?? ''] })).made.webhook).toMatchObject({ ...words, disabledReason });
  const waiting = (await next.ask(rename, { id: made.waiting })).made.webhook;
  expect(waiting).toEqual({ state: 'FAILING', disabledReason: null, types: ['ASSET_REPAIR'], actions: ['CREATE'] });

  // Messages that waited, and one that is sent again from the log of 0.1.
  refused.clear();
  const isWaited = () => messagesAt('/waiting').filter(({ data }) => data.id === id).length > 1;
  await until('the waiting message', isWaited);
  const redeliver =
    'mutation ($id: ID!, $message: ID!) { redeliverWebhookMessage(id: $id, messageId: $message) { __typename } }';
  await next.ask(redeliver, { id: made.plain, message: kept.webhookId });
  const repeated = () => messagesAt('/plain').filter(({ webhookId }) => webhookId === kept.webhookId).length > 1;
  await until('the repeated message', repeated);
  await next.stop();
});

test.for(databaseInTurn(import.meta.filename))('trusted documents of 0.1 on %s', async (provider, { skip }) => {
  if (!before) return skip(noHistory);
  const file = join(freshFolder(), 'trusted.json');
  const documents = {
    plain: '{ assetRepairs(first: 1) { nodes { id asset status } } }',
    interface: '{ nodes(ids: []) { ... on Record { version } } }',
    answers: 'query ($types: [RecordType!]) { changes(types: $types) { nodes { type recordId } position } }',
    word: 'query { viewer { may(type: AssetRepair, action: READ) } }',
    many: 'mutation { createManyAssetRepairs(inputs: []) { id } }',
    sort: 'query ($sort: [AssetRepairOrder!]) { assetRepairs(first: 1, orderBy: $sort) { nodes { id } } }',
    position: 'subscription ($after: Float) { changes(after: $after) { position } }',
  };
  writeFileSync(file, JSON.stringify(documents));
  const environment = { LOG_LEVEL: 'info', DATABASE_URL: await emptyDatabaseUrl(provider), TRUSTED_DOCUMENTS: file };
  const answerOf = (gateway: GatewayOf, name: string) =>
    gateway.rest('POST', '/graphql', { extensions: { persistedQuery: { version: 1, sha256Hash: name } } });
  const old = await GatewayOf.start(before, environment);
  const plain = (await answerOf(old, 'plain')).text;
  expect((await answerOf(old, 'interface')).body).toEqual({ data: { nodes: [] } });
  await old.stop();

  const next = await GatewayOf.start(current(), environment);
  expect((await answerOf(next, 'plain')).text).toBe(plain);
  const refused = ['interface', 'word', 'many', 'sort', 'position'];
  await expect.poll(() => outdatedIn(next).map(({ document }) => document)).toEqual(refused);
  expect(outdatedIn(next)[0]?.problem).toContain('It is called `BusinessRecord` now');
  const others = (gateway: GatewayOf) =>
    gateway
      .logged()
      .filter(({ changed }) => changed !== undefined)
      .map(({ document, changed }) => [document, changed]);
  expect(others(next)).toEqual([['answers', ['$types', 'RecordChange.type', 'ChangePage.position']]]);
  const mended = {
    interface: '{ nodes(ids: []) { ... on BusinessRecord { version } } }',
    answers: 'query ($types: [RecordType!]) { changes(types: $types) { nodes { type recordId } position } }',
    word: 'query { viewer { may(type: ASSET_REPAIR, action: READ) } }',
    many: 'mutation { createManyAssetRepairs(inputs: []) { records { id } userErrors { code } } }',
    sort: 'query ($sort: [AssetRepairSort!]) { assetRepairs(first: 1, orderBy: $sort) { nodes { id } } }',
  };
  writeFileSync(file, JSON.stringify({ ...documents, ...mended }));
  next.process.child.kill('SIGHUP');
  await expect.poll(async () => (await answerOf(next, 'interface')).body).toEqual({ data: { nodes: [] } });
  for (const name of ['word', 'many', 'sort']) expect((await answerOf(next, name)).body.errors, name).toBeUndefined();
  await next.stop();
  // Told once: the documents may be those of this version by now.
  const again = await GatewayOf.start(current(), environment);
  await expect.poll(() => outdatedIn(again).map(({ document }) => document)).toEqual(['position']);
  expect(others(again)).toEqual([]);
  await again.stop();
});

const outdatedIn = (gateway: GatewayOf) => gateway.logged().filter(({ msg }) => String(msg).includes(notAny));
