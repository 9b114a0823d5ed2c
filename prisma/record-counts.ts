/**
 * The triggers that maintain `RecordCount`, for record types that have none yet. They are part of the migrations, so a
 * new resource gets its triggers from `npm run migration`.
 */

import type { MigrationConnection } from '../src/database/migrations/migrate.js';
import type { Provider } from '../src/database/migrations/migration-history.js';
import { datamodel } from '../src/generated/datamodel.js';
import { catalogue } from '../src/model/catalogue.js';
import { createResources } from '../src/model/create-resources.js';

/** Enough for the writers of a few processes to each find an unlocked shard. */
const shards = 16;

/**
 * The SQL that adds the triggers for each list type that the database behind `connection` does not count yet; '' if
 * none is missing.
 */
export async function missingCounters(connection: MigrationConnection): Promise<string> {
  const { rows } = await connection.query(countedTables[connection.provider]);
  const counted = new Set(rows.map(([table]) => String(table)));
  const missing = createResources(datamodel, catalogue)
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
 * On PostgreSQL, a transaction that updates the same row again and again takes longer each time. So a statement updates
 * one shard once, for all its records. A shard belongs to the transaction that holds its advisory lock, which is much
 * cheaper than looking for a row that nobody has locked; if all are taken, it adds one, numbered by its backend process
 * so that no other writer uses it.
 *
 * Records outside the open block must also be recorded for their blocks (`record-blocks/postgresql.ts`). The query that
 * counts the changed records also finds the start of the open block, because a further query would make a create slower.
 * Updating `model` of a shard fires the trigger that maintains the blocks.
 */
export const countFunction = `CREATE OR REPLACE FUNCTION "gateway_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := TG_TABLE_NAME;
  difference integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  size integer;
  lowest text COLLATE "C";
  open text COLLATE "C";
  own integer;
BEGIN
  -- The highest "first" is looked up by an order that only the index has: PostgreSQL would read a small table as a whole.
  SELECT count(*), min("id"), (
      SELECT "first" FROM "RecordBlock" WHERE "model" = kind ORDER BY "model" DESC, "first" DESC LIMIT 1
    ) INTO size, lowest, open FROM "changed";
  IF size = 0 THEN
    RETURN NULL;
  END IF;
  -- A transaction that keeps its first snapshot may not see that the open block was cut, and records all.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    open := NULL;
  END IF;
  IF open IS NULL OR lowest < open THEN
    INSERT INTO "RecordBlockChange" ("model", "id", "change")
      SELECT kind, "id", difference FROM "changed" WHERE open IS NULL OR "id" < open
      ON CONFLICT ("model", "id") DO UPDATE SET "change" = "RecordBlockChange"."change" + EXCLUDED."change";
  END IF;
  difference := difference * size;
  FOR attempt IN 0..${shards - 1} LOOP
    own := (pg_backend_pid() + attempt) % ${shards};
    EXIT WHEN pg_try_advisory_xact_lock(TG_RELID::integer, own);
    own := ${shards} + pg_backend_pid();
  END LOOP;
  IF random() * ${interval} < size THEN
    UPDATE "RecordCount" SET "model" = "model", "count" = "count" + difference WHERE "model" = kind AND "shard" = own;
  ELSE
    UPDATE "RecordCount" SET "count" = "count" + difference WHERE "model" = kind AND "shard" = own;
  END IF;
  -- A new shard, or one that somebody has deleted.
  IF NOT FOUND THEN
    INSERT INTO "RecordCount" ("model", "shard", "count") VALUES (kind, own, difference)
      ON CONFLICT ("model", "shard") DO UPDATE SET "count" = "RecordCount"."count" + EXCLUDED."count";
  END IF;
  RETURN NULL;
END $$;`;

/** The triggers of a table; only triggers of one event can refer to the rows that a statement has changed. */
export const countTriggers = (
  model: string,
): string => `CREATE TRIGGER "gateway_count_${model}_insert" AFTER INSERT ON "${model}" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_${model}_delete" AFTER DELETE ON "${model}" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();`;

const header: Record<Provider, string> = {
  sqlite: '-- Counts kept by the database: exact under rollback, and free to read at any size',
  postgresql: `-- Counts kept by the database: exact under rollback, and free to read at any size
${countFunction}`,
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
  postgresql: (model) => `${countTriggers(model)}
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT '${model}', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "${model}") ELSE 0 END
  FROM generate_series(0, ${shards - 1}) AS shard;`,
};
