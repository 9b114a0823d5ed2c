-- Columns that may be null and have no default: added at once, however many records a table has.

-- AlterTable
ALTER TABLE "AssetRepair" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "AssetRepair" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "BOMCreator" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "BOMCreator" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "BankReconciliationTool" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "BankReconciliationTool" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "CurrencyExchangeSettings" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "CurrencyExchangeSettings" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "CustomsTariffNumber" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "CustomsTariffNumber" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "FinancialReportTemplate" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "FinancialReportTemplate" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "IndustryType" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "IndustryType" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "JobCard" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "JobCard" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "ProcessStatementOfAccounts" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "ProcessStatementOfAccounts" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "Quotation" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "Quotation" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "SerialAndBatchBundle" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "SerialAndBatchBundle" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "SerialNo" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "SerialNo" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "SigningDocument" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "SigningDocument" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "SigningSignature" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "SigningSignature" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "SubcontractingInwardOrder" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "SubcontractingInwardOrder" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "SubcontractingOrder" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "SubcontractingOrder" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "SubscriptionSettings" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "SubscriptionSettings" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "TaxWithholdingGroup" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "TaxWithholdingGroup" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "Timesheet" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "Timesheet" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "TransactionDeletionRecord" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "TransactionDeletionRecord" ADD COLUMN "updatedBy" TEXT;

-- AlterTable
ALTER TABLE "UOMCategory" ADD COLUMN "createdBy" TEXT;
ALTER TABLE "UOMCategory" ADD COLUMN "updatedBy" TEXT;
