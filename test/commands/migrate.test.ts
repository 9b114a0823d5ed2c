/** `records migrate` on both databases. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { emptyDatabaseUrl, providers } from '../support/database.js';
import { startRecords } from '../support/process.js';
import { records } from './records.js';

const migrate = (url: string, ...words: string[]) => records(['migrate', ...words], { DATABASE_URL: url });

describe.each(providers)('on %s', (provider) => {
  test('migrating says what it did and makes a database that is taken without migrating', async () => {
    const url = await emptyDatabaseUrl(provider);
    const first = startRecords({ DATABASE_URL: url }, ['migrate', 'apply']);
    expect(await first.ended, first.log()).toBe(0);
    expect(first.output()).toMatch(/^Applied the migration \d{14}_records\n(.*\n)*The database is up to date\.\n$/);
    expect(await migrate(url, 'apply')).toMatchObject({ code: 0, text: 'The database is up to date.\n' });
    const database = await openDatabase({ url, migrate: false });
    await database.close();
  });

  test('the status names what is missing, by its exit code too, and migrates nothing', async () => {
    const url = await emptyDatabaseUrl(provider);
    // There is no SQLite database yet: this is reported, and none is created.
    const none = await migrate(url, 'status', '--json');
    if (provider === 'sqlite') {
      expect(none).toMatchObject({ code: 1, text: '' });
      expect(JSON.parse(none.problem)).toEqual({ exitCode: 1, problems: [expect.stringMatching(/^There is no data/)] });
      expect(existsSync(url.slice('file:'.length))).toBe(false);
    } else {
      expect(none.code).toBe(3);
      expect(JSON.parse(none.text)).toMatchObject({
        applied: [],
        missing: expect.arrayContaining([expect.stringMatching(/_records$/)]),
      });
    }
    await migrate(url, 'apply');
    expect(await migrate(url, 'status')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^The database is up to date: it has all \d+ migrations\.\n$/),
    });
    const database = await openDatabase({ url, migrate: false });
    await database.client.$executeRawUnsafe(
      'DELETE FROM "_prisma_migrations" WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")',
    );
    await database.close();
    expect(await migrate(url, 'status')).toMatchObject({
      code: 3,
      text: expect.stringMatching(/^Lacks the migration \d{14}_\w+\n$/),
    });
  });
});

test('a database that cannot be used is reported without its password', async () => {
  const { code, problem } = await migrate('postgresql://u:secret@127.0.0.1:1/records', 'apply');
  expect(problem).toContain('PostgreSQL at 127.0.0.1:1 cannot be reached');
  expect(problem).not.toContain('secret');
  expect(code).toBe(1);
});

test('with --help or unknown arguments it migrates nothing', async () => {
  const url = await emptyDatabaseUrl('sqlite');
  expect(await migrate(url, 'apply', '--help')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/records migrate apply[\s\S]*DATABASE_URL/),
  });
  for (const words of [['now'], ['apply', 'now'], ['apply', '--now'], []]) {
    expect(await migrate(url, ...words)).toMatchObject({ code: 2, text: '' });
  }
  expect(existsSync(url.slice('file:'.length))).toBe(false);
});
