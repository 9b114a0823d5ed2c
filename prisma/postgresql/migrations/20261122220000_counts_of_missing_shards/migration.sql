-- A shard of a count that is missing is added.
CREATE OR REPLACE FUNCTION "gateway_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
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
  FOR attempt IN 0..15 LOOP
    own := (pg_backend_pid() + attempt) % 16;
    EXIT WHEN pg_try_advisory_xact_lock(TG_RELID::integer, own);
    own := 16 + pg_backend_pid();
  END LOOP;
  IF random() * 1024 < size THEN
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
END $$;
