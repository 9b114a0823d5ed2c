/**
 * Positions are in the order in which entries become visible: no entry ever appears at or below a position that was
 * read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { numberCommitted } from '../../src/change/journal/journal-state.js';
import { sweepJournal } from '../../src/change/journal/keep-journal.js';
import { openJournal } from '../../src/change/journal/open-journal.js';
import { altered, rows } from '../../src/common/work.js';
import { type Database, openDatabase } from '../../src/database/open-database.js';
import { ask } from '../graphql/ask.js';
import { createRepair, repairInput, upTo } from '../graphql/asset-repairs.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { abandonJournal } from './abandoned.js';
import { heldBy } from './held.js';

const repairs = '/api/assets/asset-repair';
const body = { asset: 'lathe', failure_date: '2026-01-31' };

const isAscending = (positions: readonly number[]) =>
  positions.every((position, index) => index === 0 || position > Number(positions[index - 1]));

describe('on postgresql, where transactions commit in another order than they write', () => {
  let gateway: TestGateway;
  let url: string;
  beforeAll(async () => {
    url = await freshDatabaseUrl('postgresql');
    gateway = await startGateway({ database: 'postgresql', env: { DATABASE_URL: url } });
  });
  afterAll(() => gateway.close());

  const entry = `INSERT INTO "JournalEntry" ("at", "action", "model", "recordId", "documentModel", "documentId", "revision", "version",
    "keyId", "keyName", "requestId", "changes") VALUES (now(), 'create', 'IndustryType', $1, 'IndustryType', $1, 1, 1, 'k', 'k', 'r', '{}')`;

  test('giving positions notifies nobody of a commit, and a change does', async () => {
    const database = await openDatabase({ url, migrate: false });
    onTestFinished(database.close);
    let told = 0;
    database.onCommit(() => told++);
    const {
      clients: [writer],
      end,
    } = await writers(1);
    await writer?.query(entry, ['told of by its writer']);
    await end();
    const journal = await openJournal(database, resources, true);
    const begun = told;
    await journal.continuationOf(0);
    await numberCommitted(database);
    expect(told).toBe(begun);
    await database.perform(() => rows('UPDATE "JournalState" SET "since" = "since"', []));
    expect(told).toBe(begun + 1);
  });

  /** Transactions that stay open, like those of a slow writer. */
  async function writers(count: number) {
    const clients = await Promise.all(
      Array.from({ length: count }, async () => {
        const client = new pg.Client(url);
        await client.connect();
        return client;
      }),
    );
    return { clients, end: () => Promise.all(clients.map((client) => client.end())) };
  }

  test('the transaction that writes first and commits last is read last, by every reader', async () => {
    const {
      clients: [slow, fast],
      end,
    } = await writers(2);
    const { last } = await gateway.journal.continuationOf(0);
    await slow?.query('BEGIN');
    await slow?.query(entry, ['slow-1']);
    await fast?.query('BEGIN');
    await fast?.query(entry, ['fast']);
    await slow?.query(entry, ['slow-2']);
    await fast?.query('COMMIT');
    const { entries: before } = await gateway.journal.read(last, 100);
    expect(before.map(({ id }) => id)).toEqual(['fast']);
    const { id } = (await gateway.rest('POST', repairs, body)).body;
    await sleep(2_000);
    const { entries: between } = await gateway.journal.read(before.at(-1)?.position ?? 0, 100);
    expect(between.map((each) => each.id)).toEqual([id]);
    await slow?.query('COMMIT');
    const { entries: after } = await gateway.journal.read(between.at(-1)?.position ?? 0, 100);
    expect(after.map((each) => each.id)).toEqual(['slow-1', 'slow-2']);
    const { entries: all } = await gateway.journal.read(last, 100);
    expect(all.map((each) => each.id)).toEqual(['fast', id, 'slow-1', 'slow-2']);
    expect(all).toEqual([...before, ...between, ...after]);
    expect(isAscending([last, ...all.map(({ position }) => position)])).toBe(true);
    await end();
  });

  test('entries of one change of a document are adjacent, whatever was written between them', async () => {
    const {
      clients: [one, other],
      end,
    } = await writers(2);
    const { last } = await gateway.journal.continuationOf(0);
    await one?.query('BEGIN');
    await one?.query(entry, ['torn']);
    await other?.query(entry, ['between']);
    await one?.query(entry.replaceAll("'IndustryType', $1, 1", "'IndustryType', 'torn', 1"), ['line of torn']);
    await one?.query('COMMIT');
    const { entries: found } = await gateway.journal.read(last, 100);
    expect(found.map(({ id, position }) => [id, position - (found[0]?.position ?? 0)])).toEqual([
      ['torn', 0],
      ['line of torn', 1],
      ['between', 2],
    ]);
    await end();
  });

  test('a reader that waits for another to number sees what was committed meanwhile', async () => {
    const {
      clients: [numbering, writer],
      end,
    } = await writers(2);
    const { last } = await gateway.journal.continuationOf(0);
    await numbering?.query('BEGIN');
    await numbering?.query('SELECT 1 FROM "JournalState" FOR UPDATE');
    await writer?.query(entry, ['first']);
    const waiting = gateway.journal.read(last, 100);
    await sleep(300);
    await writer?.query(entry, ['second']);
    await numbering?.query('UPDATE "JournalEntry" SET "position" = $1 WHERE "recordId" = \'first\'', [last + 1]);
    await numbering?.query('UPDATE "JournalState" SET "position" = $1', [last + 1]);
    await numbering?.query('COMMIT');
    const {
      entries: [first, second],
    } = await waiting;
    expect([first?.id, first?.position, second?.id]).toEqual(['first', last + 1, 'second']);
    expect(second?.position).toBeGreaterThan(last + 1);
    await end();
  });

  test('readers of several processes see the same order, while writers roll back, hold open and commit', async () => {
    const others = await Promise.all(
      [1, 2].map(async () => {
        const database = await openDatabase({ url, migrate: false });
        return { database, journal: await openJournal(database, resources, true) };
      }),
    );
    const { last: start } = await gateway.journal.continuationOf(0);
    const { clients, end } = await writers(6);
    let isOver = false;
    const committed: string[] = [];
    const write = async (client: pg.Client, writer: number) => {
      for (let round = 0; round < 15; round++) {
        const ids = [0, 1, 2].map((each) => `w${writer}-${round}-${each}`);
        await client.query('BEGIN');
        for (const id of ids) {
          await client.query(entry, [id]);
          if (round % 3 === writer % 3) await sleep(25 * writer);
        }
        const isKept = round % 4 !== 3;
        await client.query(isKept ? 'COMMIT' : 'ROLLBACK');
        if (isKept) committed.push(...ids);
      }
    };
    const follow = async ({ journal }: Pick<TestGateway, 'journal'>) => {
      const seen: string[] = [];
      const positions: number[] = [];
      for (let after = start; ; ) {
        const done = isOver;
        const { entries: found } = await journal.read(after, 7);
        for (const { id, position } of found) {
          seen.push(id);
          positions.push(position);
        }
        after = found.at(-1)?.position ?? after;
        if (found.length === 0) {
          if (done) return { seen, positions };
          await sleep(3);
        }
      }
    };
    const following = [gateway, ...others].map(follow);
    await Promise.all(clients.map(write));
    isOver = true;
    const [first, ...rest] = await Promise.all(following);
    expect(new Set(first?.seen)).toEqual(new Set(committed));
    expect(first?.seen).toHaveLength(committed.length);
    expect(isAscending([start, ...(first?.positions ?? [])])).toBe(true);
    for (const other of rest) expect(other).toEqual(first);
    await end();
    for (const { database } of others) await database.close();
  });
});

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(() => gateway.close());

  test('entries of one document are in the order of its versions, whoever wins', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const { last } = await gateway.journal.continuationOf(0);
    const patches = Array.from({ length: 24 }, (_, index) =>
      gateway.rest('PATCH', `${repairs}/${id}`, { description: `change ${index}` }),
    );
    await Promise.all(patches);
    const { entries: found } = await gateway.journal.read(last, 100);
    expect(found.map(({ version }) => version)).toEqual(patches.map((_, index) => index + 2));
    const texts = found.map(({ changes: [change] }) => change);
    for (const [index, change] of texts.entries()) {
      if (index > 0) expect(change?.before).toBe(texts[index - 1]?.after);
    }
  });

  test('of many documents that change together, the entries of each are adjacent', async () => {
    const { last } = await gateway.journal.continuationOf(0);
    const inputs = upTo(5).map(() => repairInput({ consumedItems: 2, purchaseInvoices: 1 }));
    const create = `mutation ($inputs: [CreateAssetRepairInput!]!) { made: createManyAssetRepairs(inputs: $inputs) { records { id } } }`;
    const made: { id: string }[] = (await ask(gateway, create, { inputs })).made.records;
    const remove = 'mutation ($ids: [ID!]!) { deleteManyAssetRepairs(ids: $ids) { deletedIds } }';
    await ask(gateway, remove, { ids: made.map(({ id }) => id).reverse() });
    const { entries: found } = await gateway.journal.read(last, 100);
    expect(found).toHaveLength(40);
    const documents = found.map(({ document, action }) => `${document.id} ${action}`);
    const begun = documents.filter((document, index) => document !== documents[index - 1]);
    expect(begun).toEqual([...new Set(documents)]);
  });

  test('a line that names a document of another type as its parent is no part of a change of it', async () => {
    const { last } = await gateway.journal.continuationOf(0);
    const { id } = (await gateway.rest('POST', repairs, body)).body;
    await gateway.rest('POST', '/api/crm/industry-type', { industry: 'between' });
    const payment = { parent_id: id, parent_type: 'Asset Repair', mode_of_payment: 'Cash', amount: 5 };
    await gateway.rest('POST', '/api/accounts/sales-invoice-payment', payment);
    const { entries: found } = await gateway.journal.read(last, 100);
    const order = ['AssetRepair', 'IndustryType', 'SalesInvoicePayment'];
    expect(found.map(({ resource }) => resource.model)).toEqual(order);
  });

  test('nothing is left of what is rolled back, refused, only tried out, or no change', async () => {
    const { id } = (await gateway.rest('POST', repairs, body)).body;
    const { last } = await gateway.journal.continuationOf(0);
    await expect(
      gateway.database.perform(function* () {
        yield* rows(`UPDATE "AssetRepair" SET "asset" = 'x' WHERE "id" = ${database === 'sqlite' ? '?' : '$1'}`, [id]);
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect((await gateway.rest('PATCH', `${repairs}/${id}`, { asset: 'lathe' })).status).toBe(200);
    expect((await gateway.rest('PATCH', `${repairs}/${id}`, { asset: 'mill' }, { 'if-match': '"7"' })).status).toBe(
      412,
    );
    expect((await gateway.rest('POST', `${repairs}/${id}/cancel`)).status).toBe(409);
    expect((await gateway.rest('PATCH', `${repairs}/unknown_1`, { asset: 'mill' })).status).toBe(404);
    const tried = await gateway.graphql(
      `mutation ($id: ID!) { saveAssetRepair(id: $id, validateOnly: true, input: { asset: "x" }) { changes { fields } } }`,
      { id },
    );
    expect(tried.body.data.saveAssetRepair.changes.fields).toEqual(['asset']);
    const previewed = await gateway.graphql(
      'query ($id: ID!) { previewAction(id: $id, action: SUBMIT) { __typename } }',
      { id },
    );
    expect(previewed.status).toBe(200);
    const refused = await gateway.graphql(
      `mutation ($id: ID!) { updateManyAssetRepairs(updates: [{ id: $id, input: { asset: "x" } }, { id: "unknown", input: { asset: "x" } }]) { records { id } } }`,
      { id },
    );
    expect(refused.body.errors).toHaveLength(1);
    expect((await gateway.journal.read(last, 100)).entries).toEqual([]);
  });

  test('a secret is masked', async () => {
    const { last } = await gateway.journal.continuationOf(0);
    await gateway.rest('PATCH', '/api/accounts/currency-exchange-settings/currency-exchange-settings_default', {
      access_key: 'not for anybody',
      use_http: true,
    });
    const {
      entries: [change],
    } = await gateway.journal.read(last, 100);
    expect(change?.changes).toEqual([
      { field: 'accessKey', before: null, after: '***' },
      { field: 'useHttp', before: false, after: true },
    ]);
  });

  test('an entry from a clock that was ahead does not keep those behind it from being swept', async () => {
    const { last } = await gateway.journal.continuationOf(0);
    for (let made = 0; made < 3; made++) await gateway.rest('POST', repairs, body);
    const made = (await gateway.journal.read(last, 3)).entries.map(({ position }) => position);
    await setTimes(made[0] ?? 0, '2100-01-01T00:00:00.000');
    const later = { now: Date.now() + 31 * 24 * 60 * 60 * 1000 };
    expect(await sweepJournal(gateway.database, gateway.journal, 30, later)).toBeGreaterThanOrEqual(3);
    expect(await gateway.journal.continuationOf(0)).toMatchObject({ oldest: made[2], last: made[2] });
  });

  test('entries of the future, however many follow one another, do not keep those behind them from being swept', async () => {
    const many =
      'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }';
    for (const count of [80, 80, 80, 80, 80, 80, 80, 80, 3]) {
      await gateway.graphql(many, { inputs: Array.from({ length: count }, () => repairInput()) });
    }
    const { oldest, last } = await gateway.journal.continuationOf(0);
    const all = (await gateway.journal.read(oldest, 2000)).entries.map(({ position }) => position);
    for (const position of all.slice(-643, -3)) await setTimes(position, '2100-01-01T00:00:00.000');
    const later = { now: Date.now() + 31 * 24 * 60 * 60 * 1000 };
    expect(await sweepJournal(gateway.database, gateway.journal, 60, later)).toBe(0);
    const { database, looks } = lookedThrough(gateway.database);
    expect(await sweepJournal(database, gateway.journal, 30, later)).toBe(all.length);
    expect(await gateway.journal.continuationOf(0)).toMatchObject({ oldest: last, last });
    expect(looks()).toBe(1);
  });

  /** The same database, and how often entries were searched for one that is not of the future. */
  function lookedThrough(database: Database) {
    let count = 0;
    const note = (sql: string) => {
      if (/LIMIT 1$/.test(sql) && sql.includes('"at"')) count++;
    };
    const seen: Database = {
      ...database,
      client: database.client,
      read: (sql, ...rest) => {
        note(sql);
        if (!database.read) throw new Error('This database is inside a transaction');
        return database.read(sql, ...rest);
      },
      perform: (begin) =>
        database.perform(() =>
          altered(begin(), (statement) => {
            note(statement.sql);
            return statement;
          }),
        ),
    };
    return { database: seen, looks: () => count };
  }

  /** Sets the time of an entry, as a wrong clock would have done. */
  async function setTimes(position: number, at: string): Promise<void> {
    const column = database === 'sqlite' ? 'entry' : 'position';
    const time = database === 'sqlite' ? `'${at}+00:00'` : `'${at}'::timestamp(3)`;
    await gateway.database.perform(() =>
      rows(`UPDATE "JournalEntry" SET "at" = ${time} WHERE "${column}" = ${position}`, []),
    );
  }

  test('old entries are deleted in batches, but none that a webhook still needs, and it says from when on it is complete', async () => {
    for (let made = 0; made < 250; made += 50) {
      const inputs = Array.from({ length: 50 }, () => repairInput());
      await gateway.graphql(
        'mutation ($inputs: [CreateAssetRepairInput!]!) { createManyAssetRepairs(inputs: $inputs) { records { id } } }',
        { inputs },
      );
    }
    const { oldest, last } = await gateway.journal.continuationOf(0);
    const all = (await gateway.journal.read(oldest, 1000)).entries.map(({ position }) => position);
    const kept = all.slice(-5);
    let held = all.at(-6) ?? 0;
    gateway.journal.hold(heldBy(() => held));
    const later = { now: Date.now() + 31 * 24 * 60 * 60 * 1000 };
    expect(await sweepJournal(gateway.database, gateway.journal, 60, later)).toBe(0);
    expect(await sweepJournal(gateway.database, gateway.journal, 30, later)).toBe(all.length - 5);
    expect(await gateway.journal.continuationOf(0)).toMatchObject({ oldest: held, last });
    expect((await gateway.journal.read(0, 100)).entries.map(({ position }) => position)).toEqual(kept);
    held = Number.MAX_SAFE_INTEGER;
    expect(await sweepJournal(gateway.database, gateway.journal, 30, later)).toBe(5);
    expect(await gateway.journal.continuationOf(0)).toMatchObject({ oldest: last, last });
    const { id } = (await gateway.rest('POST', repairs, body)).body;
    expect((await gateway.journal.read(last, 9)).entries.map((each) => each.id)).toEqual([id]);
  });

  test('however many days it is to be kept, none too young is deleted', async () => {
    await gateway.rest('POST', repairs, body);
    for (const days of [1, 36_500, 999_999_999])
      expect(await sweepJournal(gateway.database, gateway.journal, days)).toBe(0);
  });

  test('swept while it is turned off, it is announced as begun anew when it is turned on again', async () => {
    await gateway.rest('POST', repairs, body);
    await abandonJournal(gateway.database);
    await openJournal(gateway.database, resources, false);
    const later = { now: Date.now() + 31 * 24 * 60 * 60 * 1000 };
    expect(await sweepJournal(gateway.database, gateway.journal, 30, later)).toBeGreaterThan(0);
    await gateway.rest('POST', repairs, body); // as another process that keeps no journal would, without its entry
    await openJournal(gateway.database, resources, true);
    const { oldest, last } = await gateway.journal.continuationOf(0);
    expect(oldest).toBe(last);
  });

  test('turned off and on, it begins anew', async () => {
    await gateway.rest('POST', repairs, body);
    const { oldest: before, last } = await gateway.journal.continuationOf(0);
    await abandonJournal(gateway.database);
    const off = await openJournal(gateway.database, resources, false);
    expect(off.isKept).toBe(false);
    await gateway.rest('POST', repairs, body);
    await gateway.rest('POST', repairs, body);
    off.hold(heldBy(() => last + 1));
    // A sweep meanwhile does not give it a beginning.
    expect(
      await sweepJournal(gateway.database, off, 30, { now: Date.now() + 31 * 24 * 60 * 60 * 1000 }),
    ).toBeGreaterThan(0);
    const again = await openJournal(gateway.database, resources, true);
    // A reader that has read everything from before it was turned off is also told to start over.
    const anew = await again.continuationOf(0);
    expect(anew.oldest).toBe(anew.last);
    expect(isAscending([before, last, anew.last])).toBe(true);
    const { id } = (await gateway.rest('POST', repairs, body)).body;
    expect((await again.read(anew.last, 9)).entries.map((each) => each.id)).toEqual([id]);
  });
});

test.each(providers)(
  'a reader of an empty journal is told of changes made while it was turned off, on %s',
  async (database) => {
    const gateway = await startGateway({ database });
    onTestFinished(() => gateway.close());
    expect((await gateway.journal.continuationOf(0)).oldest).toBe(0);
    await abandonJournal(gateway.database);
    await openJournal(gateway.database, resources, false);
    const again = await openJournal(gateway.database, resources, true);
    const { oldest, last } = await again.continuationOf(0);
    expect(oldest).toBeGreaterThan(0);
    expect(last).toBe(oldest);
    const { status } = await gateway.rest('GET', '/api/changes?after=0');
    expect(status).toBe(400);
  },
);

test.each(providers)('with JOURNAL=false nothing is written, on %s', async (database) => {
  const gateway = await startGateway({ database, env: { JOURNAL: 'false' } });
  await createRepair(gateway, repairInput({ consumedItems: 3 }));
  expect(await gateway.journal.continuationOf(0)).toMatchObject({ oldest: 0, last: 0 });
  const { status, body } = await gateway.rest('GET', '/api/changes');
  expect([status, body.error.code]).toEqual([400, 'operation_unknown']);
  await gateway.close();
});
