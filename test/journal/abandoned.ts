import type { Database } from '../../src/database/open-database.js';

/** Makes the journal look as if whoever keeps it had ended long ago, as `kill -9` and half a minute do. */
export async function abandonJournal({ client }: Pick<Database, 'client'>): Promise<void> {
  await client.$executeRawUnsafe('UPDATE "JournalState" SET "keptAt" = 0');
}
