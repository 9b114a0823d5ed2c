/** The profile `distributed`: its tables, its transactions, and statements that conflict. */
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { pendingChanges } from '../../prisma/pending-changes.js';
import { rows } from '../../src/common/work.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { openPostgresqlMigration } from '../../src/database/migrations/postgresql-migration.js';
import { type OpenedDatabase, openDatabase } from '../../src/database/open-database.js';
import { conflicts, raisingConflicts, throughConflicts } from '../support/conflicting-proxy.js';
import { emptyDatabaseUrl, freshDatabaseUrl } from '../support/database.js';
import { startRecords } from '../support/process.js';

async function emptyUrl(): Promise<string> {
  const url = new URL(await emptyDatabaseUrl('postgresql'));
  url.searchParams.set('profile', 'distributed');
  return url.href;
}

async function opened(url: string): Promise<OpenedDatabase> {
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  return database;
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test('has the tables, columns, keys and indexes of PostgreSQL, and no trigger of statements and no sequence', async () => {
  const url = await emptyUrl();
  const connection = await openPostgresqlMigration(url);
  onTestFinished(() => connection.close());
  await migrate(connection);
  expect(await pendingChanges(connection)).toBe('');
  const plain = await freshDatabaseUrl('postgresql');
  for (const [sql, ...different] of [
    [
      `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') || ' ' || coalesce(collation_name, '') AS fact
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'RecordCount'`,
      /^(JournalEntry.entry|SearchText.id) bigint NO (nextval|gateway_next_entry)/,
    ],
    [`SELECT indexdef AS fact FROM pg_indexes WHERE schemaname = 'public'`, /RecordCount_pkey/],
    [
      `SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) AS fact FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'f', 'u')`,
      /RecordCount/,
    ],
  ] as const) {
    const [ours, theirs] = await Promise.all(
      [url, plain].map(async (each) => new Set((await ask(each, sql)).map(({ fact }) => String(fact)))),
    );
    expect(ours?.size).toBeGreaterThan(30);
    const unlike = differenceOf(ours, theirs);
    expect(unlike.filter((fact) => !different.some((pattern) => pattern.test(fact)))).toEqual([]);
  }
  const own = await ask(
    url,
    `SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND (tgtype & 1 = 0 OR tgoldtable IS NOT NULL OR tgnewtable IS NOT NULL)
     UNION ALL SELECT relname FROM pg_class WHERE relkind = 'S'
     UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosrc ~ 'advisory|LOCK TABLE'`,
  );
  expect(own).toEqual([]);
});

/** The elements that only one of two sets has. */
const differenceOf = (one: Set<string> = new Set(), other: Set<string> = new Set()): string[] =>
  [...one, ...other].filter((each) => one.has(each) !== other.has(each));

test('is migrated once by ten processes that start together, and belongs to its profile', async () => {
  const url = await emptyUrl();
  const connections = await Promise.all(Array.from({ length: 10 }, () => openPostgresqlMigration(url)));
  onTestFinished(async () => void (await Promise.all(connections.map((connection) => connection.close()))));
  const applied = await Promise.all(connections.map((connection) => migrate(connection)));
  expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  const plain = new URL(url);
  plain.searchParams.delete('profile');
  await expect(openDatabase({ url: plain.href, migrate: true })).rejects.toThrow(/profile/);
  plain.searchParams.set('profile', 'spread');
  await expect(openDatabase({ url: plain.href, migrate: true })).rejects.toThrow(
    /parameter profile, which must be distributed/,
  );
  const other = new URL(await freshDatabaseUrl('postgresql'));
  other.searchParams.set('profile', 'distributed');
  await expect(openDatabase({ url: other.href, migrate: true })).rejects.toThrow(/profile/);
});

test('runs in SERIALIZABLE, gives no signals, and repeats what conflicts: statements, units of work, transactions', async () => {
  const direct = await emptyUrl();
  await (await openDatabase({ url: direct, migrate: true })).close();
  await ask(direct, raisingConflicts);
  const database = await opened(await throughConflicts(direct));
  expect(database.signals).toBeUndefined();
  expect(await database.read('SHOW transaction_isolation', [])).toEqual([['serializable']]);

  const before = conflicts.count;
  const add = (number: number) => `UPDATE "JournalState" SET "swept" = "swept" + 1 WHERE "id" = 1 AND ${number} > 0`;
  for (let round = 1; round <= 40; round++) {
    expect(await database.read('SELECT $1::text', [`read ${round}`])).toEqual([[`read ${round}`]]);
    expect(await database.client.apiKey.count()).toBe(round - 1);
    await database.perform(function* () {
      yield* rows(add(round), []);
      yield* rows(add(round), []);
    });
    await database.perform(function* () {
      yield { sql: add(round), values: [], isWhole: true };
    });
    await database.transaction(async (tx) => {
      await tx.apiKey.create({ data: { id: `key ${round}`, name: 'a', hash: 'b', createdAt: new Date() } });
      await tx.$executeRawUnsafe(add(round));
    });
  }
  expect(conflicts.count - before).toBeGreaterThan(10);
  expect(await database.read('SELECT "swept"::text FROM "JournalState"', [])).toEqual([['160']]);
  expect(await database.client.apiKey.count()).toBe(40);
});

test('is seeded, checked and exported like any other database', async () => {
  const DATABASE_URL = await emptyUrl();
  for (const [words, output] of [
    [['migrate', 'apply'], /up to date/],
    [['seed', '--records', '300', '--seed', '7'], /./],
    [['check'], /counts are exact/],
    [['check', '--fix'], /counts are exact/],
  ] as const) {
    const command = startRecords({ DATABASE_URL }, [...words]);
    expect(await command.ended, command.log()).toBe(0);
    expect(command.output() + command.log()).toMatch(output);
  }
  const found = await ask(DATABASE_URL, `SELECT sum("count")::integer AS "all" FROM "RecordCount"`);
  expect(found[0]?.all).toBeGreaterThan(100);
});
