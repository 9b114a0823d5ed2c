import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { ConfigError } from '../../src/common/config-error.js';
import { DatabaseStartError } from '../../src/database/database-problem.js';
import { openDatabase } from '../../src/database/open-database.js';
import { records } from '../commands/records.js';
import { emptyDatabaseUrl, freshDatabaseUrl, freshFolder } from '../support/database.js';
import { freePort } from '../support/postgresql.js';
import { Sqlite } from '../support/sqlite-library.js';

async function expectRefusal(url: string, message: RegExp): Promise<void> {
  const error = await openDatabase({ url, migrate: true }).catch((reason: unknown) => reason);
  expect(error instanceof DatabaseStartError || error instanceof ConfigError).toBe(true);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
  expect(String(error)).not.toContain('secret');
}

test('another kind of database is refused', async () => {
  await expectRefusal('mysql://localhost/records', /DATABASE_URL must begin with file: \(SQLite\) or postgresql:/);
});

test('an SQLite file is made together with its folder', async () => {
  const database = await openDatabase({ url: `file:${freshFolder()}/a/b/records.db`, migrate: true });
  await database.ping();
  await database.close();
});

test('a folder that cannot be made is named', async () => {
  const file = join(freshFolder(), 'file');
  writeFileSync(file, '');
  await expectRefusal(`file:${file}/records.db`, /folder of the database file .*file\/records.db cannot be made/);
});

test('a file that is no database is left alone', async () => {
  const file = join(freshFolder(), 'letter.txt');
  const text = 'Dear customer, this is a letter and not a database. '.repeat(100);
  writeFileSync(file, text);
  await expectRefusal(`file:${file}`, /letter.txt is not an SQLite database. Set DATABASE_URL to another file/);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a read-only file is refused', async () => {
  const path = (await freshDatabaseUrl('sqlite')).slice('file:'.length);
  onTestFinished(() => chmodSync(dirname(path), 0o755));
  await asOrdinaryUser(() => {
    chmodSync(path, 0o444);
    chmodSync(dirname(path), 0o555);
    for (let folder = dirname(dirname(path)); folder.startsWith(inject('testRun').folder); folder = dirname(folder)) {
      chmodSync(folder, 0o755);
    }
  });
  await expectRefusal(`file:${path}`, /(is read-only|cannot be opened). Let this user .*write the file and its folder/);
});

test('a full disk is named, and not taken for a network file system', async ({ skip }) => {
  const folder = freshFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
  if (mounted.status !== 0) return skip('This user may not mount a file system here');
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  const url = `file:${folder}/records.db`;
  // With no room at all, SQLite speaks of an error of input and output.
  for (const left of [0, 8 * 1024, 128 * 1024]) {
    writeFileSync(join(folder, 'filler'), Buffer.alloc(256 * 1024 - left - 4096));
    await expectRefusal(url, /records\.db cannot be written: the disk is full\. Make room and start again\.$/);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  }
});

test('a PostgreSQL server that is not there is refused within seconds', async () => {
  const port = await freePort();
  await expectRefusal(
    `postgresql://u:secret@127.0.0.1:${port}/records`,
    new RegExp(`PostgreSQL at 127.0.0.1:${port} cannot be reached \\(ECONNREFUSED\\). Start it, or set DATABASE_URL`),
  );
});

test('a PostgreSQL host that does not exist is refused', async () => {
  await expectRefusal('postgresql://u:secret@no-such-host.invalid/records', /no-such-host.invalid cannot be reached/);
});

test('a wrong password is refused without being shown', async () => {
  const url = new URL(await emptyDatabaseUrl('postgresql'));
  url.password = 'secret';
  await expectRefusal(
    url.href,
    /does not let the user postgres in: password authentication failed .* Check the user and the password in DATABASE_URL/,
  );
});

