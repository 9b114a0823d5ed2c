/** How the database would answer a statement, without being asked for the answer. */
import type { Database } from '../../database/open-database.js';

/** Finds the plan of a statement; undefined if the database shows none. */
export type PlanOf = (statement: string, keyId: string) => Promise<readonly string[] | undefined>;

/**
 * Plans are for people, so only one is made at a time. If many operations are slow, the others are logged without a
 * plan.
 */
export function onePlanAtOnce(database: Pick<Database, 'provider' | 'read'>): PlanOf {
  let isAsking = false;
  return async (statement, keyId) => {
    if (isAsking) return undefined;
    isAsking = true;
    return queryPlan(database, statement, keyId).finally(() => {
      isAsking = false;
    });
  };
}

/** The most lines and characters of a plan in the log. */
const most = { lines: 40, characters: 4_000 };

/** How many values a statement takes: `?1` names one, and each `?` is one of its own. */
function placeholdersOf(statement: string): number {
  let own = 0;
  let highest = 0;
  for (const [, place] of statement.matchAll(/\?(\d*)/g)) {
    if (place) highest = Math.max(highest, Number(place));
    else own++;
  }
  return Math.max(own, highest);
}

/**
 * The lines of the plan of a statement, which is not executed. They contain no values: on PostgreSQL none are bound, and
 * SQLite shows none. Undefined if the database shows no plan: SQLite for a plain INSERT, an engine like PostgreSQL without
 * generic plans. Preparing a large statement takes time, so it runs where long reads run.
 */
async function queryPlan(
  { provider, read }: Pick<Database, 'provider' | 'read'>,
  statement: string,
  keyId: string,
): Promise<readonly string[] | undefined> {
  // Only the first of several statements would be explained, and the others executed.
  if (statement.includes(';')) return undefined;
  const [explain, column, count] =
    provider === 'sqlite'
      ? ['EXPLAIN QUERY PLAN', 3, placeholdersOf(statement)]
      : ['EXPLAIN (GENERIC_PLAN, COSTS OFF)', 0, 0];
  // The statement waits for the same locks as the operation of the key, and in the turns of that key.
  const caller = { keyId, isOver: false, whenOver: () => () => undefined };
  try {
    const found = (await read?.(`${explain} ${statement}`, Array<number>(count).fill(0), 'unbounded', caller)) ?? [];
    if (found.length === 0) return undefined;
    return found.slice(0, most.lines).map((row) => String(row[column]).slice(0, most.characters / most.lines));
  } catch {
    return undefined;
  }
}
