/** On PostgreSQL small reads share two connections, and none waits long for another one that is blocked. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let other: pg.Client;
beforeAll(async () => {
  gateway = await startGateway({ database: 'postgresql' });
  other = new pg.Client(gateway.config.databaseUrl);
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await gateway.close();
});

const repairs = '/api/assets/asset-repair?limit=1';
const types = '/api/crm/industry-type?limit=1';

async function ok(path: string): Promise<void> {
  const { status } = await gateway.rest('GET', path);
  expect(status).toBe(200);
}

/** How many connections of the gateway are used by forty reads at a time. */
const connectionsUsedBy = async (path: string): Promise<number> => (await pidsUsedBy(path)).length;

/** Their processes in the server. */
async function pidsUsedBy(path: string): Promise<number[]> {
  const { rows } = await other.query('SELECT clock_timestamp() AS "now"');
  await Promise.all(Array.from({ length: 40 }, () => ok(path)));
  const used = await other.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND query_start > $1`,
    [rows[0].now],
  );
  return used.rows.map(({ pid }) => pid);
}

async function ofGateway(what: string): Promise<number> {
  const { rows } = await other.query(
    `SELECT ${what} AS "count" FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'business-records-gateway'`,
  );
  return rows[0].count;
}

test('forty small reads at a time need two connections', async () => {
  // A statement is pipelined once the size of its result is known and a connection is open.
  await Promise.all([ok(repairs), ok(types)]);
  await expect.poll(() => connectionsUsedBy(repairs)).toBe(2);
});

test('reads that wait for a lock do not keep those of other records waiting', async () => {
  await other.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
  const stuck = [ok(repairs), ok(repairs)];
  await expect.poll(() => ofGateway(`count(*) FILTER (WHERE wait_event_type = 'Lock')::int`)).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let times = 0; times < 10; times++) await ok(types);
  await other.query('COMMIT');
  await Promise.all(stuck);
});

test('a lost connection is replaced, and reads go on meanwhile', async () => {
  await ofGateway('count(pg_terminate_backend(pid))::int');
  await expect.poll(async () => (await gateway.rest('GET', types)).status).toBe(200);
  for (let times = 0; times < 3; times++) await ok(types);
  await expect.poll(() => connectionsUsedBy(types)).toBe(2);
});

test('reads whose connection is lost while they wait are sent again', async () => {
  let pipelined: number[] = [];
  const findPipelined = async () => {
    pipelined = await pidsUsedBy(repairs);
    return pipelined.length;
  };
  await expect.poll(findPipelined).toBe(2);
  await other.query('BEGIN; LOCK TABLE "AssetRepair" IN ACCESS EXCLUSIVE MODE');
  const stuck = Promise.all(Array.from({ length: 20 }, () => ok(repairs)));
  // On a busy machine some use other connections, whose loss is reported.
  const waiting = `FILTER (WHERE wait_event_type = 'Lock' AND pid IN (${pipelined}))::int`;
  await expect.poll(() => ofGateway(`count(*) ${waiting}`)).toBeGreaterThan(0);
  await ofGateway(`count(pg_terminate_backend(pid)) ${waiting}`);
  await other.query('COMMIT');
  await stuck;
});

test('all connections together are no more than the limit', async () => {
  const burst = Array.from({ length: 100 }, (_, index) =>
    gateway.graphql(`{ assetRepairs(first: 1, where: { description: { contains: "${index}" } }) { totalCount } }`),
  );
  await Promise.all([...burst, ...Array.from({ length: 100 }, () => ok(repairs))]);
  expect(await ofGateway('count(*)::int')).toBeLessThanOrEqual(10);
});
