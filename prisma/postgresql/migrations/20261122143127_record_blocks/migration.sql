-- CreateTable
CREATE TABLE "RecordBlock" (
    "model" TEXT COLLATE "C" NOT NULL,
    "first" TEXT COLLATE "C" NOT NULL,
    "count" INTEGER,
    "announcedBy" BIGINT,
    "writers" TEXT COLLATE "C",

    CONSTRAINT "RecordBlock_pkey" PRIMARY KEY ("model","first")
);

-- CreateTable
CREATE TABLE "RecordBlockChange" (
    "model" TEXT COLLATE "C" NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "change" INTEGER NOT NULL,

    CONSTRAINT "RecordBlockChange_pkey" PRIMARY KEY ("model","id")
);

-- Blocks of records in the order of their ids, kept by the database, by which an offset is found

-- A record has come or gone: it is written down unless it surely belongs to the open block. '?' follows every '>' || id.
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

CREATE OR REPLACE FUNCTION "gateway_count_row"() RETURNS trigger LANGUAGE plpgsql AS $$
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
    FROM "RecordCount" WHERE "model" = TG_TABLE_NAME AND "shard" = pg_backend_pid() % 16 FOR UPDATE SKIP LOCKED;
  IF isOpen IS NOT TRUE THEN
    PERFORM "gateway_block_change"(TG_TABLE_NAME, substr(held, strpos(held, ' ') + 2),
      CASE substr(held, strpos(held, ' ') + 1, 1) WHEN '+' THEN 1 ELSE -1 END);
  END IF;
  IF free IS NULL THEN
    SELECT "shard" INTO free FROM "RecordCount" WHERE "model" = TG_TABLE_NAME LIMIT 1 FOR UPDATE SKIP LOCKED;
  END IF;
  IF free IS NULL THEN
    INSERT INTO "RecordCount" ("model", "shard", "count") VALUES (TG_TABLE_NAME, 16 + pg_backend_pid(), change)
      ON CONFLICT ("model", "shard") DO UPDATE SET "count" = "RecordCount"."count" + EXCLUDED."count";
  ELSIF random() * 1024 < greatest(abs(change), 1) THEN
    UPDATE "RecordCount" SET "model" = "model", "count" = "count" + change WHERE "model" = TG_TABLE_NAME AND "shard" = free;
  ELSE
    UPDATE "RecordCount" SET "count" = "count" + change WHERE "model" = TG_TABLE_NAME AND "shard" = free;
  END IF;
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

-- The transactions that write the table at this moment: each keeps its lock until it ends. NULL if they cannot be told:
-- if a prepared transaction is among them, which has no name to wait for, or if the list lacks this one, which is made to
-- hold the same lock. Some engines list no locks, or not those of young transactions.
CREATE FUNCTION "gateway_block_writers"("kind" text) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  writers text[];
BEGIN
  EXECUTE format('UPDATE %I SET "id" = "id" WHERE false', "kind");
  SELECT array_agg("virtualtransaction") INTO writers FROM pg_locks
    WHERE "relation" = format('%I', "kind")::regclass AND "mode" = 'RowExclusiveLock'
      AND "database" = (SELECT "oid" FROM pg_database WHERE "datname" = current_database())
    HAVING bool_or("pid" = pg_backend_pid()) AND NOT bool_or("virtualtransaction" LIKE '-1/%');
  RETURN writers;
END $$;

