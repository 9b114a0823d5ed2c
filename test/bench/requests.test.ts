/** A write that changes nothing costs less, so a workload must never repeat the last write of a record. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillStatements } from '../../bench/data.js';
import { Connection } from '../../bench/load/connection.js';
import { requestsOf } from '../../bench/load/requests.js';
import { once, repeated } from '../../bench/load/run-load.js';
import { runOn } from '../../bench/run-sql.js';
import { supply } from '../../bench/running-system.js';
import { benchKey } from '../../bench/server-process.js';
import { systemOf } from '../../bench/systems.js';
import { type Workload, workloadOf } from '../../bench/workloads.js';
import { freshDatabaseUrl } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Sqlite } from '../support/sqlite-library.js';

const amounts = { repairs: 100, quotations: 1, cursor: '' };
const few = 3;

let gateway: TestGateway;
let databaseUrl: string;
let connection: Connection;

beforeAll(async () => {
  databaseUrl = await freshDatabaseUrl('sqlite');
  await runOn(databaseUrl, fillStatements('sqlite', amounts));
  gateway = await startGateway({ env: { DATABASE_URL: databaseUrl, API_KEY: benchKey } });
  connection = new Connection(Number(new URL(gateway.url).port));
});

afterAll(async () => {
  connection.close();
  await gateway.close();
});

test('each update of W7 raises the version of its record, also when the requests are repeated', async () => {
  await expectEachRaises({ ...workloadOf('W7'), mix: [['update', 100]] });
});

test('each change of lines raises the version of its record, also when the requests are repeated', async () => {
  const workloads = (['W9', 'W10', 'W11'] as const).map(workloadOf);
  const records = { repairs: few, consumedItems: 20, purchaseInvoices: 0 };
  await supply({ databaseUrl, provider: 'sqlite' }, records);
  for (const workload of workloads) await expectEachRaises({ ...workload, supply: records });
});

test('each delete deletes a record of its own', async () => {
  const before = query('SELECT count(*) FROM "AssetRepair"');
  const records = { repairs: few, consumedItems: 0, purchaseInvoices: 0 };
  await runOn(databaseUrl, [`DELETE FROM "AssetRepair" WHERE "id" LIKE '%_01hz%'`]);
  await supply({ databaseUrl, provider: 'sqlite' }, records);
  const requests = requestsOf(systemOf('gateway-sqlite'), { ...workloadOf('W8'), supply: records }, amounts);
  expect(requests).toHaveLength(few);
  for (const request of requests) expect((await connection.send(request)).status).toBe(200);
  expect(query('SELECT count(*) FROM "AssetRepair"')).toBe(before - few);
});

test('requests are sent once, or again from where the last run ended', () => {
  const requests = ['a', 'b', 'c'].map((text) => Buffer.from(text));
  const texts = (next: () => Buffer | undefined) => Array.from({ length: 4 }, () => next()?.toString());
  expect(texts(once(requests))).toEqual(['a', 'b', 'c', undefined]);
  expect(texts(repeated(requests, 5))).toEqual(['c', 'a', 'b', 'c']);
});

async function expectEachRaises(workload: Workload): Promise<void> {
  const all = requestsOf(systemOf('gateway-sqlite'), workload, amounts);
  // The requests about the first records: the second half is about the same records as the first.
  const requests = all.filter((_, index) => index % (all.length / 2) < 20);
  const versions = () => query('SELECT sum("version") FROM "AssetRepair"');
  const before = versions();
  for (const request of [...requests, ...requests]) {
    const reply = await connection.send(request);
    expect(reply.status < 300 && !reply.hasErrors, reply.text()).toBe(true);
  }
  expect(versions() - before, workload.name).toBe(2 * requests.length);
}

function query(sql: string): number {
  const database = new Sqlite(databaseUrl.slice('file:'.length), { readonly: true });
  try {
    return Number(database.prepare(sql).pluck().get());
  } finally {
    database.close();
  }
}
