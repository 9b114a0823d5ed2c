/**
 * Raises the sequences of PostgreSQL that are behind the rows of their tables, as after a logical replication, which copies rows
 * but not sequences: until they have caught up, each write would get a number that is taken.
 */

import type { Database } from '../database/open-database.js';
import { type Behind, sequencesBehind } from '../database/postgresql/sequences.js';
import { rows, withoutListeners } from '../work.js';

export async function raiseSequences({ provider, read, perform }: Pick<Database, 'provider' | 'read' | 'perform'>) {
  if (provider === 'sqlite' || !read) return;
  const raise = ({ sequence, last }: Behind) =>
    perform(() => withoutListeners(rows(`SELECT setval('"${sequence}"', $1::bigint)`, [last])));
  for (const behind of await sequencesBehind(async (sql) => read(sql, [], 'bounded'))) await raise(behind);
}
