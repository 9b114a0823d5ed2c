import { type Procedure, rows } from '../../../common/work.js';
import type { Resource } from '../../../model/resource.js';

/** Deletes the index entries of a type, so that it is indexed again. */
export function* forgetIndexed({ model }: Resource): Procedure<void> {
  yield* rows(`UPDATE "SearchState" SET "upTo" = '', "isComplete" = FALSE WHERE "model" = '${model}'`, []);
  yield* rows(`DELETE FROM "SearchText" WHERE "model" = '${model}'`, []);
  yield* rows(`DELETE FROM "SearchWord" WHERE "model" = '${model}'`, []);
}
