/** A rehearsal changes nothing, even if the first statement of the mutation would commit by itself. */
import { expect, onTestFinished, test } from 'vitest';
import { dryRun, runWrite } from '../../src/change/perform.js';
import { createRecords, removeRecords } from '../../src/change/writes/record.js';
import { openDatabase } from '../../src/database/open-database.js';
import { databaseInTurn, freshDatabaseUrl } from '../support/database.js';
import { resourceOf } from '../support/resources.js';
import { writer } from '../support/writer.js';

const databases = databaseInTurn(import.meta.filename);

test.each(databases)('a rehearsed delete of one record keeps it, on %s', async (provider) => {
  const statements: string[] = [];
  const watchStatements = () => (sql: string) => {
    statements.push(sql);
    return undefined;
  };
  const database = await openDatabase({ url: await freshDatabaseUrl(provider), migrate: true, watchStatements });
  onTestFinished(() => database.close());
  const category = resourceOf('UOMCategory');
  const { ids } = await runWrite(writer(database), (writing) =>
    createRecords(writing, category, [{ categoryName: 'kept' }], { isList: false }),
  );
  statements.length = 0;
  const rehearsed = await dryRun(writer(database), (writing) =>
    removeRecords(
      writing,
      category,
      ids.map((id) => ({ id })),
      false,
    ),
  );
  expect(rehearsed).toEqual({ ids });
  expect(statements[0]).toMatch(/^DELETE/);
  expect(await database.client.uOMCategory.count()).toBe(1);
});
