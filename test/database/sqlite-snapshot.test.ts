/**
 * Reads without Prisma: those of one turn of the event loop share a snapshot, and none is older than an acknowledged
 * write.
 */
import { statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows } from '../../src/common/work.js';
import { type OpenedDatabase, openDatabase } from '../../src/database/open-database.js';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { freshDatabaseUrl } from '../support/database.js';
import { Sqlite } from '../support/sqlite-library.js';

let database: OpenedDatabase;
let url: string;
beforeAll(async () => {
  url = await freshDatabaseUrl('sqlite');
  database = await openDatabase({ url, migrate: true });
});
afterAll(() => database.close());

const counting = 'SELECT count(*) FROM "ForeignParent"';

test('a commit of another process during a turn is seen from the next turn on', async () => {
  const other = new Sqlite(sqlitePath(url));
  await turn();
  const before = count();
  other.exec(`INSERT INTO "ForeignParent" ("id") VALUES ('of another process')`);
  expect(count()).toBe(before);
  await turn();
  expect(count()).toBe(before + 1);
  other.close();
});

test('an acknowledged write is seen at once, also in a turn that has already read', async () => {
  for (let round = 0; round < 20; round++) {
    let before = -1;
    await write(`round ${round}`, () => {
      before = count();
    });
    expect(count()).toBe(before + 1);
  }
});

test('reads in every turn do not keep the WAL from being restarted', async () => {
  for (let round = 0; round < 600; round++) {
    const written = write(`${'x'.repeat(20_000)} ${round}`);
    count();
    await written;
  }
  // Four times as much is written; SQLite restarts the WAL after 4 MB, unless it is being read at that moment.
  expect(statSync(`${sqlitePath(url)}-wal`).size).toBeLessThan(12_000_000);
});

/** `begun` is called in the writer's own transaction. */
function write(id: string, begun = () => {}): Promise<unknown> {
  return database.perform(function* () {
    begun();
    yield* rows('INSERT INTO "ForeignParent" ("id") VALUES (?)', [id]);
  });
}

function count(): number {
  const rows = database.read?.(counting, [], 'bounded');
  if (!rows || rows instanceof Promise) throw new Error('SQLite answers at once');
  return Number(rows[0]?.[0]);
}
