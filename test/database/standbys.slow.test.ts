/**
 * Reads by two hot standbys of a primary: a key reads nothing older than its writes, and clients do not notice when a
 * standby fails.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Read } from '../../src/database/direct-access.js';
import { openDatabase } from '../../src/database/open-database.js';
import { numericHashOf } from '../../src/database/postgresql/statement-names.js';
import { createKey } from '../../src/features/keys/api-keys.js';
import { Deadline } from '../../src/gateway/http/deadline.js';
import { callerOf } from '../access/keys.js';
import { rolesFile, technician } from '../access/roles.js';
import { ask } from '../graphql/ask.js';
import { createRepair, createRepairs, repairInput } from '../graphql/asset-repairs.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { startRelay } from '../support/relay.js';
import { makeStandby, replicated, type StandbyServer } from '../support/standby.js';

let primary: PostgresqlServer;
let standbys: StandbyServer[];

beforeAll(async () => {
  primary = await startPostgresql({ flags: replicated });
  const database = await openDatabase({ url: primary.url, migrate: true });
  await database.close();
  await primary.pause();
  // Replay cancels conflicting reads at once.
  const impatient = ['-c', 'max_standby_streaming_delay=0'];
  standbys = [await makeStandby(primary, 'one', impatient), await makeStandby(primary, 'two', impatient)];
  await primary.resume();
  for (const standby of standbys) await standby.start();
});
afterAll(async () => {
  for (const standby of standbys ?? []) await standby.remove();
  await primary?.stop();
});

/** A process on the three. */
async function startHere(env: Record<string, string> = {}): Promise<TestGateway> {
  const read = standbys.map(({ url }) => url).join();
  const gateway = await startGateway({
    database: 'postgresql',
    env: { DATABASE_URL: primary.url, DATABASE_READ_URL: read, ...env },
  });
  onTestFinished(() => gateway.close());
  return gateway;
}

