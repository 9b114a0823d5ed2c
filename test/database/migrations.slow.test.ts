import { describe, expect, onTestFinished, test } from 'vitest';
import { pendingChanges } from '../../prisma/pending-changes.js';
import { blockSize } from '../../prisma/record-blocks/blocks.js';
import { migrationList, noFilters, startSchemaEngine } from '../../prisma/schema-engine.js';
import { DatabaseStartError } from '../../src/database/database-problem.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import {
  isConcurrent,
  migrationsFolder,
  type Provider,
  readMigrations,
} from '../../src/database/migrations/migration-history.js';
import { openDatabase } from '../../src/database/open-database.js';
import { reckonedBlocks } from '../support/blocks.js';
import { startChild } from '../support/child-process.js';
import { emptyDatabaseUrl, freshDatabaseUrl, providers } from '../support/database.js';
import { fillStatement } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';
import { connect, history, olderDatabaseUrl, run } from './older-database.js';

describe.each(providers)('the migrations of %s', (provider) => {
  const names = readMigrations(migrationsFolder(provider)).map(({ name }) => name);

  test('make a database that agrees with the models', async () => {
    const connection = await connect(provider, await freshDatabaseUrl(provider));
    expect(await pendingChanges(connection)).toBe('');
  });

  test('are all applied to a new database, and none again', async () => {
    const connection = await connect(provider, await emptyDatabaseUrl(provider));
    expect(await migrate(connection)).toEqual(names);
    expect(await migrate(connection)).toEqual([]);
  });

  test("are written down as Prisma's own tools do", async () => {
    const connection = await connect(provider, await freshDatabaseUrl(provider));
    const engine = await startSchemaEngine(connection);
    const input = { migrationsList: migrationList(connection), optInToShadowDatabase: false, filters: noFilters };
    expect(await engine.diagnoseMigrationHistory(input)).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
    engine.free();
  });

  test('bring an older database up to date and leave its records alone', async () => {
    const url = await emptyDatabaseUrl(provider);
    const older = history(provider, names.slice(0, 2));
    await migrate(await connect(provider, url), older);
    await run(url, provider, `UPDATE "SubscriptionSettings" SET "gracePeriod" = 9`);
    const database = await openDatabase({ url, migrate: true });
    onTestFinished(() => database.close());
    expect(await database.client.subscriptionSettings.findFirst()).toMatchObject({ gracePeriod: 9 });
    expect(await migrate(await connect(provider, url))).toEqual([]);
  });

  test('cut the records that are there into blocks', async () => {
    const url = await olderDatabaseUrl(provider, 'record_blocks');
    const repair = resourceOf('AssetRepair');
    await run(url, provider, fillStatement(provider, repair, 2 * blockSize + 1));
    const database = await openDatabase({ url, migrate: true });
    onTestFinished(() => database.close());
    expect((await reckonedBlocks(database, repair)).map(({ reckoned, there }) => [reckoned, there])).toEqual(
      [0, 1, 2].map((block) => [block * blockSize, block * blockSize]),
    );
  });

  test('are refused on a database of a newer version', async () => {
    const url = await emptyDatabaseUrl(provider);
    const newer = history(provider, names, { '29990101000000_later': 'CREATE TABLE "Later" ("id" TEXT PRIMARY KEY)' });
    await migrate(await connect(provider, url), newer);
    await expectRefusal(url, /newer version of the gateway: its migration 29990101000000_later is unknown here/);
  });

  test('are refused on a database where one was changed afterwards', async () => {
    const url = await emptyDatabaseUrl(provider);
    const [first = ''] = names;
    await migrate(await connect(provider, url), history(provider, [], { [first]: 'CREATE TABLE "Other" ("id" TEXT)' }));
    await expectRefusal(url, /is not the one this database was made with/);
  });

  test('are refused on a database where another tool left one unfinished', async () => {
    const url = await freshDatabaseUrl(provider);
    // A migration that builds indexes beside writers is started again.
    const last = readMigrations(migrationsFolder(provider)).findLast(({ sql }) => !isConcurrent(sql))?.name;
    await run(url, provider, `UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '${last}'`);
    await expectRefusal(url, new RegExp(`The migration ${last} was begun on this database by another tool`));
  });

  test('are applied where an operator has settled a failure of one, which stays written down', async () => {
    const url = await emptyDatabaseUrl(provider);
    await migrate(await connect(provider, url), history(provider, names.slice(0, 1)));
    const columns = '(id, checksum, migration_name, rolled_back_at)';
    await run(
      url,
      provider,
      `INSERT INTO _prisma_migrations ${columns} VALUES ('settled', 'x', '${names[1]}', CURRENT_TIMESTAMP)`,
    );
    const connection = await connect(provider, url);
    expect(await migrate(connection)).toEqual(names.slice(1));
    const { rows } = await connection.query(
      `SELECT id = 'settled', finished_at IS NULL FROM _prisma_migrations WHERE migration_name = '${names[1]}'`,
    );
    expect(rows.map((row) => row.map(Boolean)).sort()).toEqual([
      [false, false],
      [true, true],
    ]);
  });

  test('are requested, if migrating on start is switched off', async () => {
    const url = await emptyDatabaseUrl(provider);
    await migrate(await connect(provider, url), history(provider, names.slice(0, 1)));
    await expectRefusal(url, /lacks the migrations? .*records migrate apply/, false);
    await migrate(await connect(provider, url));
    const database = await openDatabase({ url, migrate: false });
    await database.close();
  });

  test('one that fails changes nothing and names itself, and the next start succeeds', async () => {
    const url = await freshDatabaseUrl(provider);
    const connection = await connect(provider, url);
    const broken = history(provider, names, {
      '29990101000000_good': 'CREATE TABLE "Good" ("id" TEXT PRIMARY KEY)',
      '29990101000001_bad': 'CREATE TABLE "Half" ("id" TEXT PRIMARY KEY);\nINSERT INTO "Nowhere" VALUES (1);',
    });
    const error = await migrate(connection, broken).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseStartError);
    expect(error).toMatchObject({ message: expect.stringMatching(/29990101000001_bad cannot be applied: .*Nowhere/) });
    await expect(run(url, provider, 'SELECT * FROM "Good"')).rejects.toThrow();
    await expect(run(url, provider, 'SELECT * FROM "Half"')).rejects.toThrow();
    expect(await migrate(connection)).toEqual([]);
  });

  test('are applied once when ten gateways start together', async () => {
    const url = await emptyDatabaseUrl(provider);
    const connections = await Promise.all(Array.from({ length: 10 }, () => connect(provider, url)));
    const applied = await Promise.all(connections.map((connection) => migrate(connection)));
    expect(applied.filter((list) => list.length > 0)).toEqual([names]);
  });

  test('are applied once when two processes start together', async () => {
    const url = await emptyDatabaseUrl(provider);
    const children = [startChild('counting', url, '0'), startChild('counting', url, '0')];
    expect(await Promise.all(children.map((child) => child.ends()))).toEqual(['open\ndone\n', 'open\ndone\n']);
  });

  test('triggers and other objects that only SQL can express survive a change of the models', async () => {
    const url = await freshDatabaseUrl(provider);
    const connection = await connect(provider, url);
    await connection.run(handwritten[provider]);
    expect(await pendingChanges(connection)).toBe('');
    await connection.run(unlikeTheModels[provider]);
    const sql = await pendingChanges(connection);
    expect(sql).toContain('"ApiKey"');
    await connection.exclusively(() => connection.run(sql));
    expect(await pendingChanges(connection)).toBe('');
    const insert = `INSERT INTO "ApiKey" ("id", "name", "hash", "createdAt") VALUES ('i', 'from a trigger', 'h', CURRENT_TIMESTAMP)`;
    await connection.run(insert);
    expect((await connection.query('SELECT "name" FROM "ApiKey"')).rows).toEqual([['FROM A TRIGGER']]);
    await expect(connection.run(insert.replace("'i'", "'j'").replace("'h'", "'H'"))).rejects.toThrow();
  });
});

