/** `records check` on both databases: what it finds, and what `--fix` corrects. */

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { keepJournal } from '../../../src/change/journal/keep-journal.js';
import { inspect } from '../../../src/database/inspection.js';
import { sqlitePath } from '../../../src/database/sqlite/open-sqlite.js';
import { addFunctions } from '../../../src/database/sqlite/sqlite-functions.js';
import { blockSize } from '../../../src/features/check/counts.js';
import { records } from '../../commands/records.js';
import { tendBlocks } from '../../support/blocks.js';
import { emptyDatabaseUrl, freshDatabaseUrl, providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { fillStatement } from '../../support/many-records.js';
import { startRecords } from '../../support/process.js';
import { resourceOf } from '../../support/resources.js';
import { Sqlite } from '../../support/sqlite-library.js';

describe.each(providers)('on %s', (provider) => {
  let gateway: TestGateway;
  let repair: string;
  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
    const items = [1, 2, 3].map((n) => ({ itemCode: `PART-${n}`, warehouse: 'Stores' }));
    const input = { asset: 'LATHE-7', failureDate: '2026-11-20', consumedItems: items };
    const { body } = await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      { input },
    );
    repair = body.data.createAssetRepair.record.id;
    await gateway.rest('PATCH', `/api/assets/asset-repair/${repair}`, { asset: 'LATHE-8' });
    const category = resourceOf('UOMCategory');
    await gateway.database.client.$executeRawUnsafe(fillStatement(provider, category, 2 * blockSize + 2000));
    await tendBlocks(gateway.database, category);
  });
  afterAll(() => gateway.close());

  const check = (...words: string[]) => records(['check', ...words], { DATABASE_URL: gateway.config.databaseUrl });
  const execute = (sql: string) => gateway.database.client.$executeRawUnsafe(sql);

  test('a database that gateways have written has no problems, also while one runs', async () => {
    const command = startRecords({}, ['check', '--database-url', gateway.config.databaseUrl]);
    expect(await command.ended, command.output() + command.log()).toBe(0);
    expect(command.output()).toBe(`yes  all migrations are applied
yes  tables, columns, keys, indexes, triggers and functions are as the migrations make them
yes  the database is intact
yes  lines are numbered from 1 without gaps
yes  every line has its parent
yes  versions and times are such as changes make them
yes  no id is of the future
yes  counts are exact
yes  the journal is in order
yes  the search index has the words of all texts, and no others
`);
  });

  test('wrong counts are found and corrected for every page', async () => {
    await execute(`UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'AssetRepair' AND "shard" = 0`);
    await execute(`UPDATE "RecordBlock" SET "count" = "count" + 5 WHERE "model" = 'UOMCategory' AND "first" = ''`);
    await execute(`DELETE FROM "RecordCount" WHERE "model" = 'Quotation'`);
    const found = await check();
    expect(found.code).toBe(3);
    expect(found.text).toContain('NO   counts are exact (--fix repairs it)\n');
    expect(found.text).toMatch(/AssetRepair has 1 record, but the count is 2/);
    expect(found.text).toMatch(/The block of UOMCategory that begins at "" has another count/);
    expect(await check('--fix')).toMatchObject({ code: 0 });
    expect((await gateway.rest('GET', '/api/assets/asset-repair?limit=1')).body.total).toBe(1);
    const { body } = await gateway.rest('GET', `${resourceOf('UOMCategory').base}?limit=1&offset=${blockSize + 100}`);
    const { client } = gateway.database;
    const [there] = await client.uOMCategory.findMany({ orderBy: { id: 'desc' }, skip: blockSize + 100, take: 1 });
    expect(body.data[0].id).toBe(there?.id);
    await gateway.rest('POST', '/api/crm/quotation', {});
    expect(await check()).toMatchObject({ code: 0 });
  });

  test('blocks that were deleted are found and made anew', async () => {
    for (const condition of [`"first" = ''`, `"count" IS NULL AND "model" = 'UOMCategory'`, 'true']) {
      await execute(`DELETE FROM "RecordBlock" WHERE ${condition}`);
      expect((await check()).text).toContain('Blocks of UOMCategory are missing');
      expect(await check('--fix')).toMatchObject({ code: 0 });
    }
  });

  test.runIf(provider === 'postgresql')(
    'a sequence that is behind its rows is found, and raised while a gateway runs',
    async () => {
      await execute(`SELECT setval('"JournalEntry_entry_seq"', 1, false)`);
      expect((await check()).text).toMatch(
        /The sequence JournalEntry_entry_seq is behind the rows of JournalEntry; start a gateway, which raises it to \d+ at least/,
      );
      const stopKeeping = keepJournal(gateway.database, gateway.journal, undefined, { warn: () => undefined });
      onTestFinished(stopKeeping);
      await expect.poll(() => check(), { timeout: 20_000, interval: 500 }).toMatchObject({ code: 0 });
      expect((await gateway.rest('PATCH', `/api/assets/asset-repair/${repair}`, { asset: 'LATHE-9' })).status).toBe(
        200,
      );
    },
  );

  test('a gap between lines is found, and closed by a change that the journal tells of', async () => {
    await execute(`DELETE FROM "AssetRepairConsumedItem" WHERE "idx" = 2`);
    const found = await check('--json');
    expect(found.code).toBe(3);
    const wrong = JSON.parse(found.text).filter(({ problems }: { problems: string[] }) => problems.length > 0);
    expect(wrong).toMatchObject([{ problems: [expect.stringContaining(repair)], isMendable: true }]);
    const before = (await gateway.rest('GET', `/api/assets/asset-repair/${repair}`)).headers.get('etag');
    expect(await check('--fix')).toMatchObject({ code: 0 });
    const lines = await gateway.rest('GET', `/api/assets/asset-repair-consumed-item?parent_id=${repair}`);
    expect(lines.body.data.map(({ idx }: { idx: number }) => idx)).toEqual([1, 2]);
    expect((await gateway.rest('GET', `/api/assets/asset-repair/${repair}`)).headers.get('etag')).not.toBe(before);
    const { entries } = await gateway.journal.read(0, 1000);
    expect(entries.at(-1)).toMatchObject({ action: 'move', author: { keyId: 'check' } });
  });

  test('problems that cannot be corrected are reported and left', async () => {
    const entry = provider === 'sqlite' ? '"entry"' : '"position"';
    await execute(
      `UPDATE "JournalEntry" SET "revision" = 99 WHERE ${entry} = (SELECT min(${entry}) FROM "JournalEntry")`,
    );
    const found = await check('--fix');
    expect(found.code).toBe(3);
    expect(found.text).toContain('NO   the journal is in order\n');
    expect(found.text).toMatch(/has an older version of asset-repair_\w+ than the entry before it/);
    expect(found.text).toMatch(/The journal has a later version of asset-repair_\w+ than the one that is stored/);
  });

  test('a line whose parent is missing, and one that has lost the link to it, are reported and left', async () => {
    const own = await startGateway({ database: provider });
    onTestFinished(() => own.close());
    const looked = (...words: string[]) => records(['check', ...words], { DATABASE_URL: own.config.databaseUrl });
    const { id } = (await own.rest('POST', '/api/manufacturing/job-card', {})).body;
    const log = { parent_id: id, parent_type: 'Job Card' };
    const { id: unlinked } = (await own.rest('POST', '/api/manufacturing/job-card-time-log', log)).body;
    await withoutForeignKeys(own, `UPDATE "JobCardTimeLog" SET "jobCardId" = NULL WHERE "id" = '${unlinked}'`);
    for (const words of [[], ['--fix']]) {
      const { code, text } = await looked(...words);
      expect(code).toBe(3);
      expect(text).toContain('NO   every line has its parent\n');
      expect(text).toContain(`The line ${unlinked} is not linked to its parent`);
    }
    const line = 'asset-repair-consumed-item_01kahzqe0v3m7c2f9x5w8yt4be';
    await withoutForeignKeys(
      own,
      `INSERT INTO "AssetRepairConsumedItem" ("id", "assetRepairId", "idx", "itemCode", "warehouse")
       VALUES ('${line}', 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd', 1, 'BELT', 'Stores')`,
    );
    for (const words of [[], ['--fix']]) {
      const { code, text } = await looked(...words);
      expect(code).toBe(3);
      // SQLite reports it as damage, after which nothing else is checked.
      expect(text).toContain(
        provider === 'sqlite'
          ? `The row ${line} of AssetRepairConsumedItem refers to a row of AssetRepair that is missing`
          : `The parent of the line ${line} is missing`,
      );
    }
  });

  test('for a database that lacks migrations they are reported, and nothing else is checked', async () => {
    const url = await freshDatabaseUrl(provider);
    await inspect(url, true, ({ rows }) =>
      rows(`DELETE FROM "_prisma_migrations"
        WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")`),
    );
    const { code, text } = await records(['check'], { DATABASE_URL: url });
    expect([code, text]).toEqual([
      3,
      expect.stringMatching(
        /^NO {3}all migrations are applied\n.*The migration \d{14}_\w+ is missing; `records migrate apply` applies it.*\n/,
      ),
    ]);
    expect(text).not.toContain('counts are exact');
  });
});

/** Runs a statement that the database would normally refuse, to simulate a partial restore. */
async function withoutForeignKeys({ config, database }: TestGateway, sql: string): Promise<void> {
  if (database.provider === 'postgresql') {
    await database.client.$transaction([
      database.client.$executeRawUnsafe("SET LOCAL session_replication_role = 'replica'"),
      database.client.$executeRawUnsafe(sql),
    ]);
    return;
  }
  const connection = new Sqlite(sqlitePath(config.databaseUrl));
  addFunctions(connection);
  connection.pragma('foreign_keys = OFF');
  connection.exec(sql);
  connection.close();
}

test('a database of PostgreSQL with nothing in it lacks all migrations', async () => {
  const { code, text, problem } = await records(['check'], { DATABASE_URL: await emptyDatabaseUrl('postgresql') });
  expect([code, problem]).toEqual([3, '']);
  expect(text).toMatch(/^NO {3}all migrations are applied\n/);
});