-- The records from one id to another that are in no change: visible, less those whose change is.
CREATE FUNCTION "gateway_block_size"("kind" text, "low" text, "high" text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  size integer;
BEGIN
  EXECUTE format('SELECT (SELECT count(*) FROM %I WHERE "id" >= $2 AND "id" < $3) - COALESCE(
    (SELECT sum("change") FROM "RecordBlockChange" WHERE "model" = $1 AND "id" >= $2 AND "id" < $3), 0)', "kind")
    INTO size USING "kind", "low", "high";
  RETURN size;
END $$;

-- "own" is the number of records that this transaction has changed itself.
CREATE FUNCTION "gateway_block_tend"("kind" text, "own" integer DEFAULT 0) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  open text COLLATE "C";
  high text COLLATE "C";
  writing text[];
  block record;
  rest bigint;
BEGIN
  -- Each statement below has to see what was committed before it; the first row of a table's blocks is the lock.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RETURN;
  END IF;
  PERFORM 1 FROM "RecordBlock" WHERE "model" = "kind" AND "first" = '' FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT "first" INTO open FROM "RecordBlock" WHERE "model" = "kind" AND "count" IS NULL AND "announcedBy" IS NULL;

  -- Announced blocks, which are seen by all who begin to write from now on.
  IF EXISTS (SELECT FROM "RecordBlock" WHERE "model" = "kind" AND "announcedBy" IS NOT NULL) THEN
    writing := "gateway_block_writers"("kind");
    FOR high IN
      SELECT "first" FROM "RecordBlock"
        WHERE "model" = "kind" AND NOT "writers"::text[] && writing ORDER BY "first"
    LOOP
      UPDATE "RecordBlock" SET "count" = "gateway_block_size"("kind", open, high) WHERE "model" = "kind" AND "first" = open;
      UPDATE "RecordBlock" SET "announcedBy" = NULL, "writers" = NULL WHERE "model" = "kind" AND "first" = high;
      open := high;
    END LOOP;
    UPDATE "RecordBlock" SET "writers" = writing::text
      WHERE "model" = "kind" AND "writers" IS NULL AND "announcedBy" <> pg_current_xact_id()::text::bigint;
  END IF;

  -- Changes go into the counts; a block without records goes to the one before it.
  WITH gone AS (
    DELETE FROM "RecordBlockChange" WHERE "model" = "kind" AND "id" = ANY (ARRAY(
      SELECT "id" FROM "RecordBlockChange" WHERE "model" = "kind" LIMIT 4000 + "own" FOR UPDATE SKIP LOCKED
    )) RETURNING "id", "change"
  ), moved AS (
    SELECT (SELECT max("first") FROM "RecordBlock" WHERE "model" = "kind" AND "first" <= "id") AS "first",
      sum("change") AS "change" FROM gone GROUP BY 1
  )
  UPDATE "RecordBlock" SET "count" = "count" + moved."change"
    FROM moved WHERE "model" = "kind" AND "RecordBlock"."first" = moved."first" AND "count" IS NOT NULL
      AND moved."change" <> 0;
  DELETE FROM "RecordBlock" WHERE "model" = "kind" AND "count" = 0 AND "first" <> '';

  -- Blocks that records with lower ids have made too large.
  FOR round IN 1..16 LOOP
    SELECT "first", "next", "count" INTO block FROM (
      SELECT "first", "count", lead("first") OVER (ORDER BY "first") AS "next" FROM "RecordBlock" WHERE "model" = "kind"
    ) AS blocks WHERE "count" >= 32768 LIMIT 1;
    EXIT WHEN NOT FOUND;
    EXECUTE format('SELECT "id" FROM %I WHERE "id" >= $1 AND "id" < $2 ORDER BY "id" LIMIT 1 OFFSET 16384', "kind")
      INTO high USING block."first", block."next";
    EXIT WHEN high IS NULL;
    rest := "gateway_block_size"("kind", block."first", high);
    UPDATE "RecordBlock" SET "count" = rest WHERE "model" = "kind" AND "first" = block."first";
    INSERT INTO "RecordBlock" ("model", "first", "count") VALUES ("kind", high, block."count" - rest);
  END LOOP;

  -- The open block, where it is large and not announced to be cut already.
  IF EXISTS (SELECT FROM "RecordBlock" WHERE "model" = "kind" AND "announcedBy" IS NOT NULL) THEN
    RETURN;
  END IF;
  SELECT (SELECT COALESCE(sum("count"), 0) FROM "RecordCount" WHERE "model" = "kind")
    - (SELECT COALESCE(sum("count"), 0) FROM "RecordBlock" WHERE "model" = "kind")
    - (SELECT COALESCE(sum("change"), 0) FROM "RecordBlockChange" WHERE "model" = "kind" AND "id" < open) INTO rest;
  IF rest >= 17408 AND "gateway_block_writers"("kind") IS NOT NULL THEN
    EXECUTE format('INSERT INTO "RecordBlock" ("model", "first", "announcedBy")
      SELECT $1, "id", pg_current_xact_id()::text::bigint FROM (
        SELECT "id", row_number() OVER (ORDER BY "id") - 1 AS place FROM (
          SELECT "id" FROM %I WHERE "id" >= $2 ORDER BY "id" LIMIT least(262145, $3)
        ) AS lowest
      ) AS placed WHERE place > 0 AND place %% 16384 = 0', "kind") USING "kind", open, rest - 1023;
  END IF;
END $$;

CREATE FUNCTION "gateway_block_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM "gateway_block_tend"(NEW."model", abs(NEW."count" - OLD."count"));
  RETURN NULL;
END $$;

-- At the commit, when all that a transaction has changed is in its rows.
CREATE CONSTRAINT TRIGGER "gateway_block_due" AFTER UPDATE OF "model" ON "RecordCount"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "gateway_block_due"();

CREATE TRIGGER "gateway_block_SigningDocument_move" AFTER UPDATE OF "id" ON "SigningDocument" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_SigningDocument_truncate" AFTER TRUNCATE ON "SigningDocument" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SigningDocument', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SigningDocument"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'SigningDocument' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument');

CREATE TRIGGER "gateway_block_SigningSignature_move" AFTER UPDATE OF "id" ON "SigningSignature" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_SigningSignature_truncate" AFTER TRUNCATE ON "SigningSignature" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SigningSignature', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SigningSignature"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'SigningSignature' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature');

CREATE TRIGGER "gateway_block_ProcessStatementOfAccounts_move" AFTER UPDATE OF "id" ON "ProcessStatementOfAccounts" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_ProcessStatementOfAccounts_truncate" AFTER TRUNCATE ON "ProcessStatementOfAccounts" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'ProcessStatementOfAccounts', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "ProcessStatementOfAccounts"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'ProcessStatementOfAccounts' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts');

CREATE TRIGGER "gateway_block_FinancialReportTemplate_move" AFTER UPDATE OF "id" ON "FinancialReportTemplate" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_FinancialReportTemplate_truncate" AFTER TRUNCATE ON "FinancialReportTemplate" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'FinancialReportTemplate', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "FinancialReportTemplate"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'FinancialReportTemplate' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate');

CREATE TRIGGER "gateway_block_TaxWithholdingGroup_move" AFTER UPDATE OF "id" ON "TaxWithholdingGroup" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_TaxWithholdingGroup_truncate" AFTER TRUNCATE ON "TaxWithholdingGroup" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'TaxWithholdingGroup', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "TaxWithholdingGroup"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'TaxWithholdingGroup' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup');

CREATE TRIGGER "gateway_block_BankReconciliationTool_move" AFTER UPDATE OF "id" ON "BankReconciliationTool" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_BankReconciliationTool_truncate" AFTER TRUNCATE ON "BankReconciliationTool" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'BankReconciliationTool', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "BankReconciliationTool"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'BankReconciliationTool' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool');

CREATE TRIGGER "gateway_block_TransactionDeletionRecord_move" AFTER UPDATE OF "id" ON "TransactionDeletionRecord" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_TransactionDeletionRecord_truncate" AFTER TRUNCATE ON "TransactionDeletionRecord" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'TransactionDeletionRecord', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "TransactionDeletionRecord"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'TransactionDeletionRecord' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord');

CREATE TRIGGER "gateway_block_AssetRepair_move" AFTER UPDATE OF "id" ON "AssetRepair" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_AssetRepair_truncate" AFTER TRUNCATE ON "AssetRepair" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'AssetRepair', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "AssetRepair"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'AssetRepair' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair');

CREATE TRIGGER "gateway_block_SubcontractingOrder_move" AFTER UPDATE OF "id" ON "SubcontractingOrder" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_SubcontractingOrder_truncate" AFTER TRUNCATE ON "SubcontractingOrder" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SubcontractingOrder', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SubcontractingOrder"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'SubcontractingOrder' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder');

CREATE TRIGGER "gateway_block_SubcontractingInwardOrder_move" AFTER UPDATE OF "id" ON "SubcontractingInwardOrder" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_SubcontractingInwardOrder_truncate" AFTER TRUNCATE ON "SubcontractingInwardOrder" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SubcontractingInwardOrder', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SubcontractingInwardOrder"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'SubcontractingInwardOrder' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder');

CREATE TRIGGER "gateway_block_SerialAndBatchBundle_move" AFTER UPDATE OF "id" ON "SerialAndBatchBundle" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_SerialAndBatchBundle_truncate" AFTER TRUNCATE ON "SerialAndBatchBundle" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SerialAndBatchBundle', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SerialAndBatchBundle"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'SerialAndBatchBundle' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle');

CREATE TRIGGER "gateway_block_SerialNo_move" AFTER UPDATE OF "id" ON "SerialNo" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_SerialNo_truncate" AFTER TRUNCATE ON "SerialNo" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SerialNo', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SerialNo"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'SerialNo' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo');

CREATE TRIGGER "gateway_block_CustomsTariffNumber_move" AFTER UPDATE OF "id" ON "CustomsTariffNumber" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_CustomsTariffNumber_truncate" AFTER TRUNCATE ON "CustomsTariffNumber" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'CustomsTariffNumber', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "CustomsTariffNumber"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'CustomsTariffNumber' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber');

CREATE TRIGGER "gateway_block_UOMCategory_move" AFTER UPDATE OF "id" ON "UOMCategory" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_UOMCategory_truncate" AFTER TRUNCATE ON "UOMCategory" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'UOMCategory', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "UOMCategory"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'UOMCategory' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory');

CREATE TRIGGER "gateway_block_BOMCreator_move" AFTER UPDATE OF "id" ON "BOMCreator" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_BOMCreator_truncate" AFTER TRUNCATE ON "BOMCreator" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'BOMCreator', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "BOMCreator"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'BOMCreator' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator');

CREATE TRIGGER "gateway_block_JobCard_move" AFTER UPDATE OF "id" ON "JobCard" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_JobCard_truncate" AFTER TRUNCATE ON "JobCard" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'JobCard', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "JobCard"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'JobCard' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard');

CREATE TRIGGER "gateway_block_Timesheet_move" AFTER UPDATE OF "id" ON "Timesheet" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_Timesheet_truncate" AFTER TRUNCATE ON "Timesheet" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'Timesheet', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "Timesheet"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'Timesheet' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet');

CREATE TRIGGER "gateway_block_IndustryType_move" AFTER UPDATE OF "id" ON "IndustryType" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_IndustryType_truncate" AFTER TRUNCATE ON "IndustryType" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'IndustryType', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "IndustryType"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'IndustryType' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType');

CREATE TRIGGER "gateway_block_Quotation_move" AFTER UPDATE OF "id" ON "Quotation" FOR EACH ROW EXECUTE FUNCTION "gateway_block_move"();
CREATE TRIGGER "gateway_block_Quotation_truncate" AFTER TRUNCATE ON "Quotation" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_block_truncate"();
INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'Quotation', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "Quotation"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = 'Quotation' AND "first" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation');
