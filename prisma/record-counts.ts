/**
 * The triggers that keep `RecordCount`, for the record types that have none yet. They belong to the migrations like
 * any change of the models, so a new resource gets its own with `npm run migration`.
 */
import type { MigrationConnection } from '../src/database/migrate.js';
import type { Provider } from '../src/database/migration-history.js';
import { resources } from '../src/model/resource.js';

/** Enough that the writers of a few processes each find a shard that nobody holds. */
const shards = 16;

/** The SQL that counts every listed record type which `connection`'s database does not count yet, or ''. */
export async function missingCounters(connection: MigrationConnection): Promise<string> {
  const { rows } = await connection.adapter.queryRaw({
    sql: triggerNames[connection.provider],
    args: [],
    argTypes: [],
  });
  const present = new Set(rows.map(([name]) => String(name)));
  const missing = resources
    .filter(({ kind, model }) => kind === 'resource' && !present.has(`gateway_count_${model}_insert`))
    .map(({ model }) => model);
  if (missing.length === 0) return '';
  return [header[connection.provider], ...missing.map(counter[connection.provider])].join('\n\n').concat('\n');
}

const triggerNames: Record<Provider, string> = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'trigger'",
  postgresql: 'SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal',
};

const header: Record<Provider, string> = {
  sqlite: '-- Counts kept by the database: exact under rollback, and free to read at any size',
  postgresql: `-- Counts kept by the database: exact under rollback, and free to read at any size
CREATE OR REPLACE FUNCTION "gateway_count"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  preferred integer := pg_backend_pid() % ${shards};
  free integer;
BEGIN
  SELECT "shard" INTO free FROM "RecordCount"
    WHERE "model" = TG_TABLE_NAME
    ORDER BY ("shard" - preferred + ${shards}) % ${shards}
    LIMIT 1 FOR UPDATE SKIP LOCKED;
  UPDATE "RecordCount" SET "count" = "count" + CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    WHERE "model" = TG_TABLE_NAME AND "shard" = COALESCE(free, preferred);
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
  postgresql: (model) => `LOCK TABLE "${model}" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT '${model}', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "${model}") ELSE 0 END
  FROM generate_series(0, ${shards - 1}) AS shard;
CREATE TRIGGER "gateway_count_${model}_insert" AFTER INSERT ON "${model}" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_${model}_delete" AFTER DELETE ON "${model}" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();`,
};
