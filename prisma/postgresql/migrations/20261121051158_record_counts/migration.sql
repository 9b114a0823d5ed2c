-- CreateTable
CREATE TABLE "RecordCount" (
    "model" TEXT COLLATE "C" NOT NULL,
    "shard" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "RecordCount_pkey" PRIMARY KEY ("model","shard")
);

-- Counts kept by the database: exact under rollback, and free to read at any size
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
  preferred integer := pg_backend_pid() % 16;
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
    INSERT INTO "RecordCount" ("model", "shard", "count") VALUES (TG_TABLE_NAME, 16 + pg_backend_pid(), change)
      ON CONFLICT ("model", "shard") DO UPDATE SET "count" = "RecordCount"."count" + EXCLUDED."count";
  ELSE
    UPDATE "RecordCount" SET "count" = "count" + change WHERE "model" = TG_TABLE_NAME AND "shard" = free;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "gateway_count_SigningDocument_row" AFTER INSERT OR DELETE ON "SigningDocument" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_SigningDocument_statement" AFTER INSERT OR DELETE ON "SigningDocument" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SigningDocument', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SigningDocument") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_SigningSignature_row" AFTER INSERT OR DELETE ON "SigningSignature" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_SigningSignature_statement" AFTER INSERT OR DELETE ON "SigningSignature" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SigningSignature', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SigningSignature") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_ProcessStatementOfAccounts_row" AFTER INSERT OR DELETE ON "ProcessStatementOfAccounts" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_ProcessStatementOfAccounts_statement" AFTER INSERT OR DELETE ON "ProcessStatementOfAccounts" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'ProcessStatementOfAccounts', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "ProcessStatementOfAccounts") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_FinancialReportTemplate_row" AFTER INSERT OR DELETE ON "FinancialReportTemplate" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_FinancialReportTemplate_statement" AFTER INSERT OR DELETE ON "FinancialReportTemplate" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'FinancialReportTemplate', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "FinancialReportTemplate") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_TaxWithholdingGroup_row" AFTER INSERT OR DELETE ON "TaxWithholdingGroup" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_TaxWithholdingGroup_statement" AFTER INSERT OR DELETE ON "TaxWithholdingGroup" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'TaxWithholdingGroup', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "TaxWithholdingGroup") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_BankReconciliationTool_row" AFTER INSERT OR DELETE ON "BankReconciliationTool" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_BankReconciliationTool_statement" AFTER INSERT OR DELETE ON "BankReconciliationTool" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'BankReconciliationTool', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "BankReconciliationTool") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_TransactionDeletionRecord_row" AFTER INSERT OR DELETE ON "TransactionDeletionRecord" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_TransactionDeletionRecord_statement" AFTER INSERT OR DELETE ON "TransactionDeletionRecord" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'TransactionDeletionRecord', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "TransactionDeletionRecord") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_AssetRepair_row" AFTER INSERT OR DELETE ON "AssetRepair" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_AssetRepair_statement" AFTER INSERT OR DELETE ON "AssetRepair" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'AssetRepair', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "AssetRepair") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_SubcontractingOrder_row" AFTER INSERT OR DELETE ON "SubcontractingOrder" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_SubcontractingOrder_statement" AFTER INSERT OR DELETE ON "SubcontractingOrder" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SubcontractingOrder', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SubcontractingOrder") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_SubcontractingInwardOrder_row" AFTER INSERT OR DELETE ON "SubcontractingInwardOrder" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_SubcontractingInwardOrder_statement" AFTER INSERT OR DELETE ON "SubcontractingInwardOrder" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SubcontractingInwardOrder', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SubcontractingInwardOrder") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_SerialAndBatchBundle_row" AFTER INSERT OR DELETE ON "SerialAndBatchBundle" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_SerialAndBatchBundle_statement" AFTER INSERT OR DELETE ON "SerialAndBatchBundle" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SerialAndBatchBundle', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SerialAndBatchBundle") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_SerialNo_row" AFTER INSERT OR DELETE ON "SerialNo" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_SerialNo_statement" AFTER INSERT OR DELETE ON "SerialNo" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SerialNo', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SerialNo") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_CustomsTariffNumber_row" AFTER INSERT OR DELETE ON "CustomsTariffNumber" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_CustomsTariffNumber_statement" AFTER INSERT OR DELETE ON "CustomsTariffNumber" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'CustomsTariffNumber', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "CustomsTariffNumber") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_UOMCategory_row" AFTER INSERT OR DELETE ON "UOMCategory" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_UOMCategory_statement" AFTER INSERT OR DELETE ON "UOMCategory" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'UOMCategory', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "UOMCategory") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_BOMCreator_row" AFTER INSERT OR DELETE ON "BOMCreator" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_BOMCreator_statement" AFTER INSERT OR DELETE ON "BOMCreator" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'BOMCreator', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "BOMCreator") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_JobCard_row" AFTER INSERT OR DELETE ON "JobCard" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_JobCard_statement" AFTER INSERT OR DELETE ON "JobCard" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'JobCard', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "JobCard") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_Timesheet_row" AFTER INSERT OR DELETE ON "Timesheet" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_Timesheet_statement" AFTER INSERT OR DELETE ON "Timesheet" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'Timesheet', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "Timesheet") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_IndustryType_row" AFTER INSERT OR DELETE ON "IndustryType" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_IndustryType_statement" AFTER INSERT OR DELETE ON "IndustryType" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'IndustryType', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "IndustryType") ELSE 0 END
  FROM generate_series(0, 15) AS shard;

CREATE TRIGGER "gateway_count_Quotation_row" AFTER INSERT OR DELETE ON "Quotation" FOR EACH ROW EXECUTE FUNCTION "gateway_count_row"();
CREATE TRIGGER "gateway_count_Quotation_statement" AFTER INSERT OR DELETE ON "Quotation" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_statement"();
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'Quotation', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "Quotation") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
