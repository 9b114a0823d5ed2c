/** While one server replaces another, no old data is read, and no change is acknowledged that may be lost. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { Notifications } from '../../src/database/postgresql/notifications.js';
import { records } from '../commands/records.js';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { type Relay, startRelay } from '../support/relay.js';
import { makeStandby, replicated, type StandbyServer } from '../support/standby.js';

let primary: PostgresqlServer;
let standby: StandbyServer;
let relay: Relay;

beforeAll(async () => {
  primary = await startPostgresql({ flags: [...replicated, '-c', 'synchronous_commit=on'] });
  await (await openDatabase({ url: primary.url, migrate: true })).close();
  await primary.pause();
  standby = await makeStandby(primary, 'one');
  await primary.resume();
  await standby.start();
});
afterAll(async () => {
  await standby?.remove();
  await primary?.stop();
});
beforeEach(async () => {
  relay = await startRelay(portOf(primary));
});
afterEach(() => relay.stop());

const portOf = ({ url }: { url: string }): number => Number(new URL(url).port);

/** The URL of the relay. */
const addressOfPrimary = (): string => Object.assign(new URL(primary.url), { port: String(relay.port) }).href;

async function startHere(): Promise<TestGateway> {
  const gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL: addressOfPrimary() } });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** The rows of the last statement. */
async function administer(...statements: string[]): Promise<object[]> {
  const client = new pg.Client(primary.url);
  await client.connect();
  let rows: object[] = [];
  for (const statement of statements) rows = (await client.query<Record<string, unknown>>(statement)).rows;
  await client.end();
  return rows;
}

const path = '/api/assets/asset-repair';
const body = { asset: 'lathe', failure_date: '' };
const create = 'mutation { createAssetRepair(input: { asset: "lathe", failureDate: "" }) { record { id } } }';
const createMany =
  'mutation { createManyAssetRepairs(inputs: [{ asset: "lathe", failureDate: "" }]) { records { id } } }';

/** Statuses of reads and writes on both surfaces, or the codes of GraphQL. */
async function outcomes(gateway: TestGateway, id: string): Promise<unknown[]> {
  const rest = [
    await gateway.rest('GET', `${path}/${id}`),
    await gateway.rest('GET', path),
    await gateway.rest('PATCH', `${path}/${id}`, { asset: `${Math.random()}` }),
    await gateway.rest('POST', path, body),
  ].map(({ status }) => (status < 300 ? 200 : status));
  const graphql = [];
  for (const query of [`{ assetRepair(id: "${id}") { id } }`, create, createMany]) {
    const answer = await gateway.graphql(query);
    graphql.push(answer.body.errors ? answer.body.errors[0].extensions.code : answer.status);
  }
  return [...rest, ...graphql];
}
const served = [200, 200, 200, 200, 200, 200, 200];

test('a standby behind the address of the primary answers nothing, and the primary is found again', async () => {
  const gateway = await startHere();
  const { body: made } = await gateway.rest('POST', path, body);
  expect(await outcomes(gateway, made.id)).toEqual(served);
  relay.leadTo(portOf(standby));
  for (let times = 0; times < 3; times++) {
    for (const answer of await outcomes(gateway, made.id)) expect([503, 'UNAVAILABLE']).toContain(answer);
  }
  // Connections to the standby are not closed.
  relay.leadNewTo(portOf(primary));
  expect(await outcomes(gateway, made.id)).toEqual(served);
});

test('at the address of a standby, commands that only read do so, and the others ask for that of the primary', async () => {
  const created = await records(['keys', 'create', 'on the primary', '--scopes', '*'], { DATABASE_URL: primary.url });
  expect(created).toMatchObject({ code: 0 });
  const file = join(freshFolder(), 'records.jsonl');
  const DATABASE_URL = standby.url;
  await expect.poll(async () => (await records(['keys', 'list'], { DATABASE_URL })).text).toContain('on the primary');
  const reading = [
    'keys list',
    'usage',
    'webhooks list',
    'webhooks log wh_0',
    'check',
    'migrate status',
    `export ${file}`,
  ];
  for (const words of reading) {
    const { problem } = await records(words.split(' '), { DATABASE_URL });
    expect(problem, words).not.toMatch(/PostgreSQL at/);
  }
  for (const words of ['keys create name --scopes *', 'seed', `import ${file}`, 'webhooks delete wh_0', 'serve']) {
    const { code, problem } = await records(words.split(' '), { DATABASE_URL, DATABASE_WAIT: '0' });
    expect([code, problem], words).toEqual([1, expect.stringMatching(/standby.*Set DATABASE_URL to the primary/)]);
    expect(problem, words).not.toMatch(/Start it|cannot be reached/);
  }
});

