import type { Database } from '../../src/database/open-database.js';
import { datamodel } from '../../src/generated/datamodel.js';

/**
 * How many rows every table holds, the gateway's own included, and the sum of their versions: two equal footprints say
 * that nothing was added, removed or changed in between.
 */
export async function footprint({ client }: Pick<Database, 'client'>): Promise<Record<string, string>> {
  const rows = await client.$queryRawUnsafe<{ table: string; rows: unknown; versions: unknown }[]>(everyTable);
  return Object.fromEntries(rows.map(({ table, rows, versions }) => [table, `${rows} rows, versions ${versions}`]));
}

const everyTable = datamodel.models
  .map(({ name, fields }) => {
    const versions = fields.some((field) => field.name === 'version') ? 'COALESCE(SUM("version"), 0)' : '0';
    return `SELECT '${name}' AS "table", COUNT(*) AS "rows", ${versions} AS "versions" FROM "${name}"`;
  })
  .join(' UNION ALL ');
