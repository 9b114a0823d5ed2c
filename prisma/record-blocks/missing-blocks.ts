/**
 * The triggers that keep `RecordBlock`, for the record types that have none yet. They belong to the migrations like any
 * change of the models, so a new resource gets its own with `npm run migration`.
 */
import type { MigrationConnection } from '../../src/database/migrate.js';
import type { Provider } from '../../src/database/migration-history.js';
import { resources } from '../../src/model/resource.js';
import type { Blocks } from './blocks.js';
import { blocksOnPostgresql } from './postgresql.js';
import { blocksOnSqlite } from './sqlite.js';

const blocks: Record<Provider, Blocks> = { sqlite: blocksOnSqlite, postgresql: blocksOnPostgresql };

/** The SQL that cuts every listed record type into blocks which has none yet in `connection`'s database, or ''. */
export async function missingBlocks({ adapter, provider }: MigrationConnection): Promise<string> {
  const { kept, common, of } = blocks[provider];
  const { rows } = await adapter.queryRaw({ sql: kept, args: [], argTypes: [] });
  const done = new Set(rows.map(([table]) => String(table)));
  const missing = resources.filter(({ kind, model }) => kind === 'resource' && !done.has(model));
  if (missing.length === 0) return '';
  const header = '-- Blocks of records in the order of their ids, kept by the database, by which an offset is found';
  return [header, ...(done.size === 0 ? [common] : []), ...missing.map(({ model }) => of(model))]
    .join('\n\n')
    .concat('\n');
}
