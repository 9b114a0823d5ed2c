-- CreateTable
CREATE TABLE "RecordBlock" (
    "model" TEXT NOT NULL,
    "first" TEXT NOT NULL,
    "count" INTEGER,
    "announcedBy" BIGINT,
    "writers" TEXT,

    PRIMARY KEY ("model", "first")
);

-- CreateTable
CREATE TABLE "RecordBlockChange" (
    "model" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "change" INTEGER NOT NULL,

    PRIMARY KEY ("model", "id")
);

-- Blocks of records in the order of their ids, kept by the database, by which an offset is found

CREATE TRIGGER "gateway_block_cut" AFTER INSERT ON "RecordBlock" BEGIN
  UPDATE "RecordBlock" SET "count" = 16384 WHERE "model" = NEW."model" AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = NEW."model" AND "first" < NEW."first"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SigningDocument', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SigningDocument"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_SigningDocument_insert" AFTER INSERT ON "SigningDocument" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SigningDocument' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'SigningDocument', (
      SELECT "id" FROM "SigningDocument" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'SigningDocument' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'SigningDocument' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'SigningDocument')
    END;
END;
CREATE TRIGGER "gateway_block_SigningDocument_delete" AFTER DELETE ON "SigningDocument" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SigningDocument' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'SigningDocument' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_SigningDocument_move" AFTER UPDATE OF "id" ON "SigningDocument" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SigningDocument' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SigningDocument' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningDocument' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SigningSignature', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SigningSignature"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_SigningSignature_insert" AFTER INSERT ON "SigningSignature" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SigningSignature' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'SigningSignature', (
      SELECT "id" FROM "SigningSignature" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'SigningSignature' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'SigningSignature' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'SigningSignature')
    END;
END;
CREATE TRIGGER "gateway_block_SigningSignature_delete" AFTER DELETE ON "SigningSignature" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SigningSignature' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'SigningSignature' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_SigningSignature_move" AFTER UPDATE OF "id" ON "SigningSignature" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SigningSignature' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SigningSignature' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SigningSignature' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'ProcessStatementOfAccounts', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "ProcessStatementOfAccounts"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_ProcessStatementOfAccounts_insert" AFTER INSERT ON "ProcessStatementOfAccounts" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'ProcessStatementOfAccounts' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'ProcessStatementOfAccounts', (
      SELECT "id" FROM "ProcessStatementOfAccounts" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'ProcessStatementOfAccounts' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'ProcessStatementOfAccounts' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts')
    END;
