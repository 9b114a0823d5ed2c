/** Migrations on PostgreSQL beside transactions that lock their tables, and beside versions that do not know them. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseStartError } from '../../src/database/database-problem.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import { migrationsFolder, readMigrations } from '../../src/database/migrations/migration-history.js';
import { openPostgresqlMigration } from '../../src/database/migrations/postgresql-migration.js';
import { openDatabase } from '../../src/database/open-database.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { connect, history, olderDatabaseUrl, run } from './older-database.js';

const names = (provider: 'sqlite' | 'postgresql') => readMigrations(migrationsFolder(provider)).map(({ name }) => name);

describe('on PostgreSQL a migration', () => {
  test('lets requests through while it waits for a transaction, and is applied after it', async () => {
    const url = await olderDatabaseUrl('postgresql', 'counts_by_statement');
    const [holder, reader] = [await client(url), await client(url)];
    await holder.query('BEGIN; LOCK TABLE "Quotation" IN ROW EXCLUSIVE MODE');
    const opening = openDatabase({ url, migrate: true });
    for (let seen = 0; seen < 3; seen++) {
      await isWaitedFor(reader, 'Quotation');
      // It has locked this table before, and unlocks it: no request waits longer than the migration.
      await reader.query('SELECT count(*) FROM "SigningDocument"');
      await reader.query('INSERT INTO "ApiKey" ("id", "name", "hash", "createdAt") VALUES ($1, $1, $1, now())', [seen]);
    }
    await holder.query('COMMIT');
    const database = await opening;
    onTestFinished(() => database.close());
    expect(await database.client.apiKey.count()).toBe(3);
  });

  test('that is held up for too long changes nothing, and says what to do', async () => {
    const url = await olderDatabaseUrl('postgresql', 'counts_by_statement');
    const holder = await client(url);
    await holder.query('BEGIN; LOCK TABLE "Quotation" IN ROW EXCLUSIVE MODE');
    const connection = await openPostgresqlMigration(url, 500);
    onTestFinished(() => connection.close());
    const before = await connection.applied();
    const error = await migrate(connection).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseStartError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /_counts_by_statement cannot be applied: .*lock timeout.* as it was before\. Other transactions have held .*pg_stat_activity/,
      ),
    });
    expect(await connection.applied()).toEqual(before);
  });

  test('waits for another process for a limited time', async () => {
    const url = await olderDatabaseUrl('postgresql', 'api_use');
    const holder = await client(url);
    await holder.query('SELECT pg_advisory_lock(72707369)');
    const connection = await openPostgresqlMigration(url, 500);
    onTestFinished(() => connection.close());
    await expect(migrate(connection)).rejects.toThrow(/Another process has been migrating this database for too long/);
  });

  test('builds an index beside writers, also after it was interrupted', async () => {
    const url = await freshDatabaseUrl('postgresql');
    const folder = history('postgresql', names('postgresql'), {
      '29990101000000_expand_index': `-- Beside writers
        DROP INDEX CONCURRENTLY IF EXISTS "gateway_by_name"; CREATE INDEX CONCURRENTLY "gateway_by_name" ON "ApiKey"("name");`,
      '29990101000001_expand_later': 'CREATE TABLE "Later" ("id" TEXT PRIMARY KEY);',
    });
    const holder = await client(url);
    const insert = `INSERT INTO "ApiKey" ("id", "name", "hash", "createdAt") VALUES ($1, $1, $1, now())`;
    await holder.query('BEGIN');
    await holder.query(insert, ['held']);
    const connection = await openPostgresqlMigration(url);
    const migrating = migrate(connection, folder).catch((reason: unknown) => reason);
    const writer = await client(url);
    const building = `SELECT 1 FROM pg_stat_activity WHERE query ~ '^ *CREATE INDEX' AND datname = current_database()`;
    await expect.poll(async () => (await writer.query(building)).rows.length).toBe(1);
    await writer.query(insert, ['beside']);
    // The process ends meanwhile: an invalid index and an unfinished migration are left.
    await writer.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ~ '^ *CREATE INDEX' AND datname = current_database()`,
    );
    expect(await migrating).toBeInstanceOf(Error);
    await connection.close().catch(() => undefined);
    await holder.query('COMMIT');
    expect((await writer.query(isValid)).rows).toEqual([{ indisvalid: false }]);

    const again = await connect('postgresql', url);
    expect(await migrate(again, folder)).toEqual(['29990101000000_expand_index', '29990101000001_expand_later']);
    expect((await writer.query(isValid)).rows).toEqual([{ indisvalid: true }]);
    expect(await migrate(again, folder)).toEqual([]);
  });

  test('that fails behind an index that was built beside writers says what is kept', async () => {
    const url = await freshDatabaseUrl('postgresql');
    const index = '29990101000000_expand_index';
    const folder = history('postgresql', names('postgresql'), {
      [index]: `DROP INDEX CONCURRENTLY IF EXISTS "gateway_by_name"; CREATE INDEX CONCURRENTLY "gateway_by_name" ON "ApiKey"("name");`,
      '29990101000001_expand_wrong': 'CREATE TABLE "ApiKey" ("id" TEXT PRIMARY KEY);',
    });
    const connection = await connect('postgresql', url);
    await expect(migrate(connection, folder)).rejects.toThrow(
      /expand_wrong cannot be applied: .* up to 29990101000000_expand_index, .* is not undone/,
    );
    expect((await connection.applied()).map(({ name }) => name)).toContain(index);
  });
});

describe.each(providers)('on %s a version', (provider) => {
  test('starts on a database that a later one has expanded, and not where what it uses was taken away', async () => {
    const known = names(provider);
    const added = { '29990101000000_expand_later': 'CREATE TABLE "Later" ("id" TEXT PRIMARY KEY);' };
    const url = await freshDatabaseUrl(provider);
    await migrate(await connect(provider, url), history(provider, known, added));
    for (const isMigrating of [true, false]) await (await openDatabase({ url, migrate: isMigrating })).close();

    const taken = { ...added, '29990201000000_contract_29990101000000_later': 'DROP TABLE "RateWindow";' };
    const later = history(provider, known, taken);
    await migrate(await connect(provider, url), later);
    const refused = openDatabase({ url, migrate: true });
    await expect(refused).rejects.toThrow(/newer version .* migration 29990201000000_contract_29990101000000_later is/);
    // The version in between, which knows the expansion, continues.
    expect(await migrate(await connect(provider, url), history(provider, known, added))).toEqual([]);
  });

  test('refuses a database with a migration that does not say what it does', async () => {
    const url = await freshDatabaseUrl(provider);
    await run(
      url,
      provider,
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('a', 'b', '29990101000000_later', CURRENT_TIMESTAMP)`,
    );
    await expect(openDatabase({ url, migrate: true })).rejects.toThrow(
      /newer version .* migration 29990101000000_later/,
    );
  });
});

const isValid = `SELECT indisvalid FROM pg_index WHERE indexrelid = '"gateway_by_name"'::regclass`;

async function client(url: string): Promise<pg.Client> {
  const made = new pg.Client(url);
  await made.connect();
  onTestFinished(() => made.end());
  return made;
}

/** Resolves when a session waits for the table. */
async function isWaitedFor(asking: pg.Client, table: string): Promise<void> {
  const waiting = `SELECT 1 FROM pg_locks WHERE NOT "granted" AND "relation" = '"${table}"'::regclass`;
  while ((await asking.query(waiting)).rows.length === 0) await sleep(5);
}
