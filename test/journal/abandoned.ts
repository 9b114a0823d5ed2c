import type { Database } from '../../src/database/open-database.js';

/** Makes the journal look as if the processes that keep it had ended long ago, as after `kill -9` and half a minute. */
export async function abandonJournal({ client }: Pick<Database, 'client'>): Promise<void> {
  await client.$executeRawUnsafe('UPDATE "JournalState" SET "keptAt" = 0');
}