END;
CREATE TRIGGER "gateway_block_ProcessStatementOfAccounts_delete" AFTER DELETE ON "ProcessStatementOfAccounts" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'ProcessStatementOfAccounts' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'ProcessStatementOfAccounts' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_ProcessStatementOfAccounts_move" AFTER UPDATE OF "id" ON "ProcessStatementOfAccounts" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'ProcessStatementOfAccounts' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'ProcessStatementOfAccounts' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'ProcessStatementOfAccounts' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'FinancialReportTemplate', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "FinancialReportTemplate"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_FinancialReportTemplate_insert" AFTER INSERT ON "FinancialReportTemplate" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'FinancialReportTemplate' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'FinancialReportTemplate', (
      SELECT "id" FROM "FinancialReportTemplate" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'FinancialReportTemplate' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'FinancialReportTemplate' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate')
    END;
END;
CREATE TRIGGER "gateway_block_FinancialReportTemplate_delete" AFTER DELETE ON "FinancialReportTemplate" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'FinancialReportTemplate' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'FinancialReportTemplate' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_FinancialReportTemplate_move" AFTER UPDATE OF "id" ON "FinancialReportTemplate" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'FinancialReportTemplate' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'FinancialReportTemplate' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'FinancialReportTemplate' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'TaxWithholdingGroup', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "TaxWithholdingGroup"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_TaxWithholdingGroup_insert" AFTER INSERT ON "TaxWithholdingGroup" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'TaxWithholdingGroup' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'TaxWithholdingGroup', (
      SELECT "id" FROM "TaxWithholdingGroup" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'TaxWithholdingGroup' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'TaxWithholdingGroup' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup')
    END;
END;
CREATE TRIGGER "gateway_block_TaxWithholdingGroup_delete" AFTER DELETE ON "TaxWithholdingGroup" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'TaxWithholdingGroup' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'TaxWithholdingGroup' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_TaxWithholdingGroup_move" AFTER UPDATE OF "id" ON "TaxWithholdingGroup" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'TaxWithholdingGroup' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'TaxWithholdingGroup' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TaxWithholdingGroup' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'BankReconciliationTool', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "BankReconciliationTool"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_BankReconciliationTool_insert" AFTER INSERT ON "BankReconciliationTool" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'BankReconciliationTool' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'BankReconciliationTool', (
      SELECT "id" FROM "BankReconciliationTool" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'BankReconciliationTool' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'BankReconciliationTool' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool')
    END;
END;
CREATE TRIGGER "gateway_block_BankReconciliationTool_delete" AFTER DELETE ON "BankReconciliationTool" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'BankReconciliationTool' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'BankReconciliationTool' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_BankReconciliationTool_move" AFTER UPDATE OF "id" ON "BankReconciliationTool" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'BankReconciliationTool' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'BankReconciliationTool' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BankReconciliationTool' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'TransactionDeletionRecord', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "TransactionDeletionRecord"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_TransactionDeletionRecord_insert" AFTER INSERT ON "TransactionDeletionRecord" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'TransactionDeletionRecord' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'TransactionDeletionRecord', (
      SELECT "id" FROM "TransactionDeletionRecord" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'TransactionDeletionRecord' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'TransactionDeletionRecord' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord')
    END;
END;
CREATE TRIGGER "gateway_block_TransactionDeletionRecord_delete" AFTER DELETE ON "TransactionDeletionRecord" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'TransactionDeletionRecord' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'TransactionDeletionRecord' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_TransactionDeletionRecord_move" AFTER UPDATE OF "id" ON "TransactionDeletionRecord" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'TransactionDeletionRecord' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'TransactionDeletionRecord' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'TransactionDeletionRecord' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'AssetRepair', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "AssetRepair"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_AssetRepair_insert" AFTER INSERT ON "AssetRepair" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'AssetRepair' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'AssetRepair', (
      SELECT "id" FROM "AssetRepair" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'AssetRepair' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'AssetRepair' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'AssetRepair')
    END;
END;
CREATE TRIGGER "gateway_block_AssetRepair_delete" AFTER DELETE ON "AssetRepair" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'AssetRepair' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'AssetRepair' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_AssetRepair_move" AFTER UPDATE OF "id" ON "AssetRepair" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'AssetRepair' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'AssetRepair' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'AssetRepair' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SubcontractingOrder', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SubcontractingOrder"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_SubcontractingOrder_insert" AFTER INSERT ON "SubcontractingOrder" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SubcontractingOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'SubcontractingOrder', (
      SELECT "id" FROM "SubcontractingOrder" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'SubcontractingOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'SubcontractingOrder' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder')
    END;
END;
CREATE TRIGGER "gateway_block_SubcontractingOrder_delete" AFTER DELETE ON "SubcontractingOrder" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SubcontractingOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'SubcontractingOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_SubcontractingOrder_move" AFTER UPDATE OF "id" ON "SubcontractingOrder" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SubcontractingOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SubcontractingOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingOrder' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SubcontractingInwardOrder', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SubcontractingInwardOrder"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_SubcontractingInwardOrder_insert" AFTER INSERT ON "SubcontractingInwardOrder" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SubcontractingInwardOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'SubcontractingInwardOrder', (
      SELECT "id" FROM "SubcontractingInwardOrder" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'SubcontractingInwardOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'SubcontractingInwardOrder' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder')
    END;
END;
CREATE TRIGGER "gateway_block_SubcontractingInwardOrder_delete" AFTER DELETE ON "SubcontractingInwardOrder" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SubcontractingInwardOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'SubcontractingInwardOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_SubcontractingInwardOrder_move" AFTER UPDATE OF "id" ON "SubcontractingInwardOrder" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SubcontractingInwardOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SubcontractingInwardOrder' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SubcontractingInwardOrder' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SerialAndBatchBundle', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SerialAndBatchBundle"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_SerialAndBatchBundle_insert" AFTER INSERT ON "SerialAndBatchBundle" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SerialAndBatchBundle' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'SerialAndBatchBundle', (
      SELECT "id" FROM "SerialAndBatchBundle" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'SerialAndBatchBundle' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'SerialAndBatchBundle' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle')
    END;
END;
CREATE TRIGGER "gateway_block_SerialAndBatchBundle_delete" AFTER DELETE ON "SerialAndBatchBundle" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SerialAndBatchBundle' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'SerialAndBatchBundle' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_SerialAndBatchBundle_move" AFTER UPDATE OF "id" ON "SerialAndBatchBundle" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SerialAndBatchBundle' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SerialAndBatchBundle' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialAndBatchBundle' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'SerialNo', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "SerialNo"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_SerialNo_insert" AFTER INSERT ON "SerialNo" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SerialNo' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'SerialNo', (
      SELECT "id" FROM "SerialNo" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'SerialNo' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'SerialNo' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'SerialNo')
    END;
END;
CREATE TRIGGER "gateway_block_SerialNo_delete" AFTER DELETE ON "SerialNo" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SerialNo' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'SerialNo' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_SerialNo_move" AFTER UPDATE OF "id" ON "SerialNo" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'SerialNo' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'SerialNo' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'SerialNo' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'CustomsTariffNumber', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "CustomsTariffNumber"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_CustomsTariffNumber_insert" AFTER INSERT ON "CustomsTariffNumber" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'CustomsTariffNumber' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'CustomsTariffNumber', (
      SELECT "id" FROM "CustomsTariffNumber" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'CustomsTariffNumber' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'CustomsTariffNumber' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber')
    END;
END;
CREATE TRIGGER "gateway_block_CustomsTariffNumber_delete" AFTER DELETE ON "CustomsTariffNumber" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'CustomsTariffNumber' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'CustomsTariffNumber' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_CustomsTariffNumber_move" AFTER UPDATE OF "id" ON "CustomsTariffNumber" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'CustomsTariffNumber' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'CustomsTariffNumber' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'CustomsTariffNumber' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'UOMCategory', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "UOMCategory"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_UOMCategory_insert" AFTER INSERT ON "UOMCategory" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'UOMCategory' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'UOMCategory', (
      SELECT "id" FROM "UOMCategory" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'UOMCategory' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'UOMCategory' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'UOMCategory')
    END;
END;
CREATE TRIGGER "gateway_block_UOMCategory_delete" AFTER DELETE ON "UOMCategory" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'UOMCategory' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'UOMCategory' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_UOMCategory_move" AFTER UPDATE OF "id" ON "UOMCategory" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'UOMCategory' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'UOMCategory' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'UOMCategory' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'BOMCreator', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "BOMCreator"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_BOMCreator_insert" AFTER INSERT ON "BOMCreator" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'BOMCreator' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'BOMCreator', (
      SELECT "id" FROM "BOMCreator" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'BOMCreator' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'BOMCreator' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'BOMCreator')
    END;
END;
CREATE TRIGGER "gateway_block_BOMCreator_delete" AFTER DELETE ON "BOMCreator" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'BOMCreator' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'BOMCreator' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_BOMCreator_move" AFTER UPDATE OF "id" ON "BOMCreator" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'BOMCreator' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'BOMCreator' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'BOMCreator' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'JobCard', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "JobCard"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_JobCard_insert" AFTER INSERT ON "JobCard" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'JobCard' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'JobCard', (
      SELECT "id" FROM "JobCard" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'JobCard' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'JobCard' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'JobCard')
    END;
END;
CREATE TRIGGER "gateway_block_JobCard_delete" AFTER DELETE ON "JobCard" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'JobCard' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'JobCard' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_JobCard_move" AFTER UPDATE OF "id" ON "JobCard" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'JobCard' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'JobCard' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'JobCard' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'Timesheet', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "Timesheet"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_Timesheet_insert" AFTER INSERT ON "Timesheet" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'Timesheet' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'Timesheet', (
      SELECT "id" FROM "Timesheet" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'Timesheet' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'Timesheet' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'Timesheet')
    END;
END;
CREATE TRIGGER "gateway_block_Timesheet_delete" AFTER DELETE ON "Timesheet" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'Timesheet' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'Timesheet' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_Timesheet_move" AFTER UPDATE OF "id" ON "Timesheet" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'Timesheet' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'Timesheet' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Timesheet' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'IndustryType', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "IndustryType"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_IndustryType_insert" AFTER INSERT ON "IndustryType" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'IndustryType' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'IndustryType', (
      SELECT "id" FROM "IndustryType" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'IndustryType' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'IndustryType' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'IndustryType')
    END;
END;
CREATE TRIGGER "gateway_block_IndustryType_delete" AFTER DELETE ON "IndustryType" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'IndustryType' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'IndustryType' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_IndustryType_move" AFTER UPDATE OF "id" ON "IndustryType" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'IndustryType' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'IndustryType' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'IndustryType' AND "first" <= NEW."id"
  );
