-- CreateTable
CREATE TABLE "RecordCount" (
    "model" TEXT NOT NULL,
    "shard" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,

    PRIMARY KEY ("model", "shard")
);

-- Counts kept by the database: exact under rollback, and free to read at any size

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'SigningDocument', 0, count(*) FROM "SigningDocument";
CREATE TRIGGER "gateway_count_SigningDocument_insert" AFTER INSERT ON "SigningDocument" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'SigningDocument' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_SigningDocument_delete" AFTER DELETE ON "SigningDocument" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'SigningDocument' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'SigningSignature', 0, count(*) FROM "SigningSignature";
CREATE TRIGGER "gateway_count_SigningSignature_insert" AFTER INSERT ON "SigningSignature" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'SigningSignature' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_SigningSignature_delete" AFTER DELETE ON "SigningSignature" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'SigningSignature' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'ProcessStatementOfAccounts', 0, count(*) FROM "ProcessStatementOfAccounts";
CREATE TRIGGER "gateway_count_ProcessStatementOfAccounts_insert" AFTER INSERT ON "ProcessStatementOfAccounts" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'ProcessStatementOfAccounts' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_ProcessStatementOfAccounts_delete" AFTER DELETE ON "ProcessStatementOfAccounts" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'ProcessStatementOfAccounts' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'FinancialReportTemplate', 0, count(*) FROM "FinancialReportTemplate";
CREATE TRIGGER "gateway_count_FinancialReportTemplate_insert" AFTER INSERT ON "FinancialReportTemplate" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'FinancialReportTemplate' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_FinancialReportTemplate_delete" AFTER DELETE ON "FinancialReportTemplate" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'FinancialReportTemplate' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'TaxWithholdingGroup', 0, count(*) FROM "TaxWithholdingGroup";
CREATE TRIGGER "gateway_count_TaxWithholdingGroup_insert" AFTER INSERT ON "TaxWithholdingGroup" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'TaxWithholdingGroup' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_TaxWithholdingGroup_delete" AFTER DELETE ON "TaxWithholdingGroup" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'TaxWithholdingGroup' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'BankReconciliationTool', 0, count(*) FROM "BankReconciliationTool";
CREATE TRIGGER "gateway_count_BankReconciliationTool_insert" AFTER INSERT ON "BankReconciliationTool" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'BankReconciliationTool' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_BankReconciliationTool_delete" AFTER DELETE ON "BankReconciliationTool" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'BankReconciliationTool' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'TransactionDeletionRecord', 0, count(*) FROM "TransactionDeletionRecord";
CREATE TRIGGER "gateway_count_TransactionDeletionRecord_insert" AFTER INSERT ON "TransactionDeletionRecord" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'TransactionDeletionRecord' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_TransactionDeletionRecord_delete" AFTER DELETE ON "TransactionDeletionRecord" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'TransactionDeletionRecord' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'AssetRepair', 0, count(*) FROM "AssetRepair";
CREATE TRIGGER "gateway_count_AssetRepair_insert" AFTER INSERT ON "AssetRepair" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'AssetRepair' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_AssetRepair_delete" AFTER DELETE ON "AssetRepair" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'AssetRepair' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'SubcontractingOrder', 0, count(*) FROM "SubcontractingOrder";
CREATE TRIGGER "gateway_count_SubcontractingOrder_insert" AFTER INSERT ON "SubcontractingOrder" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'SubcontractingOrder' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_SubcontractingOrder_delete" AFTER DELETE ON "SubcontractingOrder" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'SubcontractingOrder' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'SubcontractingInwardOrder', 0, count(*) FROM "SubcontractingInwardOrder";
CREATE TRIGGER "gateway_count_SubcontractingInwardOrder_insert" AFTER INSERT ON "SubcontractingInwardOrder" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'SubcontractingInwardOrder' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_SubcontractingInwardOrder_delete" AFTER DELETE ON "SubcontractingInwardOrder" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'SubcontractingInwardOrder' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'SerialAndBatchBundle', 0, count(*) FROM "SerialAndBatchBundle";
CREATE TRIGGER "gateway_count_SerialAndBatchBundle_insert" AFTER INSERT ON "SerialAndBatchBundle" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'SerialAndBatchBundle' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_SerialAndBatchBundle_delete" AFTER DELETE ON "SerialAndBatchBundle" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'SerialAndBatchBundle' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'SerialNo', 0, count(*) FROM "SerialNo";
CREATE TRIGGER "gateway_count_SerialNo_insert" AFTER INSERT ON "SerialNo" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'SerialNo' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_SerialNo_delete" AFTER DELETE ON "SerialNo" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'SerialNo' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'CustomsTariffNumber', 0, count(*) FROM "CustomsTariffNumber";
CREATE TRIGGER "gateway_count_CustomsTariffNumber_insert" AFTER INSERT ON "CustomsTariffNumber" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'CustomsTariffNumber' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_CustomsTariffNumber_delete" AFTER DELETE ON "CustomsTariffNumber" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'CustomsTariffNumber' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'UOMCategory', 0, count(*) FROM "UOMCategory";
CREATE TRIGGER "gateway_count_UOMCategory_insert" AFTER INSERT ON "UOMCategory" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'UOMCategory' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_UOMCategory_delete" AFTER DELETE ON "UOMCategory" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'UOMCategory' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'BOMCreator', 0, count(*) FROM "BOMCreator";
CREATE TRIGGER "gateway_count_BOMCreator_insert" AFTER INSERT ON "BOMCreator" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'BOMCreator' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_BOMCreator_delete" AFTER DELETE ON "BOMCreator" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'BOMCreator' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'JobCard', 0, count(*) FROM "JobCard";
CREATE TRIGGER "gateway_count_JobCard_insert" AFTER INSERT ON "JobCard" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'JobCard' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_JobCard_delete" AFTER DELETE ON "JobCard" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'JobCard' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'Timesheet', 0, count(*) FROM "Timesheet";
CREATE TRIGGER "gateway_count_Timesheet_insert" AFTER INSERT ON "Timesheet" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'Timesheet' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_Timesheet_delete" AFTER DELETE ON "Timesheet" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'Timesheet' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'IndustryType', 0, count(*) FROM "IndustryType";
CREATE TRIGGER "gateway_count_IndustryType_insert" AFTER INSERT ON "IndustryType" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'IndustryType' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_IndustryType_delete" AFTER DELETE ON "IndustryType" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'IndustryType' AND "shard" = 0;
END;

INSERT INTO "RecordCount" ("model", "shard", "count") SELECT 'Quotation', 0, count(*) FROM "Quotation";
CREATE TRIGGER "gateway_count_Quotation_insert" AFTER INSERT ON "Quotation" BEGIN
  UPDATE "RecordCount" SET "count" = "count" + 1 WHERE "model" = 'Quotation' AND "shard" = 0;
END;
CREATE TRIGGER "gateway_count_Quotation_delete" AFTER DELETE ON "Quotation" BEGIN
  UPDATE "RecordCount" SET "count" = "count" - 1 WHERE "model" = 'Quotation' AND "shard" = 0;
END;
