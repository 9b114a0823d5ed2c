/** A database that lacks something of what its migrations make is named and refused, by `records check` and by a start. */
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate, migrateOrRefuse } from '../../src/database/migrations/migrate.js';
import {
  type MigrationHistory,
  migrationsFolder,
  readMigrations,
} from '../../src/database/migrations/migration-history.js';
import { compareSchema, objectsOf } from '../../src/database/migrations/schema-objects.js';
import { openDatabase } from '../../src/database/open-database.js';
import { records } from '../commands/records.js';
import { emptyDatabaseUrl, freshDatabaseUrl, providers } from '../support/database.js';
import { connect, history, run } from './older-database.js';

/** The URL of a database with the migrations of `made` and nothing else. */
async function migratedUrl(made: MigrationHistory): Promise<string> {
  if (made !== 'distributed') return freshDatabaseUrl(made);
  const url = new URL(await emptyDatabaseUrl('postgresql'));
  url.searchParams.set('profile', made);
  await migrate(await connect('postgresql', url.href));
  return url.href;
}

const providerOf = (made: MigrationHistory) => (made === 'sqlite' ? 'sqlite' : 'postgresql');
const histories: MigrationHistory[] = ['sqlite', 'postgresql', 'distributed'];

test.each(histories)(
  'objects.txt lists what the migrations of %s make; `npx vitest run test/database/schema-objects.test.ts -u` writes it',
  async (made) => {
    const connection = await connect(providerOf(made), await migratedUrl(made));
    const file = `${migrationsFolder(made)}/objects.txt`;
    await expect(`${(await objectsOf(connection)).join('\n')}\n`).toMatchFileSnapshot(file);
  },
);

const isNot = (title: string) => `The ${title} is not as the migrations make it`;

