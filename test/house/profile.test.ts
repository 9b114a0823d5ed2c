/** The profile `distributed` uses nothing that engines on many machines lack. */
import { expect, test } from 'vitest';
import { migrationsFolder, readMigrations } from '../../src/database/migrations/migration-history.js';
import { typescriptIn } from './files.js';

/**
 * Triggers except those of rows, sequences, locks except those of rows, signals, and PostgreSQL's own system functions.
 */
const lacking =
  /\bCONSTRAINT TRIGGER\b|FOR EACH STATEMENT|REFERENCING (NEW|OLD)|SERIAL\b|\bSEQUENCE\b|\bnextval\b|IDENTITY|advisory|LOCK TABLE|\bLISTEN\b|\bNOTIFY\b|pg_locks|pg_current_xact_id/i;

const withoutComments = (text: string) => text.replace(/^\s*(--|\/\/|\/?\*).*$/gm, '');

test('its migrations make nothing that such an engine lacks', () => {
  const migrations = readMigrations(migrationsFolder('distributed'));
  expect(migrations.length).toBeGreaterThan(0);
  for (const { name, sql } of migrations) {
    const found = withoutComments(sql)
      .split('\n')
      .filter((line) => lacking.test(line));
    // Columns with these names are fields of the REST document.
    expect([name, found.filter((line) => !/^ *"\w+" (TEXT|INTEGER)/.test(line))]).toEqual([name, []]);
  }
});

test('the statements of the gateway name nothing of it, but where the profile is asked', () => {
  const users = typescriptIn('src', 'rest').filter(({ path, text }) => {
    const texts = withoutComments(text).match(/'[^'\n]*'|`[^`]*`/g) ?? [];
    return !path.startsWith('src/generated/') && texts.some((each) => sqlWith.test(each));
  });
  expect(users.map(({ path }) => path).sort()).toEqual([
    // The profile has no sequences that could be behind.
    'src/change/journal/open-journal.ts',
    'src/database/migrations/postgresql-migration.ts',
    'src/database/postgresql/notifications.ts',
    // The counts of the profile are a view, which `records check --fix` does not change.
    'src/features/check/counts.ts',
  ]);
});

const sqlWith = /advisory|LOCK TABLE|^[`']LISTEN |^[`']NOTIFY |pg_locks|nextval/;

test('each further migration of PostgreSQL has one of the same name for the profile', () => {
  const firstOfProfile = readMigrations(migrationsFolder('distributed'))[0]?.name ?? '';
  const names = new Set(readMigrations(migrationsFolder('distributed')).map(({ name }) => name));
  const alone = readMigrations(migrationsFolder('postgresql')).filter(
    ({ name }) => name > firstOfProfile && !names.has(name),
  );
  expect(
    alone.map(({ name }) => `prisma/distributed/migrations/${name} is missing: npm run migration writes it`),
  ).toEqual([]);
});
