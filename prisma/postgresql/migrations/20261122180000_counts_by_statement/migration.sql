-- Counts once for each statement instead of once for each record.
CREATE OR REPLACE FUNCTION "gateway_count_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  difference integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  size integer;
  lowest text COLLATE "C";
  open text COLLATE "C";
  free integer;
BEGIN
  SELECT count(*), min("id") INTO size, lowest FROM "changed";
  IF size = 0 THEN
    RETURN NULL;
  END IF;
  -- The highest "first" is looked up by an order that only the index has: PostgreSQL would read a small table as a whole.
  SELECT "shard", (
      SELECT "first" FROM "RecordBlock" WHERE "model" = TG_TABLE_NAME ORDER BY "model" DESC, "first" DESC LIMIT 1
    ) INTO free, open
    FROM "RecordCount" WHERE "model" = TG_TABLE_NAME AND "shard" = pg_backend_pid() % 16 FOR UPDATE SKIP LOCKED;
  IF free IS NULL THEN
    SELECT "shard" INTO free FROM "RecordCount" WHERE "model" = TG_TABLE_NAME LIMIT 1 FOR UPDATE SKIP LOCKED;
    SELECT max("first") INTO open FROM "RecordBlock" WHERE "model" = TG_TABLE_NAME;
  END IF;
  -- A transaction that keeps its first snapshot may not see that the open block was cut, and records all.
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    open := NULL;
  END IF;
  IF open IS NULL OR lowest < open THEN
    INSERT INTO "RecordBlockChange" ("model", "id", "change")
      SELECT TG_TABLE_NAME, "id", difference FROM "changed" WHERE open IS NULL OR "id" < open
      ON CONFLICT ("model", "id") DO UPDATE SET "change" = "RecordBlockChange"."change" + EXCLUDED."change";
  END IF;
  difference := difference * size;
  IF free IS NULL THEN
    INSERT INTO "RecordCount" ("model", "shard", "count") VALUES (TG_TABLE_NAME, 16 + pg_backend_pid(), difference)
      ON CONFLICT ("model", "shard") DO UPDATE SET "count" = "RecordCount"."count" + EXCLUDED."count";
  ELSIF random() * 1024 < size THEN
    UPDATE "RecordCount" SET "model" = "model", "count" = "count" + difference
      WHERE "model" = TG_TABLE_NAME AND "shard" = free;
  ELSE
    UPDATE "RecordCount" SET "count" = "count" + difference WHERE "model" = TG_TABLE_NAME AND "shard" = free;
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER "gateway_count_SigningDocument_row" ON "SigningDocument";
DROP TRIGGER "gateway_count_SigningDocument_statement" ON "SigningDocument";
CREATE TRIGGER "gateway_count_SigningDocument_insert" AFTER INSERT ON "SigningDocument" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_SigningDocument_delete" AFTER DELETE ON "SigningDocument" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_SigningSignature_row" ON "SigningSignature";
DROP TRIGGER "gateway_count_SigningSignature_statement" ON "SigningSignature";
CREATE TRIGGER "gateway_count_SigningSignature_insert" AFTER INSERT ON "SigningSignature" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_SigningSignature_delete" AFTER DELETE ON "SigningSignature" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_ProcessStatementOfAccounts_row" ON "ProcessStatementOfAccounts";
DROP TRIGGER "gateway_count_ProcessStatementOfAccounts_statement" ON "ProcessStatementOfAccounts";
CREATE TRIGGER "gateway_count_ProcessStatementOfAccounts_insert" AFTER INSERT ON "ProcessStatementOfAccounts" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_ProcessStatementOfAccounts_delete" AFTER DELETE ON "ProcessStatementOfAccounts" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_FinancialReportTemplate_row" ON "FinancialReportTemplate";
DROP TRIGGER "gateway_count_FinancialReportTemplate_statement" ON "FinancialReportTemplate";
CREATE TRIGGER "gateway_count_FinancialReportTemplate_insert" AFTER INSERT ON "FinancialReportTemplate" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_FinancialReportTemplate_delete" AFTER DELETE ON "FinancialReportTemplate" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_TaxWithholdingGroup_row" ON "TaxWithholdingGroup";
DROP TRIGGER "gateway_count_TaxWithholdingGroup_statement" ON "TaxWithholdingGroup";
CREATE TRIGGER "gateway_count_TaxWithholdingGroup_insert" AFTER INSERT ON "TaxWithholdingGroup" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_TaxWithholdingGroup_delete" AFTER DELETE ON "TaxWithholdingGroup" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_BankReconciliationTool_row" ON "BankReconciliationTool";
DROP TRIGGER "gateway_count_BankReconciliationTool_statement" ON "BankReconciliationTool";
CREATE TRIGGER "gateway_count_BankReconciliationTool_insert" AFTER INSERT ON "BankReconciliationTool" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_BankReconciliationTool_delete" AFTER DELETE ON "BankReconciliationTool" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_TransactionDeletionRecord_row" ON "TransactionDeletionRecord";
DROP TRIGGER "gateway_count_TransactionDeletionRecord_statement" ON "TransactionDeletionRecord";
CREATE TRIGGER "gateway_count_TransactionDeletionRecord_insert" AFTER INSERT ON "TransactionDeletionRecord" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_TransactionDeletionRecord_delete" AFTER DELETE ON "TransactionDeletionRecord" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_AssetRepair_row" ON "AssetRepair";
DROP TRIGGER "gateway_count_AssetRepair_statement" ON "AssetRepair";
CREATE TRIGGER "gateway_count_AssetRepair_insert" AFTER INSERT ON "AssetRepair" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_AssetRepair_delete" AFTER DELETE ON "AssetRepair" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_SubcontractingOrder_row" ON "SubcontractingOrder";
DROP TRIGGER "gateway_count_SubcontractingOrder_statement" ON "SubcontractingOrder";
CREATE TRIGGER "gateway_count_SubcontractingOrder_insert" AFTER INSERT ON "SubcontractingOrder" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_SubcontractingOrder_delete" AFTER DELETE ON "SubcontractingOrder" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_SubcontractingInwardOrder_row" ON "SubcontractingInwardOrder";
DROP TRIGGER "gateway_count_SubcontractingInwardOrder_statement" ON "SubcontractingInwardOrder";
CREATE TRIGGER "gateway_count_SubcontractingInwardOrder_insert" AFTER INSERT ON "SubcontractingInwardOrder" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_SubcontractingInwardOrder_delete" AFTER DELETE ON "SubcontractingInwardOrder" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_SerialAndBatchBundle_row" ON "SerialAndBatchBundle";
DROP TRIGGER "gateway_count_SerialAndBatchBundle_statement" ON "SerialAndBatchBundle";
CREATE TRIGGER "gateway_count_SerialAndBatchBundle_insert" AFTER INSERT ON "SerialAndBatchBundle" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_SerialAndBatchBundle_delete" AFTER DELETE ON "SerialAndBatchBundle" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_SerialNo_row" ON "SerialNo";
DROP TRIGGER "gateway_count_SerialNo_statement" ON "SerialNo";
CREATE TRIGGER "gateway_count_SerialNo_insert" AFTER INSERT ON "SerialNo" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_SerialNo_delete" AFTER DELETE ON "SerialNo" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_CustomsTariffNumber_row" ON "CustomsTariffNumber";
DROP TRIGGER "gateway_count_CustomsTariffNumber_statement" ON "CustomsTariffNumber";
CREATE TRIGGER "gateway_count_CustomsTariffNumber_insert" AFTER INSERT ON "CustomsTariffNumber" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_CustomsTariffNumber_delete" AFTER DELETE ON "CustomsTariffNumber" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_UOMCategory_row" ON "UOMCategory";
DROP TRIGGER "gateway_count_UOMCategory_statement" ON "UOMCategory";
CREATE TRIGGER "gateway_count_UOMCategory_insert" AFTER INSERT ON "UOMCategory" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_UOMCategory_delete" AFTER DELETE ON "UOMCategory" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_BOMCreator_row" ON "BOMCreator";
DROP TRIGGER "gateway_count_BOMCreator_statement" ON "BOMCreator";
CREATE TRIGGER "gateway_count_BOMCreator_insert" AFTER INSERT ON "BOMCreator" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_BOMCreator_delete" AFTER DELETE ON "BOMCreator" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_JobCard_row" ON "JobCard";
DROP TRIGGER "gateway_count_JobCard_statement" ON "JobCard";
CREATE TRIGGER "gateway_count_JobCard_insert" AFTER INSERT ON "JobCard" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_JobCard_delete" AFTER DELETE ON "JobCard" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_Timesheet_row" ON "Timesheet";
DROP TRIGGER "gateway_count_Timesheet_statement" ON "Timesheet";
CREATE TRIGGER "gateway_count_Timesheet_insert" AFTER INSERT ON "Timesheet" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_Timesheet_delete" AFTER DELETE ON "Timesheet" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_IndustryType_row" ON "IndustryType";
DROP TRIGGER "gateway_count_IndustryType_statement" ON "IndustryType";
CREATE TRIGGER "gateway_count_IndustryType_insert" AFTER INSERT ON "IndustryType" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_IndustryType_delete" AFTER DELETE ON "IndustryType" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP TRIGGER "gateway_count_Quotation_row" ON "Quotation";
DROP TRIGGER "gateway_count_Quotation_statement" ON "Quotation";
CREATE TRIGGER "gateway_count_Quotation_insert" AFTER INSERT ON "Quotation" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();
CREATE TRIGGER "gateway_count_Quotation_delete" AFTER DELETE ON "Quotation" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "gateway_count_changed"();

DROP FUNCTION "gateway_count_row"();
DROP FUNCTION "gateway_count_statement"();