/** What is done to a database, and what is said of it. */
const losses: Record<MigrationHistory, [sql: string, said: string][]> = {
  sqlite: [
    ['DROP TABLE "ApiUse"', 'The table ApiUse is missing'],
    ['ALTER TABLE "AssetRepair" DROP COLUMN "downtime"', 'The column downtime of AssetRepair is missing'],
    ['DROP INDEX "gateway_JobCard_serialNo"', 'The index gateway_JobCard_serialNo of JobCard is missing'],
    [
      'DROP TRIGGER "gateway_count_AssetRepair_insert"',
      'The trigger gateway_count_AssetRepair_insert of AssetRepair is missing',
    ],
    [
      `DROP INDEX "SearchText_documentId_recordId_key";
       CREATE INDEX "SearchText_documentId_recordId_key" ON "SearchText" ("recordId")`,
      `${isNot('index SearchText_documentId_recordId_key of SearchText')}: it is CREATE INDEX`,
    ],
    [
      'DROP TABLE "ApiKey"; CREATE TABLE "ApiKey" ("id" TEXT, "name" INTEGER NOT NULL DEFAULT 7)',
      `${isNot('column id of ApiKey')}: it is TEXT, not TEXT NOT NULL PRIMARY KEY 1`,
    ],
    [
      'DROP TABLE "JobCardTimeLog"; CREATE TABLE "JobCardTimeLog" ("id" TEXT)',
      'The foreign key jobCardId of JobCardTimeLog is missing',
    ],
    [
      'DROP TABLE "JournalEntry"; CREATE TABLE "JournalEntry" ("entry" INTEGER NOT NULL PRIMARY KEY)',
      `${isNot('table JournalEntry')}: it is plain, not AUTOINCREMENT`,
    ],
  ],
  postgresql: [
    ['DROP TABLE "ApiUse"', 'The table ApiUse is missing'],
    ['ALTER TABLE "AssetRepair" DROP COLUMN "downtime"', 'The column downtime of AssetRepair is missing'],
    [
      'ALTER TABLE "AssetRepair" ALTER COLUMN "repairCost" TYPE real',
      `${isNot('column repairCost of AssetRepair')}: it is real NOT NULL DEFAULT 0, not double precision NOT NULL`,
    ],
    [
      'ALTER TABLE "AssetRepair" ALTER COLUMN "asset" DROP NOT NULL',
      `${isNot('column asset of AssetRepair')}: it is text COLLATE C, not text COLLATE C NOT NULL`,
    ],
    [
      'ALTER TABLE "AssetRepair" ALTER COLUMN "status" DROP DEFAULT',
      `${isNot('column status of AssetRepair')}: it is text COLLATE C NOT NULL, not text COLLATE C NOT NULL DEFAULT 'draft'`,
    ],
    [
      'ALTER TABLE "AssetRepair" ALTER COLUMN "company" TYPE text COLLATE "POSIX"',
      `${isNot('column company of AssetRepair')}: it is text COLLATE POSIX, not text COLLATE C`,
    ],
    [
      'ALTER TABLE "UOMCategory" DROP CONSTRAINT "UOMCategory_pkey"',
      'The primary key UOMCategory_pkey of UOMCategory is missing',
    ],
    [
      'ALTER TABLE "JobCardTimeLog" DROP CONSTRAINT "JobCardTimeLog_jobCardId_fkey"',
      'The foreign key JobCardTimeLog_jobCardId_fkey of JobCardTimeLog is missing',
    ],
    [
      'ALTER TABLE "CurrencyExchangeSettings" DISABLE TRIGGER ALL',
      'Triggers or foreign keys of CurrencyExchangeSettings are disabled; run ALTER TABLE "CurrencyExchangeSettings" ENABLE TRIGGER ALL',
    ],
    [
      'ALTER TABLE "AssetRepair" DISABLE TRIGGER "gateway_count_AssetRepair_insert"',
      'Triggers or foreign keys of AssetRepair are disabled; run ALTER TABLE "AssetRepair" ENABLE TRIGGER USER',
    ],
    [
      'DROP TRIGGER "gateway_count_Quotation_insert" ON "Quotation"',
      'The trigger gateway_count_Quotation_insert of Quotation is missing',
    ],
    [
      'DROP INDEX "SearchText_documentId_recordId_key"',
      'The index SearchText_documentId_recordId_key of SearchText is missing',
    ],
    [
      'DROP INDEX "gateway_JobCard_serialNo"; CREATE INDEX "gateway_JobCard_serialNo" ON "JobCard" ("serialNo", "id")',
      `${isNot('index gateway_JobCard_serialNo of JobCard')}: it is serialNo, id, not serialNo, id WHERE`,
    ],
    ['DROP FUNCTION "gateway_block_truncate" CASCADE', 'The function gateway_block_truncate() is missing'],
    [
      'CREATE OR REPLACE FUNCTION "gateway_block_move"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
      isNot('function gateway_block_move()'),
    ],
    ['DROP SEQUENCE "gateway_journal_switch"', 'The sequence gateway_journal_switch is missing'],
  ],
  distributed: [
    ['DROP VIEW "RecordCount"', 'The view RecordCount is missing'],
    ['DROP INDEX "gateway_JobCard_serialNo"', 'The index gateway_JobCard_serialNo of JobCard is missing'],
    [
      'ALTER TABLE "JournalEntry" ALTER COLUMN "entry" DROP DEFAULT',
      `${isNot('column entry of JournalEntry')}: it is bigint NOT NULL, not bigint NOT NULL DEFAULT gateway_next_entry`,
    ],
  ],
};

/** What is done to a database of PostgreSQL, and what is said of it, with the statement that mends it. */
const harm: [sql: string, said: string][] = [
  ['ALTER TABLE "Webhook" SET UNLOGGED', 'The table Webhook is UNLOGGED, and a crash of PostgreSQL empties it'],
  [
    'ALTER SEQUENCE "gateway_journal_switch" SET UNLOGGED',
    'The sequence gateway_journal_switch is UNLOGGED, and a crash of PostgreSQL empties it',
  ],
  [
    'ALTER TABLE "Quotation" ADD COLUMN "Own one" TEXT NOT NULL',
    'The column Own one of Quotation must be filled, and the gateway does not know it',
  ],
  [
    'CREATE RULE "quiet" AS ON DELETE TO "JobCard" DO INSTEAD NOTHING',
    'The rule quiet of JobCard changes what statements do',
  ],
  [
    'ALTER FUNCTION "gateway_block_move"() SET search_path = pg_catalog',
    'The function gateway_block_move does not look in the schema public (search_path=pg_catalog)',
  ],
  [
    'ALTER TABLE "JobCard" DISABLE TRIGGER "gateway_count_JobCard_insert"',
    'Triggers or foreign keys of JobCard are disabled',
  ],
];

