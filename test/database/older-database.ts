/** Databases of earlier versions of the gateway. */
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type MigrationConnection, migrate } from '../../src/database/migrations/migrate.js';
import { migrationsFolder, type Provider, readMigrations } from '../../src/database/migrations/migration-history.js';
import { openPostgresqlMigration } from '../../src/database/migrations/postgresql-migration.js';
import { openSqliteMigration } from '../../src/database/migrations/sqlite-migration.js';
import { emptyDatabaseUrl, freshFolder } from '../support/database.js';

/** The URL of a new database with the migrations before the one with this name (without its timestamp). */
export async function olderDatabaseUrl(provider: Provider, name: string): Promise<string> {
  const names = readMigrations(migrationsFolder(provider)).map((migration) => migration.name);
  const place = names.findIndex((each) => each.endsWith(`_${name}`));
  if (place < 0) throw new Error(`${provider} has no migration ${name}`);
  const url = await emptyDatabaseUrl(provider);
  await migrate(await connect(provider, url), history(provider, names.slice(0, place)));
  return url;
}

export async function connect(provider: Provider, url: string): Promise<MigrationConnection> {
  const connection =
    provider === 'sqlite' ? openSqliteMigration(url.slice('file:'.length)) : await openPostgresqlMigration(url);
  onTestFinished(() => connection.close());
  return connection;
}

/** A folder with some of the existing migrations and additional ones. */
export function history(provider: Provider, names: string[], others: Record<string, string> = {}): string {
  const folder = freshFolder();
  for (const name of names) cpSync(join(migrationsFolder(provider), name), join(folder, name), { recursive: true });
  for (const [name, sql] of Object.entries(others)) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'migration.sql'), sql);
  }
  expect(readdirSync(folder)).toHaveLength(names.length + Object.keys(others).length);
  return folder;
}

export async function run(url: string, provider: Provider, sql: string): Promise<void> {
  const connection = await connect(provider, url);
  await connection.run(sql);
}
