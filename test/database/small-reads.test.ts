/** Which reads count as small is remembered for a while, and asked again as tables grow. */
import { expect, test } from 'vitest';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { createReadRouter } from '../../src/database/sqlite/reads.js';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js';
import { freshDatabaseUrl } from '../support/database.js';
import { Sqlite } from '../support/sqlite-library.js';

const reading = 'SELECT "id" FROM "ForeignParent" WHERE "id" <> ?';
const pairing = `${reading} AND EXISTS (SELECT 1 FROM "ForeignParent" AS other WHERE other."id" > ?)`;
const alone = 'SELECT "id" FROM "SerialNo"';
const ofView = 'SELECT "id" FROM "seen"';

const here = () => 'here';
const elsewhere = async () => 'elsewhere';

test('a read is small while its tables are, and the file', async () => {
  const path = sqlitePath(await freshDatabaseUrl('sqlite'));
  const connection = new SqliteConnection(path, { readonly: true });
  const other = new Sqlite(path);
  const answer = createReadRouter(connection, {});
  const smallOnes = () =>
    [reading, pairing, alone, ofView].filter((sql) => answer(sql, false, here, elsewhere) === 'here');
  const insert = (rows: number, text = '') =>
    other.exec(`INSERT INTO "ForeignParent" ("id")
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT '${rows}${text}' || i FROM n`);
  other.exec('CREATE VIEW "seen" AS SELECT * FROM "ForeignParent"');
  expect(smallOnes()).toEqual([reading, pairing, alone]);
  insert(200);
  await expect.poll(smallOnes).toEqual([reading, alone]);
  insert(10, 'x'.repeat(500_000));
  await expect.poll(smallOnes).toEqual([]);
  other.exec('DELETE FROM "ForeignParent"; VACUUM');
  await expect.poll(smallOnes).toEqual([reading, pairing, alone]);
  connection.close();
  other.close();
});