/** A trigger that writes names in capitals, and a unique index on an expression. */
const handwritten: Record<Provider, string> = {
  sqlite: `CREATE TRIGGER "gateway_test" AFTER INSERT ON "ApiKey" BEGIN
      UPDATE "ApiKey" SET "name" = upper("name") WHERE "id" = NEW."id";
    END;
    CREATE UNIQUE INDEX "gateway_test_index" ON "ApiKey" (lower("hash"));`,
  postgresql: `CREATE FUNCTION "gateway_test"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW."name" = upper(NEW."name"); RETURN NEW; END $$;
    CREATE TRIGGER "gateway_test" BEFORE INSERT ON "ApiKey" FOR EACH ROW EXECUTE FUNCTION "gateway_test"();
    CREATE UNIQUE INDEX "gateway_test_index" ON "ApiKey" (lower("hash"));`,
};

/** A difference between database and models that SQLite mends by building the table anew. */
const unlikeTheModels: Record<Provider, string> = {
  sqlite: `ALTER TABLE "ApiKey" DROP COLUMN "scopes"; ALTER TABLE "ApiKey" ADD COLUMN "scopes" INTEGER`,
  postgresql: 'ALTER TABLE "ApiKey" ALTER COLUMN "scopes" DROP NOT NULL',
};

async function expectRefusal(url: string, message: RegExp, migrating = true): Promise<void> {
  const error = await openDatabase({ url, migrate: migrating }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DatabaseStartError);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
}
