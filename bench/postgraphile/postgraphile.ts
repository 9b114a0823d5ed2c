/**
 * What PostGraphile needs to be measured: its packages, a suitable Node, and database objects for what the gateway does
 * itself.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/common/project.js';
import { progress } from '../progress.js';

const folder = join(projectFolder, 'bench', 'postgraphile');

/** The command that starts PostGraphile; installs it first if needed. @throws if it cannot be installed or run here */
export function postgraphileCommand(): readonly string[] {
  if (!existsSync(join(folder, 'node_modules', 'postgraphile'))) {
    progress('Installing PostGraphile');
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  }
  return [nodeFor22(), join(folder, 'server.mjs')];
}

/** The path of a Node for PostGraphile 5.1, which requires Node 22. */
function nodeFor22(): string {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const node = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (!existsSync(node)) throw new Error('PostGraphile runs on Node 22 and later: run the bench with that');
  return node;
}

/**
 * Ids, timestamps, versions and creates of several records, as PostGraphile's guide recommends: defaults, triggers and
 * functions. A change of a line raises the version of its repair.
 */
export const postgraphileStatements: readonly string[] = [
  'CREATE SEQUENCE bench_ids',
  ...[
    ['AssetRepair', 'asset-repair'],
    ['AssetRepairConsumedItem', 'asset-repair-consumed-item'],
    ['AssetRepairPurchaseInvoice', 'asset-repair-purchase-invoice'],
  ].map(
    ([table, slug]) =>
      `ALTER TABLE "${table}" ALTER "id" SET DEFAULT '${slug}_01k' || lpad(nextval('bench_ids')::text, 23, '0')`,
  ),
  `ALTER TABLE "AssetRepair" ALTER "createdAt" SET DEFAULT now() AT TIME ZONE 'UTC',
    ALTER "updatedAt" SET DEFAULT now() AT TIME ZONE 'UTC'`,
  `CREATE FUNCTION raise_repair() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW."version" := OLD."version" + 1;
      NEW."updatedAt" := now() AT TIME ZONE 'UTC';
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER raise_repair BEFORE UPDATE ON "AssetRepair" FOR EACH ROW EXECUTE FUNCTION raise_repair()`,
  `CREATE FUNCTION raise_line() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW."version" := OLD."version" + 1;
      UPDATE "AssetRepair" SET "updatedAt" = now() AT TIME ZONE 'UTC' WHERE "id" = NEW."assetRepairId";
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER raise_line BEFORE UPDATE ON "AssetRepairConsumedItem" FOR EACH ROW EXECUTE FUNCTION raise_line()`,
  `CREATE FUNCTION create_repairs(repairs json) RETURNS SETOF "AssetRepair" LANGUAGE sql VOLATILE AS $$
    INSERT INTO "AssetRepair" ("failureDate", "description", "repairCost", "asset", "company")
      SELECT "failureDate", "description", "repairCost", "asset", "company"
      FROM json_populate_recordset(NULL::"AssetRepair", repairs) RETURNING *
    $$`,
  `CREATE FUNCTION create_repair_with_lines(repair json, items json, invoices json) RETURNS "AssetRepair"
    LANGUAGE plpgsql VOLATILE AS $$
    DECLARE created "AssetRepair";
    BEGIN
      INSERT INTO "AssetRepair" ("failureDate", "description", "repairCost", "asset", "company")
        SELECT "failureDate", "description", "repairCost", "asset", "company"
        FROM json_populate_record(NULL::"AssetRepair", repair) RETURNING * INTO created;
      INSERT INTO "AssetRepairConsumedItem"
          ("assetRepairId", "idx", "valuationRate", "consumedQuantity", "totalValue", "itemCode", "warehouse")
        SELECT created."id", n, "valuationRate", "consumedQuantity", "totalValue", "itemCode", "warehouse"
        FROM json_array_elements(items) WITH ORDINALITY AS item(fields, n),
          json_populate_record(NULL::"AssetRepairConsumedItem", fields);
      INSERT INTO "AssetRepairPurchaseInvoice"
          ("assetRepairId", "idx", "purchaseInvoice", "expenseAccount", "repairCost")
        SELECT created."id", n, "purchaseInvoice", "expenseAccount", "repairCost"
        FROM json_array_elements(invoices) WITH ORDINALITY AS invoice(fields, n),
          json_populate_record(NULL::"AssetRepairPurchaseInvoice", fields);
      RETURN created;
    END $$`,
];
