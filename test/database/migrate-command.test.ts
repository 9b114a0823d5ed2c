import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { emptyDatabaseUrl } from '../support/database.js';

function migrateCommand(url: string, ...parameters: string[]) {
  const file = join(inject('testRun').built, 'src/migrate.js');
  const env = { ...process.env, DATABASE_URL: url };
  return spawnSync(process.execPath, [file, ...parameters], { env, encoding: 'utf8' });
}

test('migrating apart says what it did and makes a database that is taken without migrating', async () => {
  const url = await emptyDatabaseUrl('sqlite');
  const first = migrateCommand(url);
  expect(first.stdout).toMatch(/^Applied the migration \d{14}_records\n(.*\n)*The database is up to date\.\n$/);
  expect(first.status).toBe(0);
  expect(migrateCommand(url).stdout).toBe('The database is up to date.\n');
  const database = await openDatabase({ url, migrate: false });
  await database.close();
});

test('migrating a database that cannot be used says why and fails', () => {
  const { status, stderr } = migrateCommand('postgresql://u:secret@127.0.0.1:1/records');
  expect(stderr).toContain('PostgreSQL at 127.0.0.1:1 cannot be reached');
  expect(stderr).not.toContain('secret');
  expect(status).toBe(1);
});

test('asked for help, or with what it does not know, it migrates nothing', async () => {
  const url = await emptyDatabaseUrl('sqlite');
  const asked = migrateCommand(url, '--help');
  expect(asked.stdout).toMatch(/npm run migrate[\s\S]*DATABASE_URL/);
  expect(asked.status).toBe(0);
  const wrong = migrateCommand(url, 'now');
  expect(wrong.stderr).toMatch(/'now'[\s\S]*`npm run migrate -- --help` lists the options/);
  expect(wrong.status).toBe(1);
  expect(existsSync(url.slice('file:'.length))).toBe(false);
});
