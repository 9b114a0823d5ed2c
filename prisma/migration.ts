/**
 * `npm run migration -- <name> [--contract <time of the expansion>]`: creates a migration for both databases, and for the
 * profile `distributed`, from a change in the models, without a network. Each is the difference between the models and a new database with all existing
 * migrations. Says what gateways of the version before could not go on with.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type MigrationConnection, migrate } from '../src/database/migrations/migrate.js';
import { migrationsFolder, readMigrations } from '../src/database/migrations/migration-history.js';
import { openPostgresqlMigration } from '../src/database/migrations/postgresql-migration.js';
import { openSqliteMigration } from '../src/database/migrations/sqlite-migration.js';
import { startPostgresql } from '../test/support/postgresql.js';
import { pendingChanges } from './pending-changes.js';
import { stepProblems } from './step-problems.js';

const [name = '', option, completes = ''] = process.argv.slice(2);
if (!/^[a-z][a-z0-9_]*$/.test(name) || (option && !(option === '--contract' && /^\d{14}$/.test(completes)))) {
  console.error('Name the change in lower case with underscores: npm run migration -- add_serial_number');
  console.error(
    'One that drops what an earlier release has replaced names that by its time: --contract 20261201120000',
  );
  process.exit(2);
}

const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
const step = option ? `contract_${completes}` : 'expand';
const written = [await sqliteChanges(), ...(await postgresqlChanges())].flatMap(write);
if (written.length === 0) {
  console.error('The models and the migrations agree: there is nothing to write.');
  process.exit(1);
}
for (const path of written) console.log(`Wrote ${path}`);
console.log('Read them before you commit them.');
process.exit(0);

async function sqliteChanges() {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-migration-'));
  try {
    return await changes(openSqliteMigration(join(folder, 'records.db')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function postgresqlChanges() {
  const server = await startPostgresql();
  try {
    const ofProfile = new URL(server.url);
    ofProfile.pathname = 'template1';
    ofProfile.searchParams.set('profile', 'distributed');
    const ofDatabase = await changes(await openPostgresqlMigration(server.url));
    return [ofDatabase, await changes(await openPostgresqlMigration(ofProfile.href))];
  } finally {
    await server.stop();
  }
}

async function changes(connection: MigrationConnection) {
  try {
    await migrate(connection);
    const { provider, history } = connection;
    return { provider, history, sql: await pendingChanges(connection) };
  } finally {
    await connection.close();
  }
}

function write({ provider, history, sql }: Awaited<ReturnType<typeof changes>>): string[] {
  if (sql === '') return [];
  const known = readMigrations(migrationsFolder(history)).map((migration) => migration.name);
  const folder = join(migrationsFolder(history), `${timestamp}_${step}_${name}`);
  for (const problem of stepProblems(provider, basename(folder), sql, known)) console.error(problem);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'migration.sql'), sql);
  const lock = join(migrationsFolder(history), 'migration_lock.toml');
  writeFileSync(
    lock,
    `# Names the database of this migration history for Prisma's own tools.\nprovider = "${provider}"\n`,
  );
  return [join(folder, 'migration.sql')];
}
