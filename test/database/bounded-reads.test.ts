/** Which reads of Prisma run in the process of the gateway: only those whose rows do not grow with a table. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { ReadBounds } from '../../src/database/sqlite/reads.js';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js';
import { freshDatabaseUrl } from '../support/database.js';

let connection: SqliteConnection;
beforeAll(async () => {
  const url = await freshDatabaseUrl('sqlite');
  await (await openDatabase({ url, migrate: true })).close();
  connection = new SqliteConnection(sqlitePath(url));
});
afterAll(() => connection.close());

const naming = 'FROM "JobCard" AS t0 WHERE t0."serialNo" = ? AND length(t0."serialNo") <= 255';

test.each([
  ['a record by its id', 'SELECT "asset" FROM "AssetRepair" WHERE "id" = ?', ['a'], 'bounded'],
  [
    'the lines of a parent',
    'SELECT "id" FROM "AssetRepairConsumedItem" WHERE "assetRepairId" IN (?, ?)',
    ['a', 'b'],
    'bounded',
  ],
  ['records without a condition', 'SELECT "id" FROM "AssetRepair" WHERE "asset" = ?', ['a'], 'unbounded'],
  [
    'those that name a record',
    `SELECT t0."id" ${naming} AND t0."remarks" LIKE ? ORDER BY t0."id" DESC LIMIT ?`,
    ['a', 'b', 1],
    'unbounded',
  ],
  ['their number', `SELECT count(*) ${naming}`, ['a'], 'unbounded'],
  ['a write', 'WITH a AS (SELECT 1) DELETE FROM "JobCard"', [], undefined],
])('%s', (_case, sql, args, bound) => {
  expect(new ReadBounds(connection).ofPrisma({ sql, args }, false)).toBe(bound);
});
