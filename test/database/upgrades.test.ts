/** What databases of earlier versions hold is complete and right after their upgrade. */
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { providers } from '../support/database.js';
import { olderDatabaseUrl, run } from './older-database.js';

test.each(providers)('on %s every parent that is not stored and has lines gets its row', async (provider) => {
  const url = await olderDatabaseUrl(provider, 'foreign_parents_with_lines');
  const time = (id: string, parentId: string, jobCardId: string | null = null) => `
    INSERT INTO "JobCardTimeLog" ("id", "idx", "parentId", "parentType", "jobCardId")
      VALUES ('${id}', 1, '${parentId}', 'Any', ${jobCardId ? `'${jobCardId}'` : 'NULL'});`;
  const payment = (id: string, parentId: string) => `
    INSERT INTO "SalesInvoicePayment" ("id", "idx", "parentId", "parentType", "modeOfPayment")
      VALUES ('${id}', 1, '${parentId}', 'Any', 'Cash');`;
  await run(
    url,
    provider,
    `INSERT INTO "JobCard" ("id", "createdAt", "updatedAt") VALUES ('job-card_1', '2026-01-31', '2026-01-31');
    INSERT INTO "ForeignParent" VALUES ('known', 7);
    ${time('time_1', 'of time')} ${time('time_2', 'of both')} ${time('time_3', 'known')}
    ${time('time_4', 'job-card_1', 'job-card_1')} ${time('time_5', 'job-card_gone')}
    ${payment('payment_1', 'of payment')} ${payment('payment_2', 'of both')} ${payment('payment_3', 'job-card_1')}`,
  );
  const database = await openDatabase({ url, migrate: true });
  onTestFinished(() => database.close());
  const found = await database.client.foreignParent.findMany({ orderBy: { id: 'asc' } });
  expect(found.map(({ id, version }) => [id, version])).toEqual([
    ['job-card_1', 1],
    ['job-card_gone', 1],
    ['known', 7],
    ['of both', 1],
    ['of payment', 1],
    ['of time', 1],
  ]);
});