test('connections on which a write was refused as read-only are replaced', async () => {
  const gateway = await startHere();
  const { body: made } = await gateway.rest('POST', path, body);
  await administer('ALTER DATABASE postgres SET default_transaction_read_only = on');
  const allow = () => administer('SET default_transaction_read_only = off', 'ALTER DATABASE postgres RESET ALL');
  onTestFinished(async () => void (await allow()));
  relay.leadTo(portOf(primary));
  const send = () => gateway.rest('PATCH', `${path}/${made.id}`, { asset: `${Math.random()}` });
  const write = async () => (await send()).status;
  await expect.poll(write).toBe(503);
  const said = {
    code: 'database_unavailable',
    message: expect.stringContaining('The database is read-only, so nothing'),
  };
  await expect.poll(async () => (await send()).body.error).toMatchObject(said);
  await Promise.all(Array.from({ length: 20 }, write));
  expect((await gateway.rest('GET', `${path}/${made.id}`)).status).toBe(200);
  await allow();
  // Each refusal ends one of the connections that were made meanwhile.
  const statuses = [];
  for (let times = 0; times < 20; times++) statuses.push(await write());
  expect(statuses.slice(-10)).toEqual(Array.from({ length: 10 }, () => 200));
});

test('a process that listens for commits of others listens at the primary, wherever the address has led meanwhile', async () => {
  const signals = new Notifications({
    schema: 'public',
    connection: { connectionString: addressOfPrimary() },
    isPooled: false,
    ask: async () => [[true]],
    onError: () => undefined,
  });
  onTestFinished(() => signals.close());
  signals.listen(() => undefined);
  const listeners = () => administer(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'`);
  await expect.poll(listeners).toHaveLength(1);
  relay.leadTo(portOf(standby));
  await expect.poll(listeners).toHaveLength(0);
  await sleep(1_500); // it tries again after half a second
  relay.leadNewTo(portOf(primary));
  await expect.poll(listeners, { timeout: 30_000 }).toHaveLength(1);
});

test('a commit whose wait for its synchronous standby was cancelled is not acknowledged, whatever clients are told', async () => {
  await administer('ALTER DATABASE postgres SET client_min_messages = error');
  onTestFinished(async () => void (await administer('ALTER DATABASE postgres RESET client_min_messages')));
  const gateway = await startHere();
  const { body: made } = await gateway.rest('POST', path, body);
  const line = `createAssetRepairConsumedItem(input: { assetRepairId: "${made.id}", itemCode: "belt", warehouse: "W" })`;
  const { data } = (await gateway.graphql(`mutation { line: ${line} { record { id } } }`)).body;
  await administer(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`, 'SELECT pg_reload_conf()');
  const confirm = () => administer('ALTER SYSTEM RESET synchronous_standby_names', 'SELECT pg_reload_conf()');
  onTestFinished(async () => void (await confirm()));
  await expect
    .poll(() => administer('SHOW synchronous_standby_names'))
    .toEqual([{ synchronous_standby_names: 'nobody' }]);
  const key = { 'idempotency-key': 'once' };
  const keyed = { asset: 'keyed', failure_date: '' };
  const writes = {
    create: () => gateway.rest('POST', path, body),
    update: () => gateway.rest('PATCH', `${path}/${made.id}`, { asset: 'changed' }),
    'create by GraphQL': () => gateway.graphql(create),
    'create many': () => gateway.graphql(createMany),
    'create by resolvers': () => gateway.graphql(create.replace('{ id }', '{ id displayTitle }')),
    'change a line': () =>
      gateway.rest('PATCH', `/api/assets/asset-repair-consumed-item/${data.line.record.id}`, { item_code: 'changed' }),
    'with a key': () => gateway.rest('POST', path, keyed, key),
    'with a key, again': () => gateway.rest('POST', path, keyed, key),
    delete: () => gateway.rest('DELETE', `${path}/${made.id}`),
  };
  for (const [name, write] of Object.entries(writes)) {
    const answer = await answerWhileCancelling(write());
    const reason = answer.body.error?.code ?? answer.body.errors?.[0]?.extensions.reason;
    expect([name, reason]).toEqual([name, 'database_unavailable']);
    expect(JSON.stringify(answer.body)).toContain('it may or may not have been made');
  }

  await confirm();
  expect((await gateway.rest('POST', path, keyed, key)).status).toBe(201);
  const stored = await gateway.graphql('{ assetRepairs(where: { asset: { eq: "keyed" } }) { totalCount } }');
  expect(stored.body.data.assetRepairs.totalCount).toBe(1);
});

/** The answer to a write, while somebody cancels the wait for standbys. */
async function answerWhileCancelling<Answer>(asked: Promise<Answer>): Promise<Answer> {
  let answer: { of: Answer } | undefined;
  asked.then((of) => {
    answer = { of };
  });
  while (!answer) await administer(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
  return answer.of;
}
