/** A start that cannot succeed says why and what to do, in one line, and ends with an exit code other than 0. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { freePort } from '../support/postgresql.js';
import { Sqlite } from '../support/sqlite-library.js';
import type { Fault } from './fault.js';
import { launch, startGateway } from './gateway-process.js';
import { administer, type Place } from './place.js';
import { below, type Report, Skipped } from './report.js';

const fromTheFuture = `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
  VALUES ('x', 'x', '29990101000000_from_the_future', CURRENT_TIMESTAMP, CURRENT_TIMESTAMP, 1)`;

export const refusedStarts: Fault[] = [
  {
    title: 'a start on an unreachable database',
    async run(_place, report) {
      const port = await freePort();
      const address = `postgresql://postgres:secret-word@127.0.0.1:${port}/records`;
      await refused(address, /cannot be reached/, report, { DATABASE_WAIT: '0' });
    },
  },
  {
    title: 'a start with a wrong password, postgresql',
    async run(place, report) {
      const url = new URL(await place.database('postgresql'));
      url.password = 'secret-word';
      await refused(url.href, /does not let the user .* in: .*\. Check/, report);
    },
  },
  {
    title: 'a start on a read-only database, sqlite',
    async run(place, report) {
      const folder = join(place.folder(), 'read-only');
      mkdirSync(folder);
      const release = await readOnlyFolder(folder, async () => {
        await (await startGateway({ databaseUrl: `file:${join(folder, 'records.db')}` })).stop();
      });
      try {
        await refused(`file:${join(folder, 'records.db')}`, /is read-only|cannot be opened/, report);
      } finally {
        release();
      }
    },
  },
  {
    title: 'a start on a read-only database, postgresql',
    async run(place, report) {
      const databaseUrl = await migrated('postgresql', place);
      const name = new URL(databaseUrl).pathname.slice(1);
      await administer(databaseUrl, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      await refused(databaseUrl, /read-only/, report);
    },
  },
  {
    title: 'a start on a database of a newer version, sqlite',
    async run(place, report) {
      const databaseUrl = await migrated('sqlite', place);
      new Sqlite(sqlitePath(databaseUrl)).exec(fromTheFuture).close();
      await refused(databaseUrl, /newer version .* Start that version/, report);
    },
  },
  {
    title: 'a start on a database of a newer version, postgresql',
    async run(place, report) {
      const databaseUrl = await migrated('postgresql', place);
      await administer(databaseUrl, fromTheFuture);
      await refused(databaseUrl, /newer version .* Start that version/, report);
    },
  },
  {
    title: 'a start with MIGRATE=false on an empty database',
    async run(place, report) {
      await refused(await place.database('postgresql'), /lacks the migrations .* Run/, report, { MIGRATE: 'false' });
    },
  },
];

async function migrated(provider: Provider, place: Place): Promise<string> {
  const databaseUrl = await place.database(provider);
  await (await startGateway({ databaseUrl })).stop();
  return databaseUrl;
}

async function refused(
  databaseUrl: string,
  why: RegExp,
  report: Report,
  env: Record<string, string> = {},
): Promise<void> {
  const startedAt = performance.now();
  const gateway = await launch({ databaseUrl, env });
  const { code } = await gateway.ended;
  const said = gateway.log.trim();
  report.holds('exit code other than 0', code !== null && code !== 0, `but ${code}`);
  report.holds('one line that says why and what to do', why.test(said) && !said.includes('\n'), said);
  report.holds('no password in it', !said.includes('secret-word'), said);
  report.figure('took', performance.now() - startedAt, below(10_000, ' ms'), ' ms');
  console.log(`    ${said.split('\n')[0]}`);
}

/** Fills a folder and makes it read-only, for root too; the function it returns undoes that. */
async function readOnlyFolder(folder: string, fill: () => Promise<void>): Promise<() => void> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).status !== 0) {
    throw new Skipped('root writes everywhere, and may not mount a file system here');
  }
  await fill();
  if (isRoot) spawnSync('mount', ['-o', 'remount,ro', folder]);
  else for (const path of [join(folder, 'records.db'), folder]) chmodSync(path, 0o555);
  return () => {
    if (isRoot) spawnSync('umount', ['--lazy', folder]);
    else chmodSync(folder, 0o755);
  };
}
