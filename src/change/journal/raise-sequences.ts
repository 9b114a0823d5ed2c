/**
 * Raises the sequences of PostgreSQL that are behind the rows of their tables, as after a logical replication, which copies rows
 * but not sequences: until they have caught up, each write would get a number that is taken.
 */

import { type Procedure, type Rows, rows, withoutListeners } from '../../common/work.js';
import type { Database } from '../../database/open-database.js';

const sequences = [
  { table: 'JournalEntry', column: 'entry' },
  { table: 'SearchText', column: 'id' },
].map((numbered) => ({ ...numbered, sequence: `${numbered.table}_${numbered.column}_seq` }));

/** A sequence that will give a number that is taken. */
export interface Behind {
  sequence: string;
  table: string;
  /** The highest number of a row. */
  last: string;
}

/** None where the role may not see a sequence, or the engine has none. */
export async function sequencesBehind(ask: (sql: string) => Promise<Rows>): Promise<Behind[]> {
  const found: Behind[] = [];
  for (const { table, column, sequence } of sequences) {
    const [given] =
      await ask(`SELECT coalesce("last_value", 0)::text FROM pg_sequences WHERE "schemaname" = current_schema()
      AND "sequencename" = '${sequence}' AND has_sequence_privilege(format('%I.%I', "schemaname", "sequencename"), 'SELECT')`);
    if (!given) continue;
    const [row] = await ask(`SELECT max("${column}")::text FROM "${table}" HAVING max("${column}") > ${given[0]}`);
    if (row) found.push({ sequence, table, last: String(row[0]) });
  }
  return found;
}

export async function raiseSequences({ provider, read, perform }: Pick<Database, 'provider' | 'read' | 'perform'>) {
  if (provider === 'sqlite' || !read) return;
  for (const behind of await sequencesBehind(async (sql) => read(sql, [], 'bounded'))) {
    await perform(() => withoutListeners(raiseOne(behind)));
  }
}

/**
 * Other processes may have raised it meanwhile, and have got further numbers. Each number is given to an insert, which waits for
 * the lock, so that none is given between the look at the last one and the raise.
 */
function* raiseOne({ sequence, table, last }: Behind): Procedure<void> {
  yield* rows(`LOCK TABLE "${table}" IN SHARE ROW EXCLUSIVE MODE`, []);
  yield* rows(`SELECT setval('"${sequence}"', greatest($1::bigint, "last_value")) FROM "${sequence}"`, [last]);
}
