-- Columns that may be null and have no default: added at once, however many records a table has.

-- AlterTable
ALTER TABLE "AssetRepair" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "BOMCreator" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "BankReconciliationTool" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "CurrencyExchangeSettings" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "CustomsTariffNumber" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "FinancialReportTemplate" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "IndustryType" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "JobCard" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "ProcessStatementOfAccounts" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "Quotation" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "SerialAndBatchBundle" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "SerialNo" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "SigningDocument" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "SigningSignature" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "SubcontractingInwardOrder" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "SubcontractingOrder" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "SubscriptionSettings" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "TaxWithholdingGroup" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "Timesheet" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "TransactionDeletionRecord" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";

-- AlterTable
ALTER TABLE "UOMCategory" ADD COLUMN     "createdBy" TEXT COLLATE "C",
ADD COLUMN     "updatedBy" TEXT COLLATE "C";
