/**
 * The triggers that maintain `RecordCount`, for record types that have none yet. They are part of the migrations, so a
 * new resource gets its triggers from `npm run migration`.
 */
import type { MigrationConnection } from '../src/database/migrate.js';
import type { Provider } from '../src/database/migration-history.js';
import { resources } from '../src/model/resource.js';

/** Enough for the writers of a few processes to each find an unlocked shard. */
const shards = 16;

/**
 * The SQL that adds the triggers for each list type that the database behind `connection` does not count yet; '' if
 * none is missing.
 */
export async function missingCounters(connection: MigrationConnection): Promise<string> {
  const { rows } = await connection.adapter.queryRaw({
    sql: countedTables[connection.provider],
    args: [],
    argTypes: [],
  });
  const counted = new Set(rows.map(([table]) => String(table)));
  const missing = resources
    .filter(({ kind, model }) => kind === 'resource' && !counted.has(model))
    .map(({ model }) => model);
  if (missing.length === 0) return '';
  return [header[connection.provider], ...missing.map(counter[connection.provider])].join('\n\n').concat('\n');
}

const countedTables: Record<Provider, string> = {
  sqlite: "SELECT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'gateway\\_count\\_%' ESCAPE '\\'",
  postgresql: `SELECT relname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND starts_with(tgname, 'gateway_count_')`,
};

const header: Record<Provider, string> = {
  sqlite: '-- Counts kept by the database: exact under rollback, and free to read at any size',
  // On PostgreSQL, a transaction that updates the same row again and again takes longer each time. So each statement
  // first counts its rows in a transaction-local setting, and then updates one shard. It takes a shard that nobody has
  // locked; if all are locked, it adds one, numbered by its backend process so that no other writer uses it.
  postgresql: `-- Counts kept by the database: exact under rollback, and free to read at any size
CREATE OR REPLACE FUNCTION "gateway_count_row"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  setting text := 'gateway.' || TG_TABLE_NAME;
  change integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  PERFORM set_config(setting, (COALESCE(NULLIF(current_setting(setting, true), ''), '0')::integer + change)::text, true);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "gateway_count_statement"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  setting text := 'gateway.' || TG_TABLE_NAME;
  change integer := COALESCE(NULLIF(current_setting(setting, true), ''), '0')::integer;
  preferred integer := pg_backend_pid() % ${shards};
  free integer;
BEGIN
  IF change = 0 THEN
    RETURN NULL;
  END IF;
  PERFORM set_config(setting, '0', true);
  SELECT "shard" INTO free FROM "RecordCount"
    WHERE "model" = TG_TABLE_NAME AND "shard" = preferred FOR UPDATE SKIP LOCKED;
  IF free IS NULL THEN
    SELECT "shard" INTO free FROM "RecordCount" WHERE "model" = TG_TABLE_NAME LIMIT 1 FOR UPDATE SKIP LOCKED;
  END IF;
  IF free IS NULL THEN
    INSERT INTO "RecordCount" ("model", "shard", "count") VALUES (TG_TABLE_NAME, ${shards} + pg_backend_pid(), change)
      ON CONFLICT ("model", "shard") DO UPDATE SET "count" = "RecordCount"."count" + EXCLUDED."count";
  ELSE
    UPDATE "RecordCount" SET "count" = "count" + change WHERE "model" = TG_TABLE_NAME AND "shard" = free;
  END IF;
  RETURN NULL;
END $$;`,
};

const counter: Record<Provider, (model: string) => string> = {
  sqlite: (
    model,
  ) => `INSERT INTO "RecordCount" ("model", "shard", "count") SELECT '${model}', 0, count(*) FROM "${model}";
CREATE TRIGGER "gateway_count_${model}_insert" AFTER INSERT ON "${model}" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = '${model}' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_${model}_delete" AFTER DELETE ON "${model}" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = '${model}' AND "shard" = 0;
END;`,
  // Creating the triggers locks out writers until the migration commits, so the initial count is exact.
  postgresql: (
    model,
  ) => `CREATE TRIGGER "gateway_count_${model}_row" AFTER INSERT OR DELETE ON "${model}" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_${model}_statement" AFTER INSERT OR DELETE ON "${model}" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT '${model}', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "${model}") ELSE 0 END
  FROM generate_series(0, ${shards - 1}) AS shard;`,
};
