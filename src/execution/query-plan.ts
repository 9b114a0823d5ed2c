/** How the database would answer a statement, without being asked for the answer. */
import type { Database } from '../database/open-database.js';

/** Lines and characters of a plan that are told. */
const most = { lines: 40, characters: 4_000 };

/**
 * The lines of the plan of a read, without a value: none are bound on PostgreSQL, and SQLite shows none. Undefined where
 * the database does not tell, such as a relative of PostgreSQL without generic plans.
 */
export async function queryPlan(
  { provider, read }: Pick<Database, 'provider' | 'read'>,
  statement: string,
): Promise<readonly string[] | undefined> {
  const [explain, column, count] =
    provider === 'sqlite'
      ? ['EXPLAIN QUERY PLAN', 3, Math.max(0, ...[...statement.matchAll(/\?(\d+)/g)].map(([, place]) => Number(place)))]
      : ['EXPLAIN (GENERIC_PLAN, COSTS OFF)', 0, 0];
  try {
    const found = (await read?.(`${explain} ${statement}`, Array<number>(count).fill(0), 'bounded')) ?? [];
    return found.slice(0, most.lines).map((row) => String(row[column]).slice(0, most.characters / most.lines));
  } catch {
    return undefined;
  }
}