async function at<Row extends pg.QueryResultRow>({ url }: { url: string }, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** From now on the standbys do not change. */
async function pauseReplay(): Promise<void> {
  for (const standby of standbys) await at(standby, 'SELECT pg_wal_replay_pause()');
  const isPaused = async () =>
    (
      await Promise.all(
        standbys.map((standby) => at<{ state: string }>(standby, 'SELECT pg_get_wal_replay_pause_state() AS state')),
      )
    ).flat();
  await expect.poll(isPaused).toEqual([{ state: 'paused' }, { state: 'paused' }]);
  onTestFinished(resumeReplay);
}

async function resumeReplay(): Promise<void> {
  for (const standby of standbys) await at(standby, 'SELECT pg_wal_replay_resume()');
}

const path = '/api/assets/asset-repair';
/** Whether the primary was queried for repairs during `work`. */
async function asksPrimary(gateway: TestGateway, work: () => Promise<unknown>): Promise<boolean> {
  const before = gateway.statements.length;
  await work();
  return gateway.statements.slice(before).some((sql) => sql.includes('"AssetRepair"'));
}
const readsElsewhere = (gateway: TestGateway, route = path) =>
  expect.poll(() => asksPrimary(gateway, () => gateway.rest('GET', route)), { timeout: 30_000 }).toBe(false);

test('standbys answer reads with what the primary would answer, on both surfaces', async () => {
  const gateway = await startHere();
  const plain = await startGateway({ database: 'postgresql', env: { DATABASE_URL: primary.url } });
  onTestFinished(() => plain.close());
  const [id] = await createRepairs(gateway, 3);
  await readsElsewhere(gateway);
  const query = `{ assetRepairs(first: 2) { totalCount nodes { id asset consumedItems { idx } } } assetRepair(id: "${id}") { asset } }`;
  for (const route of [path, `${path}/${id}`, `${path}/nobody`]) {
    const [one, other] = [await gateway.rest('GET', route), await plain.rest('GET', route)];
    expect(one.status).toBe(other.status);
    if (one.status === 200) expect(one.body).toEqual(other.body);
  }
  expect(
    await asksPrimary(gateway, async () =>
      expect(await gateway.graphql(query)).toMatchObject({ body: (await plain.graphql(query)).body }),
    ),
  ).toBe(false);
});

test('a caller with roles sees of a standby what the rules show', async () => {
  const gateway = await startHere({ ROLES: rolesFile({ technician }) });
  await createRepairs(gateway, 2);
  const [own] = await createRepairs(gateway, 1, { ...repairInput({ consumedItems: 1 }), asset: 'own' });
  await gateway.rest('PATCH', `${path}/${own}`, { company: 'ACME', repair_cost: 7 });
  const claims = '{"company":"ACME"}';
  const { secret } = await createKey(gateway.database, { name: 'a test', roles: ['technician'], claims });
  const caller = callerOf(gateway, secret);
  const query = '{ assetRepairs(first: 2) { totalCount nodes { asset repairCost consumedItems { idx } } } }';
  const seen = { totalCount: 1, nodes: [{ asset: 'own', repairCost: null, consumedItems: [{ idx: 1 }] }] };
  const isRead = async () => expect((await caller.graphql(query)).body.data.assetRepairs).toEqual(seen);
  // Until the standbys have the key and the record, the primary answers.
  await expect.poll(() => asksPrimary(gateway, isRead), { timeout: 30_000 }).toBe(false);
});

test('a key reads its own write at once, in other processes by a header; everybody reads what is older than ten seconds', async () => {
  const [writer, other, third] = [await startHere(), await startHere(), await startHere()];
  const { id } = await createRepair(writer);
  await readsElsewhere(writer);
  await readsElsewhere(other);
  await readsElsewhere(third);
  await pauseReplay();
  const changed = await writer.rest('PATCH', `${path}/${id}`, { asset: 'changed' });
  expect(changed.status).toBe(200);
  const after = String(changed.headers.get('read-after'));
  expect(after).toMatch(/^1-[0-9A-F]+\/[0-9A-F]+$/);

  const assetIn = async (gateway: TestGateway, headers: Record<string, string> = {}) =>
    (await gateway.rest('GET', `${path}/${id}`, undefined, headers)).body.asset;
  expect(await assetIn(writer)).toBe('changed');
  expect((await ask(writer, `{ assetRepair(id: "${id}") { asset } }`)).assetRepair).toEqual({ asset: 'changed' });
  expect(await assetIn(other)).toBe('lathe');
  expect(await assetIn(other, { 'read-after': after })).toBe('changed');
  // A key that has seen the change once never sees the state before it.
  expect(await assetIn(other)).toBe('changed');

  expect(await assetIn(third)).toBe('lathe');
  await expect.poll(() => assetIn(third), { timeout: 30_000 }).toBe('changed');
  const young = await startHere();
  for (const header of ['now', '', '1-FFFFFFFF/FFFFFFFF', `${after}0000000000`, undefined]) {
    expect(await assetIn(young, header === undefined ? {} : { 'read-after': header })).toBe('changed');
  }
});

test('a refusal and a stored answer have the position of their read too', async () => {
  const gateway = await startHere();
  const { id } = await createRepair(gateway);
  await pauseReplay();
  const same = { 'idempotency-key': `once-${id}` };
  const answers = [
    await gateway.rest('POST', `${path}/${id}/submit`, undefined, same),
    await gateway.rest('POST', `${path}/${id}/submit`, undefined, same),
    await gateway.rest('POST', `${path}/${id}/submit`),
    await gateway.graphql(`mutation { submitAssetRepair(id: "${id}") { record { id } } }`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 409, 200]);
  for (const { headers } of answers) expect(headers.get('read-after')).toMatch(/^1-[0-9A-F]+\/[0-9A-F]+$/);
  const read = await gateway.rest('GET', `${path}/${id}`);
  expect(read.body.status).toBe('submitted');
  expect(read.headers.get('read-after')).toBeNull();
});

test('clients do not notice that a standby is away; it is asked again when it is back', async () => {
  const gateway = await startHere();
  const { id } = await createRepair(gateway);
  await readsElsewhere(gateway, `${path}/${id}`);
  for (const standby of standbys) await standby.stop();
  for (let count = 0; count < 20; count++) expect((await gateway.rest('GET', `${path}/${id}`)).status).toBe(200);
  for (const standby of standbys) await standby.start();
  await readsElsewhere(gateway, `${path}/${id}`);
});

test('a standby that hangs and then ends its connections is not noticed', async () => {
  const [standby = expect.unreachable()] = standbys;
  const relay = await startRelay(Number(new URL(standby.url).port));
  onTestFinished(() => relay.stop());
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const gateway = await startHere({
    DATABASE_READ_URL: Object.assign(new URL(standby.url), { port: String(relay.port) }).href,
  });
  const { id } = await createRepair(gateway);
  await readsElsewhere(gateway, `${path}/${id}`);
  relay.hold();
  expect((await gateway.rest('GET', `${path}/${id}`)).status).toBe(200);
  relay.stop();
  for (let count = 0; count < 20; count++) expect((await gateway.rest('GET', `${path}/${id}`)).status).toBe(200);
  expect(unhandled).toEqual([]);
});

test('a read that replay cancels is made by the primary', async () => {
  const gateway = await startHere();
  await createRepair(gateway);
  await readsElsewhere(gateway);
  const read =
    gateway.database.standbys?.readerFor('somebody', undefined, gateway.database.read ?? expect.unreachable()) ??
    expect.unreachable();
  const before = gateway.statements.length;
  const slow = read(`SELECT count(*) > 0, pg_sleep(1) FROM "AssetRepair"`, []);
  await sleep(300);
  await at(primary, 'BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE; COMMIT');
  expect((await slow)[0]?.[0]).toBe(true);
  expect(gateway.statements.slice(before).join()).toContain('pg_sleep');
});

test('reads of one key leave a connection to a standby to other keys, and a busy standby is not taken for a fault', async () => {
  const gateway = await startHere();
  await createRepair(gateway);
  await readsElsewhere(gateway);
  const { database } = gateway;
  const primary = database.read ?? expect.unreachable();
  const one = 'a';
  const other = 'c';
  // Their hashes say that they read from the same standby.
  expect(numericHashOf(one) % 2).toBe(numericHashOf(other) % 2);
  const readFor = (keyId: string, atPrimary: Read) => {
    const read = database.standbys?.readerFor(keyId, undefined, atPrimary) ?? expect.unreachable();
    return (sql: string, value: string) => read(sql, [value], 'unbounded', new Deadline(keyId));
  };
  const slow = 'SELECT pg_sleep($1::float)';
  const readSlow = readFor(one, primary);
  const readOther = readFor(other, () => expect.unreachable('The primary was asked'));
  await readSlow(slow, '0');
  await readOther('SELECT $1::text', 'known');
  let ended = 0;
  const waiting = Array.from({ length: 20 }, async () => {
    await readSlow(slow, '1.5');
    ended++;
  });
  await sleep(100);
  expect(await readOther('SELECT $1::text', 'at once')).toEqual([['at once']]);
  expect(ended).toBe(0);
  await Promise.all(waiting);
  expect(await readOther('SELECT $1::text', 'still here')).toEqual([['still here']]);
  expect(gateway.logLines.join()).not.toContain('timeout');
});

test('a server that is no standby of the database is not read from', async () => {
  const stranger = await startPostgresql();
  onTestFinished(() => stranger.stop());
  const other = (url: string): string => Object.assign(new URL(url), { pathname: '/other' }).href;
  await at(primary, 'CREATE DATABASE other');
  await (await openDatabase({ url: other(primary.url), migrate: true })).close();
  const [standby = expect.unreachable()] = standbys;
  await expect.poll(() => at({ url: other(standby.url) }, 'SELECT 1').catch(() => undefined)).toBeDefined();
  for (const url of [stranger.url, primary.url, other(standby.url)]) {
    const gateway = await startHere({ DATABASE_READ_URL: url });
    const { id } = await createRepair(gateway);
    expect((await gateway.rest('GET', `${path}/${id}`)).status).toBe(200);
    await sleep(1_200);
    expect(await asksPrimary(gateway, () => gateway.rest('GET', path))).toBe(true);
  }
});

test('a standby that has followed the old primary further than the new one is not read from', async () => {
  const gateway = await startHere();
  const { id } = await createRepair(gateway);
  await readsElsewhere(gateway);
  const after = (await gateway.rest('PATCH', `${path}/${id}`, { asset: 'changed' })).headers.get('read-after') ?? '';
  await readsElsewhere(gateway);
  // The position of the primary after a promotion, which the standbys have long passed.
  const promoted = { 'read-after': after.replace(/^1-/, '2-') };
  expect(await asksPrimary(gateway, () => gateway.rest('GET', path, undefined, promoted))).toBe(true);
});

test('a key that is revoked opens nothing, however far behind the standbys are', async () => {
  const gateway = await startHere();
  await readsElsewhere(gateway);
  await pauseReplay();
  const { createApiKey } = await ask(
    gateway,
    'mutation { createApiKey(input: { name: "guest", scopes: ["*"] }) { secret apiKey { id } } }',
  );
  const guest = { authorization: `Bearer ${createApiKey.secret}` };
  expect((await gateway.rest('GET', path, undefined, guest)).status).toBe(200);
  await ask(gateway, `mutation { revokeApiKey(id: "${createApiKey.apiKey.id}") { apiKey { id } } }`);
  await expect.poll(async () => (await gateway.rest('GET', path, undefined, guest)).status).toBe(401);
});
