/** Opens the journal when the gateway starts, and notes from when on it is complete. */
import type { Provider } from '../database/migrations/migration-history.js';
import type { Database } from '../database/open-database.js';
import type { Resource } from '../model/resource.js';
import type { Procedure } from '../work.js';
import { createJournal, type Journal } from './journal.js';
import { numberEntries } from './number-entries.js';

/** With `isKept` false, changes are not written, and the journal begins anew when it is turned on again. */
export async function openJournal(
  database: Database,
  resources: readonly Resource[],
  isKept: boolean,
): Promise<Journal> {
  if (isKept) {
    await numberEntries(database);
    await database.perform(() => begin(database.provider));
  } else {
    await database.perform(end);
  }
  return createJournal(database, resources, isKept);
}

/** Entries from before the journal was turned off do not lead up to those that follow: readers of them begin anew. */
function* begin(provider: Provider): Procedure<void> {
  const [now, swept] =
    provider === 'sqlite'
      ? [`strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')`, `coalesce((SELECT max("entry") FROM "JournalEntry"), "swept")`]
      : [`now() AT TIME ZONE 'UTC'`, `"position"`];
  const sql = `UPDATE "JournalState" SET "since" = ${now}, "swept" = ${swept} WHERE "id" = 1 AND "since" IS NULL`;
  yield { sql, values: [], isWhole: true };
}

function* end(): Procedure<void> {
  const sql = `UPDATE "JournalState" SET "since" = NULL WHERE "id" = 1 AND "since" IS NOT NULL`;
  yield { sql, values: [], isWhole: true };
}
