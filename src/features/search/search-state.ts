/** Whether the words of a type are indexed: a row of `SearchState` for each type while the index is kept (SEARCH=true). */

import { type Procedure, rows } from '../../common/work.js';
import type { Resource } from '../../model/resource.js';
import { formOfWords, reformedFrom } from '../../model/words.js';

/** Whether a process keeps the index. */
export function* searchIsOn(): Procedure<boolean> {
  const sql = 'SELECT 1 FROM "SearchState" LIMIT 1';
  return (yield { sql, values: [], isChecked: true }).length > 0;
}

/**
 * `whole` if the words of all types are indexed, `on` if they are still to be, `old` if an earlier version indexes a type, and
 * `off` if a type is not to be indexed.
 */
export function* indexState(resources: readonly Resource[]): Procedure<'off' | 'old' | 'on' | 'whole'> {
  const sql = `SELECT "model", CASE WHEN "form" < ${formOfWords} THEN -1 WHEN "isComplete" THEN 1 ELSE 0 END FROM "SearchState"`;
  const states = new Map(
    (yield { sql, values: [], isChecked: true }).map(([model, isWhole]) => [model, Number(isWhole)]),
  );
  const all = resources.map(({ model }) => states.get(model));
  if (all.includes(undefined)) return 'off';
  if (all.includes(-1)) return 'old';
  return all.includes(0) ? 'on' : 'whole';
}

/**
 * Notes that the types are to be indexed, from the first record on unless they have been before. Types whose words an earlier
 * version made are indexed again if they have words of which the form has changed. Another process may do the same at this
 * moment.
 */
export function* turnSearchOn(resources: readonly Resource[]): Procedure<void> {
  for (const { model } of resources) {
    yield* rows(
      `INSERT INTO "SearchState" ("model", "upTo", "isComplete", "form") SELECT '${model}', '', FALSE, ${formOfWords}
       WHERE NOT EXISTS (SELECT 1 FROM "SearchState" WHERE "model" = '${model}') ON CONFLICT DO NOTHING`,
      [],
    );
    const same = `NOT EXISTS (SELECT 1 FROM "SearchWord" WHERE "model" = '${model}' AND "word" >= '${reformedFrom}')`;
    yield* rows(
      `UPDATE "SearchState" SET "form" = ${formOfWords}, "isComplete" = "isComplete" AND ${same},
         "upTo" = CASE WHEN ${same} THEN "upTo" ELSE '' END
       WHERE "model" = '${model}' AND "form" < ${formOfWords}`,
      [],
    );
  }
}

/** Forgets what is indexed, because the changes of this process are not indexed. */
export function* turnSearchOff(): Procedure<void> {
  yield* rows('DELETE FROM "SearchState"', []);
}
