/** Processes with different settings JOURNAL on one database: no change is left out of the journal silently. */
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { postgresqlWire } from '../../bench/postgresql-wire.js';
import { keepJournal } from '../../src/change/journal/keep-journal.js';
import { keepingOf, openJournal } from '../../src/change/journal/open-journal.js';
import { watch } from '../features/live/watch.js';
import { until } from '../features/webhooks/deliverer.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { abandonJournal } from './abandoned.js';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
const start = async (database: (typeof providers)[number], url: string, isKept: boolean) => {
  const gateway = await startGateway({ database, env: { DATABASE_URL: url, JOURNAL: String(isKept) } });
  ends.push(() => gateway.close());
  return gateway;
};
const create = async (gateway: TestGateway, industry: string): Promise<string> =>
  (await gateway.rest('POST', '/api/crm/industry-type', { industry })).body.id;

describe.each(providers)('on %s', (database) => {
  const keep = (gateway: TestGateway) => {
    const warnings: unknown[] = [];
    const log = { warn: (...warning: unknown[]) => void warnings.push(warning) };
    ends.push(keepJournal(gateway.database, gateway.journal, 90, log));
    return () => JSON.stringify(warnings);
  };
  const since = async ({ database }: TestGateway) =>
    (await database.client.journalState.findUniqueOrThrow({ where: { id: 1 } })).since;

  test('a process without the journal writes to it while another process keeps it: its start leaves no gap', async () => {
    const url = await freshDatabaseUrl(database);
    const keeping = await start(database, url, true);
    keep(keeping);
    const first = await create(keeping, 'before');
    const begun = await since(keeping);
    const stream = watch(keeping, 'subscription { changes(after: "0") { position notice recordId } }');
    ends.push(() => stream.stop());
    expect(await stream.next()).toMatchObject({ notice: 'OPENED' });
    expect(await stream.next()).toMatchObject({ notice: null, recordId: first });

    // As if a process with the wrong setting were started again and again.
    for (let turn = 0; turn < 5; turn++) {
      const other = await start(database, url, false);
      const warnings = keep(other);
      const id = await create(other, `by another, ${turn}`);
      expect(await stream.next()).toMatchObject({ notice: null, recordId: id });
      await until('it says so', () => warnings().includes('JOURNAL=false'));
    }
    expect(await since(keeping)).toEqual(begun);
  });

  test('it is turned off only some time after the last process that keeps it has ended, however it ended', async () => {
    const url = await freshDatabaseUrl(database);
    const keeping = await start(database, url, true);
    const { last: before } = await keeping.journal.continuationOf(0);
    const other = await start(database, url, false);
    keep(other);
    // Nothing renews the note of a process that was killed: until it is old, there are entries.
    const id = await create(other, 'with an entry');
    expect((await keeping.journal.read(before, 9)).entries.map((entry) => entry.id)).toEqual([id]);
    const { last } = await keeping.journal.continuationOf(0);
    await abandonJournal(keeping.database);
    await until('it is turned off', async () => (await since(other)) === null);
    await create(other, 'without an entry');
    expect((await keeping.journal.read(last, 9)).entries).toEqual([]);
    await start(database, url, true);
    expect((await keeping.journal.continuationOf(last)).isHeld).toBe(false);
  });

  test('a note from the future or the past does not count, and a process that keeps the journal renews its note', async () => {
    const url = await freshDatabaseUrl(database);
    const keeping = await start(database, url, true);
    const day = 24 * 60 * 60 * 1_000_000;
    for (const away of [-day, day]) {
      await keeping.database.client.$executeRawUnsafe(`UPDATE "JournalState" SET "keptAt" = "keptAt" + ${away}`);
      const noted = (await keepingOf(keeping.database)).isKept;
      expect(noted).toBe(false);
      const stop = keepJournal(keeping.database, keeping.journal, 90, { warn: () => undefined });
      ends.push(stop);
      await until('it is noted again', async () => (await keepingOf(keeping.database)).isKept);
      stop();
    }
  });

  test('a process that keeps it turns it on for all, and readers are told what is missing', async () => {
    const url = await freshDatabaseUrl(database);
    const keeping = await start(database, url, true);
    await create(keeping, 'before');
    const stream = watch(keeping, 'subscription { changes { position notice recordId } }');
    ends.push(() => stream.stop());
    const { position } = await stream.next();

    // It was paused for longer than its note is valid, like a machine that sleeps.
    await abandonJournal(keeping.database);
    const other = await start(database, url, false);
    await create(other, 'without an entry');
    const warnings = keep(keeping);
    const told = await stream.next();
    expect(told.notice).toBe('TOO_OLD');
    expect(told.position).toBeGreaterThan(position);
    expect(warnings()).toContain('JOURNAL=false');

    const id = await create(other, 'with an entry');
    expect(await stream.next()).toMatchObject({ notice: null, recordId: id });
    const changed = await other.rest('PATCH', `/api/crm/industry-type/${id}`, { industry: 'mining' });
    expect(changed.status).toBe(200);
    expect(await stream.next()).toMatchObject({ notice: null, recordId: id });
    expect((await other.rest('DELETE', `/api/crm/industry-type/${id}`)).status).toBe(200);
    expect(await stream.next()).toMatchObject({ notice: null, recordId: id });
  });

  test('a process without the journal writes to it as soon as another process keeps it', async () => {
    const url = await freshDatabaseUrl(database);
    const other = await start(database, url, false);
    await create(other, 'without an entry');
    expect((await other.journal.read(0, 9)).entries).toEqual([]);
    const keeping = await start(database, url, true);
    const { last } = await keeping.journal.continuationOf(0);
    const id = await create(other, 'with an entry');
    expect((await keeping.journal.read(last, 9)).entries.map((entry) => entry.id)).toEqual([id]);
  });
});

