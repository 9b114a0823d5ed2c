/**
 * How much code a request walks through: the files and functions of `src` and `rest` that a warm gateway enters, and the
 * statements that it runs on SQLite. Who makes a trip shorter lowers its limits; `budget` is how many files it is to take.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watch } from '../features/live/watch.js';
import { Client } from '../support/client.js';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import type { Counted } from './count-trips.js';
import { root } from './files.js';

/** The most that each trip takes. */
const trips = [
  { trip: 'REST read of a record', files: 35, budget: 35, functions: 189, statements: 1, count: countRead },
  { trip: 'nested read', files: 39, budget: 40, functions: 237, statements: 1, count: countNestedRead },
  { trip: 'save with two lines', files: 60, budget: 60, functions: 419, statements: 6, count: countSave },
  { trip: 'save, and one event', files: 76, budget: 85, functions: 560, statements: 8, count: countSaveWithEvent },
];

/** What the counted runs have in common is what a trip takes: one may also have met other work. */
const runs = { warming: 5, counted: 5 };

const key = 'a-key-for-the-trips';
const repairFields = `id version repairCost updatedAt
  consumedItems { id idx itemCode consumedQuantity serialNoRecord { serialNo status } serialAndBatchBundleRecord { id } }
  purchaseInvoices { idx expenseAccount repairCost }`;
const list = `{
  assetRepairs(first: 10, where: { status: { eq: DRAFT } }, orderBy: [{ field: UPDATED_AT, direction: DESC }]) {
    totalCount
    nodes { asset status ${repairFields} }
  }
}`;
const creating = `mutation ($serial: CreateSerialNoInput!, $input: CreateAssetRepairInput!) {
  createSerialNo(input: $serial) { record { id } }
  createAssetRepair(input: $input) { record { ${repairFields} } }
}`;
const saving = `mutation ($id: ID!, $input: SaveAssetRepairInput!, $expectedVersion: Int) {
  saveAssetRepair(id: $id, input: $input, expectedVersion: $expectedVersion) {
    record { ${repairFields} }
    userErrors { code path message }
  }
}`;
const following = 'subscription { assetRepairChanged { position notice record { id version repairCost } } }';

let gateway: ChildProcess;
let client: Client;
/** The repair of all trips, as it was last read. */
let repair: { id: string; version: number; consumedItems: { id: string }[] };

beforeAll(async () => {
  const preloaded = [import.meta.resolve('tsx'), new URL('count-trips.ts', import.meta.url).href];
  gateway = fork(join(root, 'src/main.ts'), [], {
    cwd: freshFolder(),
    execArgv: preloaded.flatMap((module) => ['--import', module]),
    env: { PATH: process.env.PATH, PORT: '0', API_KEY: key, DATABASE_URL: await freshDatabaseUrl('sqlite') },
    silent: true,
  });
  let output = '';
  const url = new Promise<string>((resolve, reject) => {
    gateway.once('exit', () => reject(new Error(`The gateway did not start:\n${output}`)));
    for (const stream of [gateway.stdout, gateway.stderr]) {
      stream?.on('data', (text) => {
        output += text;
        const [, found] = /GraphQL +(http:\S+)\/graphql/.exec(output) ?? [];
        if (found) resolve(found);
      });
    }
  });
  client = new Client(await url);
  const line = { itemCode: 'GEAR', warehouse: 'main', serialNo: 'GEAR-7' };
  const created = await graphql(creating, {
    serial: { serialNo: 'GEAR-7', itemCode: 'GEAR', company: 'ACME', status: 'Active' },
    input: { asset: 'LATHE-7', failureDate: '2026-11-20', consumedItems: [line, line] },
  });
  repair = created.createAssetRepair.record;
});

afterAll(() => {
  client?.close();
  gateway.kill('SIGKILL');
});

test('no trip takes more files, functions or statements than it did', async () => {
  const table: Record<string, object> = {};
  const grown: string[] = [];
  for (const { trip, budget, count, ...limits } of trips) {
    const { functions, statements } = await count();
    const files = new Map<string, number>();
    for (const [file = ''] of functions.map((name) => name.split(' '))) files.set(file, (files.get(file) ?? 0) + 1);
    const taken = { files: files.size, functions: functions.length, statements: statements.length };
    table[trip] = { ...taken, budget };
    if (taken.files > limits.files || taken.functions > limits.functions) {
      grown.push(`${trip} enters ${taken.functions} functions, ${limits.functions} before, of ${taken.files} files:`);
      // With the functions, so that a comparison with the same list of the commit before shows the new ones.
      grown.push(...functions.map((name) => name.replace(/@\d+$/, '')).sort());
    }
    if (taken.statements > limits.statements)
      grown.push(`${trip} runs, instead of ${limits.statements}:`, ...statements);
  }
  console.table(table);
  expect(grown).toEqual([]);
});

function countRead(): Promise<Counted> {
  return count(() => ask('GET', `/api/assets/asset-repair/${repair.id}`));
}

function countNestedRead(): Promise<Counted> {
  return count(() => graphql(list));
}

function countSave(): Promise<Counted> {
  return count(save);
}

/** The event is there when the trip ends. */
async function countSaveWithEvent(): Promise<Counted> {
  const stream = watch({ url: client.url, key }, following);
  try {
    expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
    return await count(async () => {
      const [event] = await Promise.all([stream.next(), save()]);
      expect(event.record).toMatchObject({ version: repair.version });
    });
  } finally {
    stream.stop();
  }
}

async function save(): Promise<void> {
  const { id, version: expectedVersion } = repair;
  const consumedQuantity = `${expectedVersion + 1}`;
  const consumedItems = repair.consumedItems.map((item) => ({ id: item.id, consumedQuantity }));
  const variables = { id, input: { repairCost: expectedVersion, consumedItems }, expectedVersion };
  const { record, userErrors } = (await graphql(saving, variables)).saveAssetRepair;
  expect(userErrors).toEqual([]);
  repair = record;
}

/** What the trip `go` takes. */
async function count(go: () => Promise<unknown>): Promise<Counted> {
  for (let run = 0; run < runs.warming; run++) await go();
  const counted: Counted[] = [];
  while (counted.length < runs.counted) {
    await tell('begin');
    await go();
    const each = await tell('end');
    // On a busy machine the gateway may have another process read for a while.
    if (each.statements.length > 0) counted.push(each);
  }
  return counted.reduce((all, each) => ({
    functions: all.functions.filter((name) => each.functions.includes(name)),
    statements: each.statements.length < all.statements.length ? each.statements : all.statements,
  }));
}

async function tell(message: 'begin' | 'end'): Promise<Counted> {
  gateway.send(message);
  const [counted] = await once(gateway, 'message');
  return counted;
}

async function graphql(query: string, variables = {}) {
  return (await ask('POST', '/graphql', { query, variables })).data;
}

async function ask(method: string, path: string, body?: unknown) {
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await client.send(method, path, body, { authorization: `Bearer ${key}`, ...type });
  if (answer.status !== 200 || answer.body.errors) throw new Error(answer.text);
  return answer.body;
}
