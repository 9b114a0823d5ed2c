/** Opens the journal when the gateway starts, and notes from when on it is complete. */
import type { Database } from '../database/open-database.js';
import type { Resource } from '../model/resource.js';
import { createJournal, type Journal } from './journal.js';
import { numberEntries } from './number-entries.js';

/** With `isKept` false, changes are not written, and the journal begins anew when it is turned on again. */
export async function openJournal(
  database: Database,
  resources: readonly Resource[],
  isKept: boolean,
): Promise<Journal> {
  const { client, provider } = database;
  if (!isKept) {
    await client.$executeRaw`UPDATE "JournalState" SET "since" = NULL WHERE "id" = 1 AND "since" IS NOT NULL`;
  } else {
    await numberEntries(database);
    const now = new Date();
    // Entries from before the journal was turned off do not lead up to those that follow: readers of them begin anew.
    if (provider === 'sqlite') {
      await client.$executeRaw`
        UPDATE "JournalState" SET "since" = ${now}, "swept" = coalesce((SELECT max("entry") FROM "JournalEntry"), "swept")
        WHERE "id" = 1 AND "since" IS NULL`;
    } else {
      await client.$executeRaw`
        UPDATE "JournalState" SET "since" = ${now}, "swept" = "position" WHERE "id" = 1 AND "since" IS NULL`;
    }
  }
  return createJournal(database, resources, isKept);
}
