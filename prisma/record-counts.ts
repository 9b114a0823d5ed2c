/**
 * The triggers that maintain `RecordCount`, for record types that have none yet. They are part of the migrations, so a
 * new resource gets its triggers from `npm run migration`.
 */
import type { MigrationConnection } from '../src/database/migrations/migrate.js';
import type { Provider } from '../src/database/migrations/migration-history.js';
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

/**
 * How often blocks are maintained: once in this many changed records on average, and at the commit of each statement
 * that changes this many.
 */
const interval = 1024;

/**
 * On PostgreSQL, a transaction that updates the same row again and again takes longer each time. So each statement
 * first counts its records in a transaction-local setting, and then updates one shard. It takes a shard that nobody has
 * locked; if all are locked, it adds one, numbered by its backend process so that no other writer uses it.
 *
 * A record outside the open block must also be recorded for its block (`record-blocks/postgresql.ts`). Most statements
 * change one record, and a further query would make a create 10 % slower. So the setting also holds the first record
 * and its sign, and the query that looks for a shard compares the record with the open block. For further records, the
 * start of the open block is looked up once per transaction. Updating `model` of a shard fires the trigger that
 * maintains the blocks.
 */
export const countFunctions = `CREATE OR REPLACE FUNCTION "gateway_count_row"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  setting text := 'gateway.' || TG_TABLE_NAME;
  held text := current_setting(setting, true);
  change integer;
BEGIN
  IF held <> '' THEN
    change := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    PERFORM set_config(setting, (split_part(held, ' ', 1)::integer + change) || substr(held, strpos(held, ' ')), true);
    PERFORM "gateway_block_change"(TG_TABLE_NAME, CASE TG_OP WHEN 'INSERT' THEN NEW."id" ELSE OLD."id" END, change);
  ELSE
    PERFORM set_config(setting, CASE TG_OP WHEN 'INSERT' THEN '1 +' || NEW."id" ELSE '-1 -' || OLD."id" END, true);
  END IF;
  RETURN NULL;
END $$;

-- The highest "first" is looked up by an order that only the index has: PostgreSQL would read a small table as a whole.
CREATE OR REPLACE FUNCTION "gateway_count_statement"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  setting text := 'gateway.' || TG_TABLE_NAME;
  held text := current_setting(setting, true);
  change integer;
  free integer;
  isOpen boolean;
BEGIN
  IF COALESCE(held, '') = '' THEN
    RETURN NULL;
  END IF;
  PERFORM set_config(setting, '', true);
  change := split_part(held, ' ', 1);
  SELECT "shard", current_setting('transaction_isolation') = 'read committed'
    AND substr(held, strpos(held, ' ') + 2) COLLATE "C" >= (
      SELECT "first" FROM "RecordBlock" WHERE "model" = TG_TABLE_NAME ORDER BY "model" DESC, "first" DESC LIMIT 1
    ) INTO free, isOpen
    FROM "RecordCount" WHERE "model" = TG_TABLE_NAME AND "shard" = pg_backend_pid() % ${shards} FOR UPDATE SKIP LOCKED;
  IF isOpen IS NOT TRUE THEN
    PERFORM "gateway_block_change"(TG_TABLE_NAME, substr(held, strpos(held, ' ') + 2),
      CASE substr(held, strpos(held, ' ') + 1, 1) WHEN '+' THEN 1 ELSE -1 END);
  END IF;
  IF free IS NULL THEN
    SELECT "shard" INTO free FROM "RecordCount" WHERE "model" = TG_TABLE_NAME LIMIT 1 FOR UPDATE SKIP LOCKED;
  END IF;
  IF free IS NULL THEN
    INSERT INTO "RecordCount" ("model", "shard", "count") VALUES (TG_TABLE_NAME, ${shards} + pg_backend_pid(), change)
      ON CONFLICT ("model", "shard") DO UPDATE SET "count" = "RecordCount"."count" + EXCLUDED."count";
  ELSIF random() * ${interval} < greatest(abs(change), 1) THEN
    UPDATE "RecordCount" SET "model" = "model", "count" = "count" + change WHERE "model" = TG_TABLE_NAME AND "shard" = free;
  ELSE
    UPDATE "RecordCount" SET "count" = "count" + change WHERE "model" = TG_TABLE_NAME AND "shard" = free;
  END IF;
  RETURN NULL;
END $$;`;

const header: Record<Provider, string> = {
  sqlite: '-- Counts kept by the database: exact under rollback, and free to read at any size',
  postgresql: `-- Counts kept by the database: exact under rollback, and free to read at any size
${countFunctions}`,
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
