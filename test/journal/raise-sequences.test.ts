/** A sequence of PostgreSQL that is behind its rows is raised, and never set back. */
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { raiseSequences } from '../../src/change/journal/open-journal.js';
import { openDatabase } from '../../src/database/open-database.js';
import { freshDatabaseUrl, isDistributed } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { waitingForLock } from '../support/waiting-for-lock.js';

const insert = (id: string | number) =>
  `INSERT INTO "SearchText" ("id", "model", "documentId", "recordId", "words")
   VALUES (${id}, 'JobCard', gen_random_uuid()::text, gen_random_uuid()::text, '[]') RETURNING "id"`;

test.skipIf(isDistributed)('numbers that are given while a sequence is raised are not given again', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const database = await openDatabase({ url, migrate: false });
  onTestFinished(() => database.close());
  const other = new pg.Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  await other.query(insert(100));
  const perform: typeof database.perform = async (work) => {
    // No change, but with it the raise of the sequence waits, after it has read the last number if nothing else stops it.
    await other.query('BEGIN; ALTER SEQUENCE "SearchText_id_seq" OWNED BY "SearchText"."id"');
    await other.query(insert(50));
    const raised = database.perform(work);
    await expect.poll(() => waitingForLock(url)).toBe(1);
    await other.query(`SELECT setval('"SearchText_id_seq"', 100)`);
    expect((await other.query(insert('DEFAULT'))).rows).toEqual([{ id: '101' }]);
    await other.query('COMMIT');
    return raised;
  };
  await raiseSequences({ ...database, perform });
  expect((await other.query(insert('DEFAULT'))).rows).toEqual([{ id: '102' }]);
});

test.skipIf(isDistributed)('while a sequence is behind, a write says so', async () => {
  const gateway = await startGateway({ env: { DATABASE_URL: await freshDatabaseUrl('postgresql') } });
  onTestFinished(() => gateway.close());
  const create = () => gateway.rest('POST', '/api/stock/u-o-m-category', { category_name: 'Mass' });
  for (let n = 0; n < 12; n++) expect((await create()).status).toBe(201);
  await gateway.database.client.$queryRawUnsafe(`SELECT setval('"JournalEntry_entry_seq"', 1)::text`);
  const { status, body, headers } = await create();
  expect([status, headers.get('retry-after')]).toEqual([503, '60']);
  expect(body.error.message).toContain(
    'A sequence of the database is behind the rows of its table, so nothing is written',
  );
});