test('what loses records on PostgreSQL or lets none be written is named, and mended by the statement that is told', async () => {
  const url = await freshDatabaseUrl('postgresql');
  await run(url, 'postgresql', harm.map(([sql]) => `${sql};`).join('\n'));
  await expect(openDatabase({ url, migrate: true })).rejects.toThrow(/`records check` names all\.$/);
  const { code, text } = await records(['check'], { DATABASE_URL: url });
  expect(code).toBe(3);
  for (const [, said] of harm) expect(text).toContain(`${said}; run `);
  const told = [...text.matchAll(/; run (.*)/g)].map(([, statement]) => statement);
  expect(told).toHaveLength(harm.length);
  await run(url, 'postgresql', told.map((statement) => `${statement};`).join('\n'));
  expect(await records(['check'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
});

test.each(['DELETE FROM "_prisma_migrations"', 'DROP TABLE "_prisma_migrations"'])(
  'a restore that ended before it knew the migrations is said so: %s',
  async (loss) => {
    const url = await freshDatabaseUrl('postgresql');
    await run(url, 'postgresql', `${loss}; CREATE TABLE "notes" ("id" TEXT PRIMARY KEY); DROP TABLE "Webhook" CASCADE`);
    const said =
      /^The database has tables of the gateway, but no note of its migrations: .* Restore it again, into an empty/;
    for (const migrate of [true, false]) await expect(openDatabase({ url, migrate })).rejects.toThrow(said);
    for (const command of [['check'], ['migrate', 'status'], ['migrate', 'apply']]) {
      const { code, problem } = await records(command, { DATABASE_URL: url });
      expect([code, problem]).toEqual([
        1,
        expect.stringMatching(/^error: The database has tables of the gateway, but/),
      ]);
    }
  },
);

test.each(histories)(
  'a new database of %s that another gateway migrates while this one looks at it is taken',
  async (made) => {
    const url = new URL(await emptyDatabaseUrl(providerOf(made)));
    if (made === 'distributed') url.searchParams.set('profile', made);
    const [own, other] = [await connect(providerOf(made), url.href), await connect(providerOf(made), url.href)];
    let looks = 0;
    const applied = async () => {
      const found = await own.applied();
      if (looks++ === 0) await migrate(other);
      return found;
    };
    expect(await migrateOrRefuse({ ...own, applied }, true, () => undefined)).toEqual({
      isNew: false,
      isUpgraded: false,
    });
  },
);

test('what can be sound on PostgreSQL is a warning of the start and of `check`, and what is sound is left alone', async () => {
  const url = await freshDatabaseUrl('postgresql');
  await run(
    url,
    'postgresql',
    `CREATE DOMAIN "region" AS text DEFAULT 'north'; ALTER TABLE "JobCard" ADD COLUMN "region" "region" NOT NULL;
     ALTER TABLE "Quotation" ADD COLUMN "tenant" TEXT NOT NULL;
     CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."tenant" := 'a'; RETURN NEW; END $$;
     CREATE TRIGGER "fill" BEFORE INSERT ON "Quotation" FOR EACH ROW EXECUTE FUNCTION fill();
     ALTER FUNCTION "gateway_block_move"() SET search_path = pg_catalog, public, pg_temp;
     ALTER FUNCTION "gateway_block_truncate"() SET work_mem = '8MB'`,
  );
  const warnings: string[] = [];
  const database = await openDatabase({ url, migrate: true, warn: (message) => warnings.push(message) });
  await database.close();
  const said =
    'The column tenant of Quotation must be filled, and the gateway does not know it: does a trigger of yours fill it';
  expect(warnings.filter((text) => !text.includes('fsync'))).toEqual([expect.stringContaining(said)]);
  expect(await records(['check'], { DATABASE_URL: url })).toMatchObject({
    code: 0,
    text: expect.stringContaining(`Warning: ${said}`),
  });
});

test('row-level security that hides nothing from the role is left alone, and named where it does', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const role = `secured_${process.pid}`;
  await run(
    url,
    'postgresql',
    `CREATE ROLE "${role}" LOGIN PASSWORD 'reader'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO "${role}";
     ALTER TABLE "JobCard" ENABLE ROW LEVEL SECURITY`,
  );
  onTestFinished(() => run(url, 'postgresql', `DROP OWNED BY "${role}"; DROP ROLE "${role}"`));
  await (await openDatabase({ url, migrate: false })).close();
  const asRole = Object.assign(new URL(url), { username: role, password: 'reader' });
  await expect(openDatabase({ url: asRole.href, migrate: false })).rejects.toThrow(
    `The table JobCard hides rows from the user ${role}; run ALTER TABLE "JobCard" DISABLE ROW LEVEL SECURITY. `,
  );
  // What a policy allows is not known.
  await run(url, 'postgresql', `CREATE POLICY "all" ON "JobCard" USING (true)`);
  const warnings: string[] = [];
  await run(url, 'postgresql', `GRANT SELECT ON "_prisma_migrations" TO "${role}"`);
  const warn = (message: string) => warnings.push(message);
  await (await openDatabase({ url: asRole.href, migrate: false, warn })).close();
  expect(warnings.join()).toContain(`The table JobCard hides rows from the user ${role}, unless a policy lets it read`);
});

describe.each(histories)('a database of %s', (made) => {
  test('that lacks something, or has it otherwise, is refused, and `check` names all', async () => {
    const url = await migratedUrl(made);
    await run(url, providerOf(made), losses[made].map(([sql]) => `${sql};`).join('\n'));
    await expect(openDatabase({ url, migrate: true })).rejects.toThrow(
      /^The database is not what its migrations make: The /,
    );
    for (const command of [['check'], ['migrate', 'status']]) {
      const { code, text } = await records(command, { DATABASE_URL: url });
      expect(code).toBe(3);
      for (const [, said] of losses[made]) expect(text).toContain(said);
    }
  });

  test('that has only lost an index is refused', async () => {
    const url = await migratedUrl(made);
    await run(url, providerOf(made), 'DROP INDEX "gateway_JobCard_serialNo"');
    await expect(openDatabase({ url, migrate: false })).rejects.toThrow(
      'make: The index gateway_JobCard_serialNo of JobCard is missing. `records check` names all.',
    );
  });

  test('may have objects of its operator', async () => {
    const url = await migratedUrl(made);
    await run(
      url,
      providerOf(made),
      `CREATE INDEX "own" ON "JobCard" ("company"); CREATE VIEW "report" AS SELECT "id" FROM "JobCard";
       CREATE TABLE "notes" ("id" TEXT PRIMARY KEY); ALTER TABLE "JobCard" ADD COLUMN "own" TEXT`,
    );
    await (await openDatabase({ url, migrate: false })).close();
    expect(await records(['check'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  });
});

test.each(providers)('on %s a database with a later migration is not compared', async (provider) => {
  const url = await freshDatabaseUrl(provider);
  const connection = await connect(provider, url);
  const known = readMigrations(migrationsFolder(provider)).map(({ name }) => name);
  const later = { '29990101000000_expand_later': 'DROP INDEX "gateway_JobCard_serialNo"' };
  await migrate(connection, history(provider, known, later));
  expect((await compareSchema(connection, migrationsFolder(provider))).differing).toBe(undefined);
});

test('on PostgreSQL a role without rights on the tables, and one that uses another schema, see the same', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const role = `reader_of_objects_${process.pid}`;
  const administrator = new pg.Client(url);
  await administrator.connect();
  onTestFinished(async () => {
    await administrator.query(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`);
    await administrator.end();
  });
  await administrator.query(`CREATE ROLE "${role}" LOGIN PASSWORD 'reader'; ALTER SCHEMA public RENAME TO "Other one";
    GRANT USAGE ON SCHEMA "Other one" TO "${role}"; GRANT SELECT ON "Other one"."_prisma_migrations" TO "${role}"`);
  const asRole = new URL(url);
  Object.assign(asRole, { username: role, password: 'reader' });
  asRole.searchParams.set('schema', 'Other one');
  // A + would be one.
  const connection = await connect('postgresql', asRole.href.replace('Other+one', 'Other%20one'));
  expect((await compareSchema(connection, migrationsFolder('postgresql'))).differing).toEqual([]);
});
