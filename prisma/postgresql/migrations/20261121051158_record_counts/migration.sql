-- CreateTable
CREATE TABLE "RecordCount" (
    "model" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "RecordCount_pkey" PRIMARY KEY ("model","shard")
);

-- Counts kept by the database: exact under rollback, and free to read at any size
CREATE OR REPLACE FUNCTION "gateway_count"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  preferred integer := pg_backend_pid() % 16;
  free integer;
BEGIN
  SELECT "shard" INTO free FROM "RecordCount"
    WHERE "model" = TG_TABLE_NAME
    ORDER BY ("shard" - preferred + 16) % 16
    LIMIT 1 FOR UPDATE SKIP LOCKED;
  UPDATE "RecordCount" SET "count" = "count" + CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    WHERE "model" = TG_TABLE_NAME AND "shard" = COALESCE(free, preferred);
  RETURN NULL;
END $$;

LOCK TABLE "SigningDocument" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SigningDocument', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SigningDocument") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_SigningDocument_insert" AFTER INSERT ON "SigningDocument" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_SigningDocument_delete" AFTER DELETE ON "SigningDocument" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "SigningSignature" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SigningSignature', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SigningSignature") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_SigningSignature_insert" AFTER INSERT ON "SigningSignature" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_SigningSignature_delete" AFTER DELETE ON "SigningSignature" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "ProcessStatementOfAccounts" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'ProcessStatementOfAccounts', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "ProcessStatementOfAccounts") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_ProcessStatementOfAccounts_insert" AFTER INSERT ON "ProcessStatementOfAccounts" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_ProcessStatementOfAccounts_delete" AFTER DELETE ON "ProcessStatementOfAccounts" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "FinancialReportTemplate" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'FinancialReportTemplate', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "FinancialReportTemplate") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_FinancialReportTemplate_insert" AFTER INSERT ON "FinancialReportTemplate" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_FinancialReportTemplate_delete" AFTER DELETE ON "FinancialReportTemplate" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "TaxWithholdingGroup" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'TaxWithholdingGroup', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "TaxWithholdingGroup") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_TaxWithholdingGroup_insert" AFTER INSERT ON "TaxWithholdingGroup" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_TaxWithholdingGroup_delete" AFTER DELETE ON "TaxWithholdingGroup" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "BankReconciliationTool" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'BankReconciliationTool', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "BankReconciliationTool") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_BankReconciliationTool_insert" AFTER INSERT ON "BankReconciliationTool" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_BankReconciliationTool_delete" AFTER DELETE ON "BankReconciliationTool" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "TransactionDeletionRecord" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'TransactionDeletionRecord', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "TransactionDeletionRecord") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_TransactionDeletionRecord_insert" AFTER INSERT ON "TransactionDeletionRecord" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_TransactionDeletionRecord_delete" AFTER DELETE ON "TransactionDeletionRecord" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "AssetRepair" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'AssetRepair', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "AssetRepair") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_AssetRepair_insert" AFTER INSERT ON "AssetRepair" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_AssetRepair_delete" AFTER DELETE ON "AssetRepair" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "SubcontractingOrder" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SubcontractingOrder', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SubcontractingOrder") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_SubcontractingOrder_insert" AFTER INSERT ON "SubcontractingOrder" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_SubcontractingOrder_delete" AFTER DELETE ON "SubcontractingOrder" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "SubcontractingInwardOrder" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SubcontractingInwardOrder', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SubcontractingInwardOrder") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_SubcontractingInwardOrder_insert" AFTER INSERT ON "SubcontractingInwardOrder" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_SubcontractingInwardOrder_delete" AFTER DELETE ON "SubcontractingInwardOrder" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "SerialAndBatchBundle" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SerialAndBatchBundle', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SerialAndBatchBundle") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_SerialAndBatchBundle_insert" AFTER INSERT ON "SerialAndBatchBundle" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_SerialAndBatchBundle_delete" AFTER DELETE ON "SerialAndBatchBundle" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "SerialNo" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'SerialNo', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "SerialNo") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_SerialNo_insert" AFTER INSERT ON "SerialNo" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_SerialNo_delete" AFTER DELETE ON "SerialNo" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "CustomsTariffNumber" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'CustomsTariffNumber', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "CustomsTariffNumber") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_CustomsTariffNumber_insert" AFTER INSERT ON "CustomsTariffNumber" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_CustomsTariffNumber_delete" AFTER DELETE ON "CustomsTariffNumber" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "UOMCategory" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'UOMCategory', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "UOMCategory") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_UOMCategory_insert" AFTER INSERT ON "UOMCategory" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_UOMCategory_delete" AFTER DELETE ON "UOMCategory" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "BOMCreator" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'BOMCreator', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "BOMCreator") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_BOMCreator_insert" AFTER INSERT ON "BOMCreator" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_BOMCreator_delete" AFTER DELETE ON "BOMCreator" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "JobCard" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'JobCard', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "JobCard") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_JobCard_insert" AFTER INSERT ON "JobCard" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_JobCard_delete" AFTER DELETE ON "JobCard" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "Timesheet" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'Timesheet', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "Timesheet") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_Timesheet_insert" AFTER INSERT ON "Timesheet" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_Timesheet_delete" AFTER DELETE ON "Timesheet" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "IndustryType" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'IndustryType', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "IndustryType") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_IndustryType_insert" AFTER INSERT ON "IndustryType" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_IndustryType_delete" AFTER DELETE ON "IndustryType" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();

LOCK TABLE "Quotation" IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO "RecordCount" ("model", "shard", "count")
  SELECT 'Quotation', shard, CASE shard WHEN 0 THEN (SELECT count(*) FROM "Quotation") ELSE 0 END
  FROM generate_series(0, 15) AS shard;
CREATE TRIGGER "gateway_count_Quotation_insert" AFTER INSERT ON "Quotation" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
CREATE TRIGGER "gateway_count_Quotation_delete" AFTER DELETE ON "Quotation" FOR EACH ROW EXECUTE FUNCTION "gateway_count"();
