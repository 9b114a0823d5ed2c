/** The records in the database: inserts the targets of requests, and reads what requests have changed. */
import type { Database } from '../../src/database/open-database.js';
import { ids } from '../../src/query/ids.js';
import type { Target } from './test-operation.js';

export interface StoredRecords {
  repairs: ReadonlyMap<string, { version: number }>;
  lines: readonly { id: string; assetRepairId: string; version: number }[];
  /** The number of repairs with the marker that requests have created. */
  created(marker: string): number;
  /** The number of API keys with the name. */
  keys(name: string): number;
}

/** Reads the targets, with the records that requests have created for them. */
export async function storedRecords({ client }: Database, targets: readonly Target[]): Promise<StoredRecords> {
  const known = new Set(targets.map(({ id }) => id));
  const prefix = targets[0]?.marker.split('-')[0] ?? '';
  const wanted = { gte: `${prefix}-`, lt: `${prefix}.` };
  const repairs = await client.assetRepair.findMany({
    where: { asset: wanted },
    select: { id: true, asset: true, version: true },
  });
  const lines = await client.assetRepairConsumedItem.findMany({
    where: { itemCode: wanted },
    select: { id: true, assetRepairId: true, version: true },
  });
  const names = await client.apiKey.findMany({ where: { name: wanted }, select: { name: true } });
  const created = repairs.filter(({ id }) => !known.has(id));
  return {
    repairs: new Map(repairs.map(({ id, version }) => [id, { version }])),
    lines,
    created: (marker) => created.filter(({ asset }) => asset === marker).length,
    keys: (name) => names.filter((key) => key.name === name).length,
  };
}

/** The time at which the targets were created, for `asOf`. */
export const insertedAt = '2020-01-01T00:00:00.000Z';

/**
 * Inserts the targets, each in the state that its operation needs and with the description. There are thousands, so
 * each table has one statement.
 */
export async function insertTargets(
  { client, provider }: Database,
  needed: readonly { target: Target; needs: 'draft' | 'submitted' }[],
  description: string | null = null,
): Promise<void> {
  const asset = 'a repair as template';
  const template = await client.assetRepair.create({
    data: {
      id: ids.next('asset-repair').id,
      asset,
      description,
      failureDate: '2026-01-31',
      createdAt: new Date(insertedAt),
      updatedAt: new Date(insertedAt),
    },
  });
  const each = provider === 'sqlite' ? 'json_each(?)' : 'json_array_elements($1::json)';
  const rows = needed.map(({ target: { id, marker }, needs }) => ({ id, marker, needs }));
  await client.$executeRawUnsafe(
    `INSERT INTO "AssetRepair" ("id", "asset", "failureDate", "status", "createdAt", "updatedAt", "description")
     SELECT given.value->>'id', given.value->>'marker', template."failureDate", given.value->>'needs', template."createdAt", template."updatedAt", template."description"
     FROM ${each} AS given, "AssetRepair" AS template WHERE template."id" = '${template.id}'`,
    JSON.stringify(rows),
  );
  const lines = needed.flatMap(({ target }) =>
    target.lines.map((id, index) => ({ id, idx: index + 1, parent: target.id, marker: target.marker })),
  );
  await client.$executeRawUnsafe(
    `INSERT INTO "AssetRepairConsumedItem" ("id", "idx", "assetRepairId", "itemCode", "warehouse")
     SELECT given.value->>'id', CAST(given.value->>'idx' AS INTEGER), given.value->>'parent', given.value->>'marker', 'W' FROM ${each} AS given`,
    JSON.stringify(lines),
  );
}

const tables = ['AssetRepair', 'AssetRepairConsumedItem', 'AssetRepairPurchaseInvoice', 'IndustryType', 'Quotation'];

/** The number of rows and the sum of their versions in each table, as text: every write of a row changes it. */
export async function tableTotals({ client }: Database): Promise<string> {
  const counts = tables.map(
    (table) => `SELECT '${table}' AS "name", count(*) AS "rows", sum("version") AS "versions" FROM "${table}"`,
  );
  const others = ['ApiKey', 'ForeignParent'].map((table) => `SELECT '${table}', count(*), 0 FROM "${table}"`);
  const rows = await client.$queryRawUnsafe<{ name: string; rows: bigint; versions: bigint | null }[]>(
    [...counts, ...others].join(' UNION ALL '),
  );
  return rows.map(({ name, rows: count, versions }) => `${name} ${count} ${versions ?? 0}`).join(', ');
}