test('on postgresql it is turned on only after statements that have found it off', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const other = await start('postgresql', url, false);
  const blocker = new pg.Client(url);
  await blocker.connect();
  ends.push(() => blocker.end());
  const locked = await create(other, 'without an entry');
  await blocker.query(`BEGIN; SELECT 1 FROM "IndustryType" WHERE "id" = '${locked}' FOR UPDATE`);
  const changed = other.rest('PATCH', `/api/crm/industry-type/${locked}`, { industry: 'without an entry either' });
  // Within its transaction the blocker would see its old snapshot.
  const watcher = new pg.Client(url);
  await watcher.connect();
  ends.push(() => watcher.end());
  const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%IndustryType%'`;
  await until('the write', async () => (await watcher.query(waits)).rowCount === 1);
  // Readers do not wait for it: entries get their positions.
  await watcher.query(`INSERT INTO "JournalEntry" ("at", "action", "model", "recordId", "documentModel", "documentId",
    "revision", "version", "keyId", "keyName", "requestId", "changes")
    VALUES (now(), 'create', 'IndustryType', 'x', 'IndustryType', 'x', 1, 1, 'k', 'k', 'r', '{}')`);
  expect((await other.journal.read(0, 9)).entries.map(({ id }) => id)).toEqual(['x']);
  let isOn = false;
  const turning = openJournal(other.database, resources, true).then(() => {
    isOn = true;
  });
  const turns = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%gateway_claim_journal%'`;
  await until('turning it on', async () => (await watcher.query(turns)).rowCount === 1);
  expect(isOn).toBe(false);
  await blocker.query('ROLLBACK');
  expect((await changed).status).toBe(200);
  await turning;
  expect(isOn).toBe(true);
  // Neither has an entry, and every change from now on has one.
  const now = await create(other, 'with an entry');
  expect((await other.journal.read(0, 9)).entries.map(({ id }) => id)).toEqual(['x', now]);
});

test('on postgresql a process without it sends one statement for a change, which looks whether it is kept', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const wire = await postgresqlWire(url);
  ends.push(wire.close);
  const other = await start('postgresql', wire.url, false);
  const id = await create(other, 'warm');
  const path = `/api/crm/industry-type/${id}`;
  /** One of several equal requests, because on a busy machine the key is looked up again in between. */
  const statements = async (work: (turn: number) => Promise<unknown>) => {
    const counts: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const before = wire.counts.statements;
      await work(turn);
      counts.push(wire.counts.statements - before);
    }
    return Math.min(...counts);
  };
  const made: string[] = [];
  expect(await statements(async (turn) => made.push(await create(other, `number ${turn}`)))).toBe(1);
  expect(await statements((turn) => other.rest('PATCH', path, { industry: `other ${turn}` }))).toBe(1);
  expect(await statements((turn) => other.rest('DELETE', `/api/crm/industry-type/${made[turn]}`))).toBe(1);
  expect((await other.journal.read(0, 9)).entries).toEqual([]);
});

test('on postgresql a statement that waits while it is turned on writes an entry', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const other = await start('postgresql', url, false);
  const id = await create(other, 'without an entry');
  const turning = new pg.Client(url);
  await turning.connect();
  ends.push(() => turning.end());
  await turning.query(`BEGIN; SELECT pg_advisory_xact_lock(7449363237790906730)`);
  await turning.query(`UPDATE "JournalState" SET "since" = now() AT TIME ZONE 'UTC' WHERE "id" = 1`);
  const path = `/api/crm/industry-type/${id}`;
  const writes = [create(other, 'with an entry'), other.rest('PATCH', path, { industry: 'other' })];
  const watcher = new pg.Client(url);
  await watcher.connect();
  ends.push(() => watcher.end());
  const waiting = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
  await until('both to wait', async () => (await watcher.query(waiting)).rowCount === 2);
  await turning.query('COMMIT');
  await Promise.all(writes);
  await other.rest('DELETE', path);
  const { entries: found } = await other.journal.read(0, 9);
  expect(found.map(({ action }) => action).toSorted()).toEqual(['create', 'delete', 'update']);
});

