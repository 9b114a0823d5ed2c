/** Backups, restores and exports that end at any of their steps: nothing is lost, and the next one ends well and removes what is left. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { startRecords } from '../support/process.js';
import { Sqlite } from '../support/sqlite-library.js';
import { records } from './records.js';

/** The first step after the folder is held. A process that is killed in the instant before leaves it empty, for ever. */
const afterHold = 2;

const kinds = ['killed', 'refused'] as const;

let gateway: TestGateway;
/** A database with its log, as a process that was killed leaves them, and a backup from before. */
const kept = freshFolder();
const [database, backup] = [join(kept, 'records.db'), join(kept, 'backup.db')];
beforeAll(async () => {
  gateway = await startGateway({});
  const DATABASE_URL = gateway.config.databaseUrl;
  const path = DATABASE_URL.slice('file:'.length);
  expect(await records(['backup', backup], { DATABASE_URL })).toMatchObject({ code: 0 });
  await gateway.rest('POST', '/api/assets/asset-repair', { asset: 'written last', failure_date: '2026-11-20' });
  for (const ending of ['', '-wal']) copyFileSync(`${path}${ending}`, `${database}${ending}`);
  expect(readFileSync(`${database}-wal`).length).toBeGreaterThan(0);
});
afterAll(() => gateway.close());

/** The outcome of a command in which something happens at this step; undefined if it has no such step. */
async function interrupted(words: string[], folder: string, fault: (typeof kinds)[number], at: number) {
  const NODE_OPTIONS = `--import=${join(import.meta.dirname, 'fault-in-files.mjs')}`;
  const fails = { NODE_OPTIONS, FAULT: fault, FAULT_AT: String(at), FAULT_IN: folder };
  const command = startRecords({ DATABASE_URL: `file:${join(folder, 'records.db')}`, ...fails }, words);
  const code = await command.ended;
  const [log, ...refused] = command.log().split('[refused]').reverse();
  return code === 0 && refused.length === 0 ? undefined : { code, log: log ?? '' };
}

function assetsIn(path: string): unknown[] {
  const opened = new Sqlite(path, { readonly: true });
  try {
    return opened.prepare('SELECT "asset" FROM "AssetRepair"').pluck().all();
  } finally {
    opened.close();
  }
}

/** Puts the old database into a folder: whole, or cut in half. Both have a log. */
function placed(isWhole: boolean): string {
  const folder = freshFolder();
  const bytes = readFileSync(database);
  writeFileSync(join(folder, 'records.db'), isWhole ? bytes : bytes.subarray(0, bytes.length / 2));
  copyFileSync(`${database}-wal`, join(folder, 'records.db-wal'));
  return folder;
}

for (const isWhole of [true, false]) {
  test.each(kinds)(
    `a restore over a ${isWhole ? 'whole' : 'damaged'} database that is %s at any step loses nothing, and can be repeated`,
    async (fault) => {
      let steps = 0;
      for (let at = afterHold; ; at++) {
        const folder = placed(isWhole);
        const path = join(folder, 'records.db');
        const old = readFileSync(path);
        const ended = await interrupted(['restore', backup, '--replace'], folder, fault, at);
        if (!ended) break;
        steps++;
        // The system refused what there is another way for, as a link on a disk without links.
        if (ended.code === 0) expect(assetsIn(path)).toEqual([]);
        if (ended.code === 0) continue;
        const names = readdirSync(folder).sort();
        const seen = `${at}: ${ended.code} ${ended.log} ${names}`;
        // Never none, of which a start would make a new one.
        expect(existsSync(path), seen).toBe(true);
        const isMarked = readFileSync(path, 'utf8').startsWith('This database is being restored. ');
        if (isWhole) {
          expect(isMarked, seen).toBe(false);
          expect([[], ['written last']], seen).toContainEqual(assetsIn(path));
        }
        if (fault === 'refused') {
          expect(ended.code, seen).toBe(1);
          expect(ended.log.trim().split('\n'), seen).toHaveLength(1);
          expect(names.join(), seen).not.toContain('restoring-');
          if (isMarked) {
            expect(ended.log, seen).toMatch(/The backup is not in place.*what was there is now .*Restore again/);
            const start = await records(['check'], { DATABASE_URL: `file:${path}` });
            expect(start.problem).toMatch(/is not an SQLite database.*restore a backup/);
          } else if (old.equals(readFileSync(path))) {
            // It says that it failed, and has changed nothing.
            expect(
              names.filter((name) => name.includes('replaced')),
              seen,
            ).toEqual([]);
          }
        }
        const again = await records(['restore', backup, '--replace', '--json'], { DATABASE_URL: `file:${path}` });
        expect(again, seen).toMatchObject({ code: 0 });
        expect(assetsIn(path)).toEqual([]);
        expect(readdirSync(folder).join(), seen).not.toMatch(/restoring-|records\.db-(wal|shm)/);
        const { replaced } = JSON.parse(again.text);
        if (isWhole) {
          const all = readdirSync(folder).filter((name) => name.includes('replaced'));
          expect(
            all.map((name) => assetsIn(join(folder, name))),
            seen,
          ).toContainEqual(['written last']);
        } else if (isMarked || old.equals(readFileSync(replaced))) {
          expect(old.equals(readFileSync(replaced)), seen).toBe(true);
          expect(readFileSync(`${replaced}-wal`).equals(readFileSync(`${database}-wal`)), seen).toBe(true);
        }
      }
      expect(steps).toBeGreaterThan(isWhole ? 6 : 8);
    },
  );
}

test.each([
  ['backup', ['backup']],
  ['export', ['export']],
  ['export as CSV', ['export', '--format', 'csv']],
] as const)('%s that is killed at any step leaves nothing behind the next one', async (_name, words) => {
  let left = 0;
  for (let at = afterHold; ; at++) {
    const folder = freshFolder();
    const path = join(folder, 'records.db');
    copyFileSync(database, path);
    const out = join(folder, 'out');
    if (!(await interrupted([...words, out], folder, 'killed', at))) break;
    left += readdirSync(folder).filter((name) => name.includes('partial-')).length;
    const names = existsSync(out) || existsSync(`${out}.sha256`) ? `${out}-again` : out;
    const again = await records([...words, names], { DATABASE_URL: `file:${path}` });
    expect(again, `${at}: ${readdirSync(folder)}`).toMatchObject({ code: 0 });
    if (names === out) expect(readdirSync(folder).join(), String(at)).not.toContain('partial-');
  }
  expect(left).toBeGreaterThan(0);
});
