import type { Resource } from '../../../model/resource.js';
import { type Procedure, rows } from '../../../work.js';

/** Forgets what is indexed of a type, to index it anew. */
export function* forgetIndexed({ model }: Resource): Procedure<void> {
  yield* rows(`UPDATE "SearchState" SET "upTo" = '', "isComplete" = FALSE WHERE "model" = '${model}'`, []);
  yield* rows(`DELETE FROM "SearchText" WHERE "model" = '${model}'`, []);
  yield* rows(`DELETE FROM "SearchWord" WHERE "model" = '${model}'`, []);
}