describe('on postgresql the switch that tells sooner than the row that it is off', () => {
  /** What it says while the journal is off: its own number, which no other database has. */
  const own = `'gateway_journal_switch'::regclass::oid::bigint`;
  const opened = async (isKept: boolean) => {
    const url = await freshDatabaseUrl('postgresql');
    const gateway = await start('postgresql', url, isKept);
    const client = new pg.Client(url);
    await client.connect();
    ends.push(() => client.end());
    const switched = async () => {
      const { rows } = await client.query(
        `SELECT pg_sequence_last_value('gateway_journal_switch') = ${own} AS "isOff"`,
      );
      return rows[0].isOff ? 'off' : 'on';
    };
    const keep = (one: TestGateway) => {
      ends.push(keepJournal(one.database, one.journal, 90, { warn: () => undefined }));
    };
    return { url, gateway, client, switched, keep };
  };

  test('is off from the start, so that writes do not look at the row', async () => {
    const { gateway, client, switched } = await opened(false);
    expect(await switched()).toBe('off');
    await client.query(`CREATE OR REPLACE FUNCTION "gateway_journal_is_off_by_row"() RETURNS boolean LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the row is asked'; END $$`);
    const id = await create(gateway, 'without an entry');
    expect((await gateway.rest('PATCH', `/api/crm/industry-type/${id}`, { industry: 'other' })).status).toBe(200);
    expect((await gateway.rest('DELETE', `/api/crm/industry-type/${id}`)).status).toBe(200);
    expect((await gateway.journal.read(0, 9)).entries).toEqual([]);
  });

  test('is on with the journal, and off again behind it', async () => {
    const { url, gateway, switched, keep } = await opened(false);
    const keeping = await start('postgresql', url, true);
    expect(await switched()).toBe('on');
    await abandonJournal(keeping.database);
    keep(gateway);
    await until('it is off', async () => (await switched()) === 'off');
    expect((await keepingOf(gateway.database)).isOn).toBe(false);
  });

  test('is put right where a dump was made while the journal was turned off: the row is on, the switch is off', async () => {
    const { url, gateway, client, switched } = await opened(true);
    await client.query(`SELECT setval('gateway_journal_switch', ${own})`);
    const other = await start('postgresql', url, false);
    expect(await switched()).toBe('on');
    const id = await create(other, 'with an entry');
    expect((await gateway.journal.read(0, 9)).entries.map((entry) => entry.id)).toEqual([id]);
  });

  test('says nothing in a database that was restored from such a dump, so that a process that runs looks at the row', async () => {
    const { gateway, client } = await opened(false);
    await create(gateway, 'without an entry');
    // As the dump of another database does, without telling the process.
    await client.query(`UPDATE "JournalState" SET "since" = now() AT TIME ZONE 'UTC', "keptAt" = 9e15`);
    await client.query(`SELECT setval('gateway_journal_switch', ${own} + 1)`);
    const id = await create(gateway, 'with an entry');
    expect((await gateway.journal.read(0, 9)).entries.map((entry) => entry.id)).toEqual([id]);
  });

  test('is put right where a transaction that turns the journal on is rolled back', async () => {
    const { gateway, client, switched, keep } = await opened(false);
    await client.query(`BEGIN; UPDATE "JournalState" SET "since" = now() AT TIME ZONE 'UTC'; ROLLBACK`);
    expect(await switched()).toBe('on');
    await create(gateway, 'without an entry');
    expect((await gateway.journal.read(0, 9)).entries).toEqual([]);
    keep(gateway);
    await until('it is off', async () => (await switched()) === 'off');
  });

  test('is not turned off while a transaction turns the journal on', async () => {
    const { gateway, client, switched, keep } = await opened(false);
    // By hand, without the lock that a gateway takes.
    await client.query(`BEGIN; UPDATE "JournalState" SET "since" = now() AT TIME ZONE 'UTC', "keptAt" = 9e15`);
    keep(gateway);
    // Within its transaction the client would see what it has seen before.
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%gateway_settle_journal%'`;
    const watcher = gateway.database.client;
    await until('it waits', async () => (await watcher.$queryRawUnsafe<unknown[]>(waiting)).length === 1);
    await client.query('COMMIT');
    await until('it is settled', async () => (await keepingOf(gateway.database)).isSettled);
    expect(await switched()).toBe('on');
  });
});
