/** A new migration can be applied while gateways of the previous version are serving. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { stepProblems } from '../../prisma/step-problems.js';
import { projectFolder } from '../../src/common/project.js';
import { migrationsFolder, type Provider, readMigrations } from '../../src/database/migrations/migration-history.js';

/** The last migration that was made before names said what a migration does. */
const lastUnnamed = '20261123071800_import_progress';

test.each<Provider>(['sqlite', 'postgresql'])('every migration of %s lets the version before go on', (provider) => {
  const migrations = readMigrations(migrationsFolder(provider));
  const names = migrations.map(({ name }) => name);
  expect(names).toContain(lastUnnamed);
  const problems = migrations
    .filter(({ name }) => name > lastUnnamed)
    .flatMap(({ name, sql }) => stepProblems(provider, name, sql, names.slice(0, names.indexOf(name))));
  expect(problems).toEqual([]);
});

/** A database that was made with a commit in between does not start with a migration that was edited afterwards. */
test.each<Provider>(['sqlite', 'postgresql'])(
  'every migration of %s is as it was when it was committed',
  (provider) => {
    const folder = `prisma/${provider}/migrations`;
    const edited = readMigrations(migrationsFolder(provider)).filter(({ name, sql }) => {
      const path = `${folder}/${name}/migration.sql`;
      const added =
        name > lastUnnamed && git('log', '-1', '--diff-filter=A', '--no-renames', '--format=%H', '--', path);
      return added && git('show', `${added.trim()}:${path}`) !== sql;
    });
    expect(
      edited.map(({ name }) => `${folder}/${name}: bring it back, and put the change into a migration of its own`),
    ).toEqual([]);
  },
);

/** The output of git; '' outside of a repository. */
function git(...words: string[]): string {
  try {
    return execFileSync('git', words, { cwd: projectFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

const expansion = '20270101000000_expand_colour';
const contraction = '20270201000000_contract_20270101000000_color';

const good: [string, string][] = [
  [expansion, '-- DROP TABLE "A"\nALTER TABLE "UOMCategory" ADD COLUMN     "colour" TEXT COLLATE "C";'],
  [expansion, 'ALTER TABLE "A" ADD COLUMN "b" INTEGER NOT NULL DEFAULT 0,\nADD COLUMN "c" TEXT;'],
  [expansion, `INSERT INTO "A" ("b") VALUES ('; DROP TABLE "A"; it''s');`],
  [
    expansion,
    'CREATE TABLE "New" ("a" TEXT NOT NULL);\nCREATE UNIQUE INDEX "i" ON "New"("a");\nINSERT INTO "New" SELECT "a" FROM "A";',
  ],
  [expansion, 'CREATE OR REPLACE FUNCTION "f"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM "A"; END $$;'],
  [expansion, 'DROP INDEX CONCURRENTLY IF EXISTS "i";\nCREATE INDEX CONCURRENTLY "i" ON "A"("b");'],
  [expansion, 'ALTER TABLE "A" ADD CONSTRAINT "c" CHECK ("b" > 0) NOT VALID;'],
  [expansion, 'CREATE SEQUENCE "s" MINVALUE 0;'],
  [contraction, 'ALTER TABLE "A" DROP COLUMN "color";\nDROP TABLE "Old";'],
];

test.each(good)('%s may hold %s', (name, sql) => {
  expect(stepProblems('postgresql', name, sql, [expansion])).toEqual([]);
});

const bad: [string, string, RegExp][] = [
  ['20270101000000_colour', 'CREATE TABLE "New" ("a" TEXT)', /Name it <time>_expand_<name>/],
  ['20270101000000_contract_20260101000000_color', 'DROP TABLE "A"', /no expansion of the time 20260101000000/],
  [expansion, 'ALTER TABLE "A" DROP COLUMN "b";', /drop it in a contraction/],
  [expansion, 'DROP TABLE "A";', /drop it in a contraction/],
  [expansion, 'ALTER TABLE "A" RENAME COLUMN "b" TO "c";', /changes what the version before uses/],
  [contraction, 'ALTER TABLE "A" RENAME TO "B";', /changes what the version before uses/],
  [expansion, 'ALTER TABLE "A" ALTER COLUMN "b" TYPE BIGINT;', /changes what the version before uses/],
  [expansion, 'ALTER TABLE "A" ALTER COLUMN "b" SET DATA TYPE BIGINT;', /changes what the version before uses/],
  [contraction, 'ALTER TABLE "A" ALTER COLUMN "b" SET NOT NULL;', /reads the whole table/],
  [expansion, 'ALTER TABLE "A" ADD COLUMN "b" TEXT NOT NULL;', /leave out NOT NULL or give it a DEFAULT/],
  [expansion, 'ALTER TABLE "A" ADD COLUMN "b" TEXT, ADD COLUMN "c" TEXT NOT NULL;', /leave out NOT NULL/],
  [expansion, 'ALTER TABLE "A" ADD COLUMN "b" UUID DEFAULT gen_random_uuid();', /whole table while it is locked/],
  [
    expansion,
    'ALTER TABLE "A" ADD COLUMN "b" tsvector GENERATED ALWAYS AS (f("c")) STORED;',
    /whole table while it is locked/,
  ],
  [expansion, 'ALTER TABLE "A" ADD CONSTRAINT "c" CHECK ("b" > 0);', /reads the whole table/],
  [expansion, 'CREATE INDEX "i" ON "A"("b");', /CREATE INDEX CONCURRENTLY, in a migration of its own/],
  [expansion, 'CREATE UNIQUE INDEX "i" ON "A"("b");', /may write what it refuses/],
  [expansion, 'CREATE INDEX CONCURRENTLY "i" ON "A"("b");', /nothing but pairs/],
  [expansion, 'DROP INDEX CONCURRENTLY IF EXISTS "i";CREATE INDEX CONCURRENTLY "j" ON "A"("b");', /nothing but pairs/],
  [expansion, 'UPDATE "A" SET "b" = 1;', /let the gateway fill what is new/],
  [expansion, 'DELETE FROM "A";', /let the gateway fill what is new/],
  [expansion, 'INSERT INTO "A" SELECT * FROM "B";', /let the gateway fill what is new/],
  [expansion, 'LOCK TABLE "A";', /not known to be harmless/],
  [expansion, 'DO $$ BEGIN DELETE FROM "A"; END $$;', /not known to be harmless/],
];

test.each(bad)('%s may not hold %s', (name, sql, problem) => {
  expect(stepProblems('postgresql', name, sql, [expansion])).toEqual([expect.stringMatching(problem)]);
});

test('SQLite builds an index in a migration, and rebuilds no table', () => {
  const trigger = 'CREATE TRIGGER "t" AFTER INSERT ON "A" BEGIN\n UPDATE "A" SET "b" = 1;\n DELETE FROM "B";\nEND;';
  expect(stepProblems('sqlite', expansion, `CREATE INDEX "i" ON "A"("b");\n${trigger}`, [])).toEqual([]);
  const rebuild = 'CREATE TABLE "new_A" ("b" TEXT);\nDROP TABLE "A";\nALTER TABLE "new_A" RENAME TO "A";';
  expect(stepProblems('sqlite', expansion, rebuild, [])).toEqual([expect.stringMatching(/drop it in a contraction/)]);
});