END;

INSERT INTO "RecordBlock" ("model", "first")
  SELECT 'Quotation', "id" FROM (
    SELECT '' AS "id", 0 AS place UNION ALL SELECT "id", row_number() OVER (ORDER BY "id") - 1 FROM "Quotation"
  ) AS placed WHERE "id" = '' OR (place > 0 AND place % 16384 = 0) ORDER BY "id";
CREATE TRIGGER "gateway_block_Quotation_insert" AFTER INSERT ON "Quotation" WHEN NEW."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation') OR NEW."rowid" % 1024 = 0 BEGIN
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'Quotation' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation' AND "first" <= NEW."id"
  );
  INSERT OR IGNORE INTO "RecordBlock" ("model", "first", "count")
    SELECT 'Quotation', (
      SELECT "id" FROM "Quotation" WHERE "id" >= block."first" ORDER BY "id" LIMIT 1 OFFSET 16384
    ), block."count" - 16384
    FROM "RecordBlock" AS block WHERE "model" = 'Quotation' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation' AND "first" <= NEW."id"
  ) AND CASE
      WHEN block."count" IS NOT NULL THEN block."count" >= 32768
      WHEN NEW."rowid" % 1024 = 0 THEN 17408 <=
        (SELECT "count" FROM "RecordCount" WHERE "model" = 'Quotation' AND "shard" = 0)
        - (SELECT coalesce(sum("count"), 0) FROM "RecordBlock" WHERE "model" = 'Quotation')
    END;
END;
CREATE TRIGGER "gateway_block_Quotation_delete" AFTER DELETE ON "Quotation" WHEN OLD."id" < (SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation') BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'Quotation' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation' AND "first" <= OLD."id"
  );
  DELETE FROM "RecordBlock" WHERE "count" = 0 AND "first" <> '' AND "model" = 'Quotation' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation' AND "first" <= OLD."id"
  );
END;
CREATE TRIGGER "gateway_block_Quotation_move" AFTER UPDATE OF "id" ON "Quotation" WHEN NEW."id" <> OLD."id" BEGIN
  UPDATE "RecordBlock" SET "count" = "count" - 1 WHERE "count" IS NOT NULL AND "model" = 'Quotation' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation' AND "first" <= OLD."id"
  );
  UPDATE "RecordBlock" SET "count" = "count" + 1 WHERE "count" IS NOT NULL AND "model" = 'Quotation' AND "first" = (
    SELECT max("first") FROM "RecordBlock" WHERE "model" = 'Quotation' AND "first" <= NEW."id"
  );
END;
