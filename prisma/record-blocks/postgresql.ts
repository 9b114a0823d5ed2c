/**
 * PostgreSQL has many concurrent writers, so a write must not update a row that other writes update too. A record of
 * the open block is not counted, because that block has no count. Any other record leaves a row in `RecordBlockChange`.
 * A transaction that keeps its first snapshot (REPEATABLE READ, SERIALIZABLE) does not see that the open block was cut
 * in the meantime, so each of its records leaves a row. In the open block such a row changes nothing.
 *
 * From time to time a commit maintains the blocks of a table (`postgresql-tend.ts`). `countFunction` in
 * `../record-counts.ts` says when, and records what is created and deleted; the function here records changed ids.
 */
import { type Blocks, blockSize, blocksSql } from './blocks.js';
import { tend } from './postgresql-tend.js';

export const blocksOnPostgresql: Blocks = {
  kept: `SELECT relname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND starts_with(tgname, 'gateway_block_') AND relname <> 'RecordCount'`,

  common: `-- An id was given up or taken by a change of ids: it is recorded unless it surely belongs to the open block. '?' follows
-- every '>' || id.
CREATE FUNCTION "gateway_block_change"("kind" text, "record" text, "difference" integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  setting text := 'gateway.open_' || "kind";
  open text COLLATE "C" := current_setting(setting, true);
BEGIN
  IF COALESCE(open, '') = '' THEN
    IF current_setting('transaction_isolation') = 'read committed' THEN
      SELECT '>' || max("first") INTO open FROM "RecordBlock" WHERE "model" = "kind";
    ELSE
      open := '?';
    END IF;
    PERFORM set_config(setting, open, true);
  END IF;
  IF '>' || "record" < open THEN
    INSERT INTO "RecordBlockChange" ("model", "id", "change") VALUES ("kind", "record", "difference")
      ON CONFLICT ("model", "id") DO UPDATE SET "change" = "RecordBlockChange"."change" + EXCLUDED."change";
  END IF;
END $$;

CREATE FUNCTION "gateway_block_move"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "gateway_block_change"(TG_TABLE_NAME, OLD."id", -1);
  PERFORM "gateway_block_change"(TG_TABLE_NAME, NEW."id", 1);
  RETURN NULL;
END $$;

CREATE FUNCTION "gateway_block_truncate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "RecordCount" SET "count" = 0 WHERE "model" = TG_TABLE_NAME;
  DELETE FROM "RecordBlockChange" WHERE "model" = TG_TABLE_NAME;
  DELETE FROM "RecordBlock" WHERE "model" = TG_TABLE_NAME AND "first" <> '';
  UPDATE "RecordBlock" SET "count" = NULL WHERE "model" = TG_TABLE_NAME;
  RETURN NULL;
END $$;

${tend}

CREATE FUNCTION "gateway_block_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "gateway_block_tend"(NEW."model", abs(NEW."count" - OLD."count"));
  RETURN NULL;
END $$;

-- At the commit, when all that a transaction has changed is in its rows.
CREATE CONSTRAINT TRIGGER "gateway_block_due" AFTER UPDATE OF "model" ON "RecordCount"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "gateway_block_due"();`,

  // Creating the triggers locks out writers until the migration commits, so no existing record is missed.
  of: (
    model,
  ) => `CREATE TRIGGER "gateway_block_${model}_move" AFTER UPDATE OF "id" ON "${model}" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_${model}_truncate" AFTER TRUNCATE ON "${model}" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  ${blocksSql(model)};
UPDATE "RecordBlock" SET "count" = ${blockSize} WHERE "model" = '${model}' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = '${model}');`,
};
