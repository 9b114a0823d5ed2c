/** `records seed` and `records import` before a gateway has ever started, on both databases. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inspect } from '../../../src/database/inspection.js';
import { sqlitePath } from '../../../src/database/sqlite/open-sqlite.js';
import { records } from '../../commands/records.js';
import { emptyDatabaseUrl, freshFolder, providers } from '../../support/database.js';
import { startGateway } from '../../support/gateway.js';
import { linesOf } from './odd-documents.js';

const id = 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd';
const repair = { __typename: 'AssetRepair', id, version: 3, asset: 'LATHE-7', failureDate: '2026-11-20' };

function repairFile(): string {
  const file = join(freshFolder(), 'records.jsonl');
  writeFileSync(file, linesOf([repair]));
  return file;
}

const entriesIn = (url: string) =>
  inspect(url, false, async ({ rows }) => Number((await rows('SELECT count(*) FROM "JournalEntry"'))[0]?.[0]));

describe.each(providers)('on %s', (provider) => {
  test('an import makes the database, and the gateway that starts then knows the history', async () => {
    const DATABASE_URL = await emptyDatabaseUrl(provider);
    const done = await records(['import', repairFile()], { DATABASE_URL });
    expect(done, done.problem).toMatchObject({ code: 0, text: expect.stringMatching(/^Imported 1 /) });
    expect(done.problem).toBe(
      provider === 'sqlite' ? `Made the database ${sqlitePath(DATABASE_URL)}.\n` : 'Made the tables of the database.\n',
    );
    const gateway = await startGateway({ env: { DATABASE_URL } });
    onTestFinished(() => gateway.close());
    const { body } = await gateway.graphql(
      `{ assetRepair(id: "${id}") { history(first: 2) { nodes { action version } } } }`,
    );
    expect(body.data.assetRepair.history.nodes).toEqual([{ action: 'CREATE', version: 3 }]);
  });

  test('a seed does the same, says nothing with --quiet, and writes no journal with JOURNAL=false', async () => {
    const DATABASE_URL = await emptyDatabaseUrl(provider);
    const done = await records(['seed', '-r', '60', '-q'], { DATABASE_URL });
    expect(done).toEqual({ code: 0, text: 'Created 60 documents.\n', problem: '' });
    expect(await entriesIn(DATABASE_URL)).toBeGreaterThan(60);
    const off = await emptyDatabaseUrl(provider);
    expect(await records(['seed', '-r', '60', '-q'], { DATABASE_URL: off, JOURNAL: 'false' })).toMatchObject({
      code: 0,
    });
    expect(await entriesIn(off)).toBe(0);
  });

  test('neither a dry run nor MIGRATE=false makes one', async () => {
    const DATABASE_URL = await emptyDatabaseUrl(provider);
    for (const [words, more] of [
      [['import', repairFile(), '--dry-run'], {}],
      [['import', repairFile()], { MIGRATE: 'false' }],
      [['seed'], { MIGRATE: 'false' }],
    ] as const) {
      const refused = await records(words, { DATABASE_URL, ...more });
      expect(refused).toMatchObject({ code: 1, text: '', problem: expect.stringMatching(/^error: \S.*[dD]atabase/) });
      if (provider === 'sqlite') expect(existsSync(sqlitePath(DATABASE_URL))).toBe(false);
    }
  });
});
