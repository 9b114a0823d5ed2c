/**
 * The triggers that maintain `RecordBlock`, for record types that have none yet. They are part of the migrations, so a
 * new resource gets its triggers from `npm run migration`.
 */

import type { MigrationConnection } from '../../src/database/migrations/migrate.js';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { datamodel } from '../../src/generated/datamodel.js';
import { catalogue } from '../../src/model/catalogue.js';
import { createResources } from '../../src/model/create-resources.js';
import type { Blocks } from './blocks.js';
import { blocksOnPostgresql } from './postgresql.js';
import { blocksOnSqlite } from './sqlite.js';

const blocks: Record<Provider, Blocks> = { sqlite: blocksOnSqlite, postgresql: blocksOnPostgresql };

/**
 * The SQL that adds blocks for each list type that has none in the database behind `connection`; '' if none is missing.
 */
export async function missingBlocks({ query, provider }: MigrationConnection): Promise<string> {
  const { kept, common, of } = blocks[provider];
  const { rows } = await query(kept);
  const done = new Set(rows.map(([table]) => String(table)));
  const missing = createResources(datamodel, catalogue).filter(
    ({ kind, model }) => kind === 'resource' && !done.has(model),
  );
  if (missing.length === 0) return '';
  const header = '-- Blocks of records in the order of their ids, kept by the database, by which an offset is found';
  return [header, ...(done.size === 0 ? [common] : []), ...missing.map(({ model }) => of(model))]
    .join('\n\n')
    .concat('\n');
}
