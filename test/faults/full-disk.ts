/** The disk runs full under the database, and has room again. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBoth } from './fault.js';
import { startGateway } from './gateway-process.js';
import { administer, type Place } from './place.js';
import { atLeast, exactly, Skipped } from './report.js';
import { damages, numberOf } from './rows.js';

const categories = '/api/stock/u-o-m-category';
const text = 'x'.repeat(20_000);

export const fullDisk = onBoth('a full disk', async (provider, place, report, progress) => {
  const disk = smallDisk(place);
  try {
    const databaseUrl = provider === 'sqlite' ? `file:${join(disk, 'records.db')}` : await databaseOn(disk, place);
    const gateway = await startGateway({ databaseUrl });
    const create = () => gateway.send('POST', categories, { category_name: text });
    const acknowledged: string[] = [];
    for (let made = 0; made < 50; made++) acknowledged.push((await create()).body.id);

    progress('filling it');
    const ballast = join(disk, 'ballast');
    fill(ballast);
    const refusals: Awaited<ReturnType<typeof create>>[] = [];
    const found = { readsFailed: 0, otherAnswers: 0 };
    // There may be room inside the files of the database, so writes succeed until the first refusal.
    for (let tries = 0; tries < 5000 && refusals.length < 50; tries++) {
      const answer = await create();
      if (answer.status === 201) acknowledged.push(answer.body.id);
      else if (answer.status === 503 && answer.body.error.code === 'storage_full') refusals.push(answer);
      else found.otherAnswers++;
      if (refusals.length > 0 && (await gateway.send('GET', categories)).status !== 200) found.readsFailed++;
    }
    const health = await gateway.send('GET', '/healthz');

    progress('making room');
    rmSync(ballast);
    const after = await create();
    if (after.status === 201) acknowledged.push(after.body.id);
    const { body: page } = await gateway.send('GET', `${categories}?limit=1000`);
    const stored = await numberOf(databaseUrl, 'SELECT count(*) FROM "UOMCategory"');
    const entries = await numberOf(databaseUrl, 'SELECT count(DISTINCT "recordId") FROM "JournalEntry"');
    await gateway.stop();

    const ids = new Set(page.data.map(({ id }: { id: string }) => id));
    report.figure('writes refused with 503 storage_full', refusals.length, atLeast(50));
    report.figure('other refusals', found.otherAnswers, exactly(0));
    report.figure('reads that failed meanwhile', found.readsFailed, exactly(0));
    report.figure('/healthz meanwhile', health.status, exactly(200));
    report.figure('first write once there is room again', after.status, exactly(201));
    report.figure('acknowledged and lost', acknowledged.slice(-1000).filter((id) => !ids.has(id)).length, exactly(0));
    report.figure('kept though refused', stored - acknowledged.length, exactly(0));
    report.figure('kept without an entry in the journal, or the other way round', stored - entries, exactly(0));
    report.figure('total minus count(*)', page.total - stored, exactly(0));
    report.figure('damages found by the database itself', (await damages(databaseUrl)).length, exactly(0));
    if (provider === 'postgresql') await dropDatabaseOn(databaseUrl, place);
  } finally {
    spawnSync('umount', ['--lazy', disk]);
  }
});

/** A file system of 48 MB in memory. */
function smallDisk(place: Place): string {
  const disk = join(place.folder(), 'disk');
  mkdirSync(disk);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk]);
  if (status !== 0) throw new Skipped('only root may mount the small disk it needs');
  return disk;
}

/**
 * A database whose tables are on the small disk. The WAL of the server is elsewhere: without room for it the server
 * ends.
 */
async function databaseOn(disk: string, place: Place): Promise<string> {
  const { url, folder } = await place.server();
  const { uid, gid } = statSync(folder);
  const tables = join(disk, 'tables');
  mkdirSync(tables);
  chownSync(tables, uid, gid);
  for (let parent = tables; parent.includes('gateway-faults-'); parent = join(parent, '..')) chmodSync(parent, 0o755);
  await administer(url, `CREATE TABLESPACE small LOCATION '${tables}'`);
  await administer(url, 'CREATE DATABASE full_disk TABLESPACE small');
  const own = new URL(url);
  own.pathname = 'full_disk';
  return own.href;
}

async function dropDatabaseOn(databaseUrl: string, place: Place): Promise<void> {
  const { url } = await place.server();
  await administer(url, `DROP DATABASE ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`);
  await administer(url, 'DROP TABLESPACE small');
}

/** Writes until the disk is full. */
function fill(path: string): void {
  for (const size of [1_000_000, 4096, 1]) {
    const piece = Buffer.alloc(size);
    try {
      for (;;) writeFileSync(path, piece, { flag: 'a' });
    } catch {
      // Full, for pieces of this size.
    }
  }
}
