/**
 * The view that takes the place of the table `RecordCount` in the profile `distributed`, and the one block of each type that
 * is never divided. Part of its migrations, so a new resource gets them from `npm run migration`.
 */

import type { MigrationConnection } from '../src/database/migrations/migrate.js';
import { datamodel } from '../src/generated/datamodel.js';
import { catalogue } from '../src/model/catalogue.js';
import { createResources } from '../src/model/create-resources.js';

/** The SQL that counts all list types, and gives each its block; '' if the database behind `connection` does that. */
export async function missingCountsOfProfile({ query }: MigrationConnection): Promise<string> {
  const sql = `SELECT coalesce(pg_get_viewdef(to_regclass('"RecordCount"')), '')`;
  const { rows } = await query(sql);
  const view = String(rows[0]?.[0]);
  const models = createResources(datamodel, catalogue)
    .filter(({ kind }) => kind === 'resource')
    .map(({ model }) => model);
  const missing = models.filter((model) => !view.includes(`'${model}'`));
  if (missing.length === 0) return '';
  const counts = models.map(
    (model) =>
      `  SELECT '${model}'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "${model}"`,
  );
  const blocks = missing.map((model) => `('${model}', '')`);
  return `-- Counts are counted: nothing keeps them
CREATE OR REPLACE VIEW "RecordCount" AS
${counts.join('\n  UNION ALL\n')};

-- One block of each type, which is never divided
INSERT INTO "RecordBlock" ("model", "first") VALUES ${blocks.join(', ')};
`;
}