test('a PostgreSQL database that does not exist is refused', async () => {
  const url = new URL(await emptyDatabaseUrl('postgresql'));
  url.pathname = '/no_such_database';
  await expectRefusal(
    url.href,
    /has no database no_such_database. Make it \(as an administrator: CREATE DATABASE no_such_database OWNER/,
  );
});

test.each(['LATIN1', 'SQL_ASCII'])('a PostgreSQL database with the encoding %s is refused', async (encoding) => {
  const made = await emptyDatabaseUrl('postgresql');
  const name = `${new URL(made).pathname.slice(1)}_${encoding.toLowerCase()}`;
  const client = new pg.Client(made);
  await client.connect();
  await client.query(`CREATE DATABASE "${name}" ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
  await client.end();
  await expectRefusal(made.replace(/[^/]+$/, name), /has the encoding \w+, which cannot hold every character/);
});

test('an empty PostgreSQL database that is read-only is refused', async () => {
  await expectRefusal(
    `${await emptyDatabaseUrl('postgresql')}?options=-c%20default_transaction_read_only%3Don`,
    /is read-only: it is a standby, or was made read-only. Set DATABASE_URL to the primary/,
  );
});

test('what is no URL is refused without being shown', async () => {
  await expectRefusal('postgresql://user:secret@[nonsense', /DATABASE_URL is not an address such as postgresql/);
});

/** Root can write everywhere, so tests of permissions run as another user. */
async function asOrdinaryUser(prepare: () => void): Promise<void> {
  prepare();
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(65_534);
  onTestFinished(() => {
    process.seteuid?.(0);
  });
}

test('a file of another program is refused as it was, with its permissions', async () => {
  for (const journal of ['WAL', 'DELETE']) {
    const file = join(freshFolder(), 'other.db');
    const other = new Sqlite(file);
    other.exec(`PRAGMA journal_mode = ${journal}; CREATE TABLE "guests" ("id"); INSERT INTO "guests" VALUES (1)`);
    other.close();
    chmodSync(file, 0o664);
    const before = [readFileSync(file, 'hex'), statSync(file).mode, statSync(file).mtimeMs];
    await expectRefusal(`file:${file}`, /other.db belongs to another program: it holds something, but no migrations/);
    expect(readdirSync(dirname(file))).toEqual(['other.db']);
    expect([readFileSync(file, 'hex'), statSync(file).mode, statSync(file).mtimeMs]).toEqual(before);
  }
});

const history = 'CREATE TABLE "_prisma_migrations" ("migration_name", "checksum", "finished_at", "rolled_back_at");';

test.each([
  ['without tables', 'PRAGMA application_id = 1196444487; PRAGMA user_version = 10300'],
  ['with a view only', 'CREATE VIEW "v" AS SELECT 1'],
  ['with migrations of its own', `${history} INSERT INTO "_prisma_migrations" VALUES ('20230101_init', 'x', 1, NULL)`],
  [
    'with a migration of its own that failed',
    `${history} INSERT INTO "_prisma_migrations" VALUES ('1_a', 'x', NULL, NULL)`,
  ],
  ['with an empty list of migrations', history],
  ['with another list of migrations', 'CREATE TABLE "_prisma_migrations" ("version")'],
])('a database of another program %s is refused as it was', async (_which, sql) => {
  const file = join(freshFolder(), 'other.db');
  const other = new Sqlite(file);
  other.exec(sql);
  other.close();
  chmodSync(file, 0o664);
  const before = [readFileSync(file, 'hex'), statSync(file).mode, statSync(file).mtimeMs];
  await expectRefusal(`file:${file}`, /belongs to another program: .* Nothing in it was changed\. Set DATABASE_URL/);
  const backup = join(dirname(file), 'backup.db');
  const outcome = await records(['backup', backup], { DATABASE_URL: `file:${file}` });
  expect(outcome).toMatchObject({
    code: 1,
    problem: expect.stringMatching(/^error: The database.* belongs to another program.*\n$/),
  });
  expect(outcome.problem).not.toContain('.verified');
  expect(readdirSync(dirname(file))).toEqual(['other.db']);
  expect([readFileSync(file, 'hex'), statSync(file).mode, statSync(file).mtimeMs]).toEqual(before);
});

test('a file with two names is refused, because its log belongs to one of them', async () => {
  const file = (await freshDatabaseUrl('sqlite')).slice('file:'.length);
  linkSync(file, join(freshFolder(), 'second.db'));
  await expectRefusal(`file:${file}`, /has 2 names \(hard links\).* Give it a file of its own, .*: `cp -p '/);
  copyFileSync(file, `${file}.own`);
  renameSync(`${file}.own`, file);
  await (await openDatabase({ url: `file:${file}`, migrate: true })).close();
});

test.each([
  ['a folder', (path: string) => mkdirSync(path)],
  ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
  ['a device', (path: string) => symlinkSync('/dev/null', path)],
  ['a link to a file that is not there', (path: string) => symlinkSync('/nowhere/records.db', path)],
  ['a link to a file that is not there', (path: string) => symlinkSync(path, path)],
])('%s in the place of the file is named, by a start and by commands', async (what, make) => {
  const path = join(freshFolder(), 'records.db');
  make(path);
  await expectRefusal(`file:${path}`, new RegExp(`records.db is ${what}. Set DATABASE_URL to a file`));
  for (const command of [
    ['migrate', 'apply'],
    ['restore', '/dev/null', '--replace', '--digest', 'x'],
    ['import', '/dev/null'],
  ]) {
    const { code, problem } = await records(command, { DATABASE_URL: `file:${path}` });
    expect([code, problem]).toEqual([1, expect.stringContaining(`records.db is ${what}. Set`)]);
    expect(problem.split('\n')).toHaveLength(2);
  }
});

test('an empty file beside a log that is not empty is no new database', async () => {
  const file = (await freshDatabaseUrl('sqlite')).slice('file:'.length);
  writeFileSync(`${file}-wal`, 'x');
  truncateSync(file);
  await expectRefusal(`file:${file}`, /is empty, but not its -wal: somebody has emptied it. Restore a backup/);
});

test('a session that cannot be asked whether a pooler lends it is ended', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const administrator = new pg.Client(url);
  await administrator.connect();
  const role = `unasked_${process.pid}`;
  onTestFinished(async () => {
    await administrator.query(`DROP ROLE "${role}"`);
    await administrator.end();
  });
  await administrator.query(
    `CREATE ROLE "${role}" LOGIN PASSWORD 'secret'; REVOKE EXECUTE ON FUNCTION pg_backend_pid() FROM PUBLIC`,
  );
  await expectRefusal(
    Object.assign(new URL(url), { username: role, password: 'secret' }).href,
    /permission denied for function pg_backend_pid/,
  );
  const sessions = () => administrator.query('SELECT 1 FROM pg_stat_activity WHERE usename = $1', [role]);
  await expect.poll(async () => (await sessions()).rowCount).toBe(0);
});
