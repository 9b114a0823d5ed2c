/** Whether the words of a type are indexed: a row of `SearchState` for each type while the index is kept (SEARCH=true). */
import type { Resource } from '../../model/resource.js';
import { type Procedure, rows } from '../../work.js';

/** Whether a process keeps the index. */
export function* searchIsOn(): Procedure<boolean> {
  const sql = 'SELECT 1 FROM "SearchState" LIMIT 1';
  return (yield { sql, values: [], isChecked: true }).length > 0;
}

/** Notes that the types are to be indexed, from the first record on unless they have been before. */
export function* turnSearchOn(resources: readonly Resource[]): Procedure<void> {
  for (const { model } of resources) {
    yield* rows(
      `INSERT INTO "SearchState" ("model", "upTo", "isComplete") SELECT '${model}', '', ${no}
       WHERE NOT EXISTS (SELECT 1 FROM "SearchState" WHERE "model" = '${model}')`,
      [],
    );
  }
}

/** Forgets what is indexed: changes that this process makes are not. */
export function* turnSearchOff(): Procedure<void> {
  yield* rows('DELETE FROM "SearchState"', []);
}

/** Both databases know the word. */
const no = 'FALSE';
