-- All tables for the profile `distributed`: no triggers but those of rows, no sequences, no advisory or table locks. Transactions are
-- SERIALIZABLE, and do what these would do: two that are in each other's way are never both committed.

-- Ascending in one session, and not the same in two but by a rare chance, in which one of them is repeated. Microseconds
-- since 2020, and ten bits by chance.
CREATE FUNCTION "gateway_next_entry"() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  own bigint := (extract(epoch FROM clock_timestamp()) * 1000000 - 1577836800000000)::bigint * 1024
    + floor(random() * 1024)::bigint;
BEGIN
  own := greatest(own, coalesce(nullif(current_setting('gateway.entry', true), ''), '0')::bigint + 1);
  PERFORM set_config('gateway.entry', own::text, false);
  RETURN own;
END $$;

-- CreateTable
CREATE TABLE "ProcessStatementOfAccounts" (
    "id" TEXT COLLATE "C" NOT NULL,
    "frequency" TEXT COLLATE "C",
    "company" TEXT COLLATE "C" NOT NULL,
    "fromDate" TEXT COLLATE "C",
    "toDate" TEXT COLLATE "C",
    "customerCollection" TEXT COLLATE "C",
    "collectionName" TEXT COLLATE "C",
    "account" TEXT COLLATE "C",
    "financeBook" TEXT COLLATE "C",
    "orientation" TEXT COLLATE "C",
    "startDate" TEXT COLLATE "C",
    "currency" TEXT COLLATE "C",
    "includeAgeing" BOOLEAN NOT NULL DEFAULT false,
    "ageingBasedOn" TEXT COLLATE "C" NOT NULL DEFAULT 'Due Date',
    "enableAutoEmail" BOOLEAN NOT NULL DEFAULT false,
    "primaryMandatory" BOOLEAN NOT NULL DEFAULT true,
    "filterDuration" INTEGER NOT NULL DEFAULT 1,
    "subject" TEXT COLLATE "C",
    "body" TEXT COLLATE "C",
    "letterHead" TEXT COLLATE "C",
    "termsAndConditions" TEXT COLLATE "C",
    "includeBreak" BOOLEAN NOT NULL DEFAULT true,
    "showNetValuesInPartyAccount" BOOLEAN NOT NULL DEFAULT false,
    "sender" TEXT COLLATE "C",
    "report" TEXT COLLATE "C" NOT NULL,
    "postingDate" TEXT COLLATE "C",
    "paymentTermsTemplate" TEXT COLLATE "C",
    "salesPartner" TEXT COLLATE "C",
    "salesPerson" TEXT COLLATE "C",
    "territory" TEXT COLLATE "C",
    "basedOnPaymentTerms" BOOLEAN NOT NULL DEFAULT false,
    "pdfName" TEXT COLLATE "C",
    "ignoreExchangeRateRevaluationJournals" BOOLEAN NOT NULL DEFAULT false,
    "ignoreCrDrNotes" BOOLEAN NOT NULL DEFAULT false,
    "showRemarks" BOOLEAN NOT NULL DEFAULT false,
    "categorizeBy" TEXT COLLATE "C" NOT NULL DEFAULT 'Categorize by Voucher (Consolidated)',
    "showFuturePayments" BOOLEAN NOT NULL DEFAULT false,
    "printFormat" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ProcessStatementOfAccounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProcessStatementOfAccountsCC" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "processStatementOfAccountsId" TEXT COLLATE "C" NOT NULL,
    "cc" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ProcessStatementOfAccountsCC_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProcessStatementOfAccountsCustomer" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "processStatementOfAccountsId" TEXT COLLATE "C" NOT NULL,
    "customer" TEXT COLLATE "C" NOT NULL,
    "primaryEmail" TEXT COLLATE "C",
    "billingEmail" TEXT COLLATE "C",
    "customerName" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ProcessStatementOfAccountsCustomer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FinancialReportTemplate" (
    "id" TEXT COLLATE "C" NOT NULL,
    "templateName" TEXT COLLATE "C" NOT NULL,
    "reportType" TEXT COLLATE "C" NOT NULL,
    "module" TEXT COLLATE "C",
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "FinancialReportTemplate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FinancialReportRow" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "financialReportTemplateId" TEXT COLLATE "C" NOT NULL,
    "referenceCode" TEXT COLLATE "C",
    "displayName" TEXT COLLATE "C",
    "indentationLevel" INTEGER,
    "dataSource" TEXT COLLATE "C",
    "balanceType" TEXT COLLATE "C",
    "boldText" BOOLEAN,
    "italicText" BOOLEAN,
    "hiddenCalculation" BOOLEAN,
    "hideWhenEmpty" BOOLEAN,
    "reverseSign" BOOLEAN,
    "calculationFormula" TEXT COLLATE "C",
    "includeInCharts" BOOLEAN,
    "color" TEXT COLLATE "C",
    "fieldtype" TEXT COLLATE "C",
    "advancedFiltering" BOOLEAN,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "FinancialReportRow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SalesInvoicePayment" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "parentId" TEXT COLLATE "C" NOT NULL,
    "parentType" TEXT COLLATE "C" NOT NULL,
    "modeOfPayment" TEXT COLLATE "C" NOT NULL,
    "amount" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "account" TEXT COLLATE "C",
    "type" TEXT COLLATE "C",
    "baseAmount" DOUBLE PRECISION,
    "clearanceDate" TEXT COLLATE "C",
    "default" BOOLEAN NOT NULL DEFAULT false,
    "referenceNo" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SalesInvoicePayment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TaxWithholdingGroup" (
    "id" TEXT COLLATE "C" NOT NULL,
    "groupName" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TaxWithholdingGroup_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BankReconciliationTool" (
    "id" TEXT COLLATE "C" NOT NULL,
    "company" TEXT COLLATE "C",
    "bankAccount" TEXT COLLATE "C",
    "bankStatementFromDate" TEXT COLLATE "C",
    "bankStatementToDate" TEXT COLLATE "C",
    "accountOpeningBalance" DOUBLE PRECISION,
    "bankStatementClosingBalance" DOUBLE PRECISION,
    "fromReferenceDate" TEXT COLLATE "C",
    "toReferenceDate" TEXT COLLATE "C",
    "filterByReferenceDate" BOOLEAN NOT NULL DEFAULT false,
    "accountCurrency" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "BankReconciliationTool_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CurrencyExchangeSettings" (
    "id" TEXT COLLATE "C" NOT NULL,
    "apiEndpoint" TEXT COLLATE "C",
    "url" TEXT COLLATE "C",
    "serviceProvider" TEXT COLLATE "C",
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "accessKey" TEXT COLLATE "C",
    "useHttp" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "CurrencyExchangeSettings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CurrencyExchangeSettingsDetails" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "currencyExchangeSettingsId" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "value" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "CurrencyExchangeSettingsDetails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CurrencyExchangeSettingsResult" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "currencyExchangeSettingsId" TEXT COLLATE "C" NOT NULL,
    "key" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "CurrencyExchangeSettingsResult_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubscriptionSettings" (
    "id" TEXT COLLATE "C" NOT NULL,
    "gracePeriod" INTEGER NOT NULL DEFAULT 1,
    "cancelAfterGrace" BOOLEAN NOT NULL DEFAULT false,
    "prorate" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubscriptionSettings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AssetRepair" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "failureDate" TEXT COLLATE "C" NOT NULL,
    "completionDate" TEXT COLLATE "C",
    "repairStatus" TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    "description" TEXT COLLATE "C",
    "actionsPerformed" TEXT COLLATE "C",
    "downtime" TEXT COLLATE "C",
    "repairCost" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "asset" TEXT COLLATE "C" NOT NULL,
    "assetName" TEXT COLLATE "C",
    "capitalizeRepairCost" BOOLEAN NOT NULL DEFAULT false,
    "costCenter" TEXT COLLATE "C",
    "project" TEXT COLLATE "C",
    "totalRepairCost" DOUBLE PRECISION,
    "increaseInAssetLife" INTEGER,
    "company" TEXT COLLATE "C",
    "consumedItemsCost" DOUBLE PRECISION,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "AssetRepair_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AssetRepairConsumedItem" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "assetRepairId" TEXT COLLATE "C" NOT NULL,
    "valuationRate" DOUBLE PRECISION,
    "consumedQuantity" TEXT COLLATE "C",
    "totalValue" DOUBLE PRECISION,
    "serialNo" TEXT COLLATE "C",
    "itemCode" TEXT COLLATE "C" NOT NULL,
    "serialAndBatchBundle" TEXT COLLATE "C",
    "warehouse" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "AssetRepairConsumedItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AssetRepairPurchaseInvoice" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "assetRepairId" TEXT COLLATE "C" NOT NULL,
    "purchaseInvoice" TEXT COLLATE "C",
    "expenseAccount" TEXT COLLATE "C" NOT NULL,
    "repairCost" DOUBLE PRECISION NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "AssetRepairPurchaseInvoice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IndustryType" (
    "id" TEXT COLLATE "C" NOT NULL,
    "industry" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "IndustryType_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Quotation" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "quotationTo" TEXT COLLATE "C" NOT NULL DEFAULT 'Customer',
    "partyName" TEXT COLLATE "C",
    "customerName" TEXT COLLATE "C",
    "company" TEXT COLLATE "C" NOT NULL,
    "transactionDate" TEXT COLLATE "C" NOT NULL,
    "validTill" TEXT COLLATE "C",
    "orderType" TEXT COLLATE "C" NOT NULL DEFAULT 'Sales',
    "customerAddress" TEXT COLLATE "C",
    "addressDisplay" TEXT COLLATE "C",
    "contactPerson" TEXT COLLATE "C",
    "contactDisplay" TEXT COLLATE "C",
    "contactMobile" TEXT COLLATE "C",
    "contactEmail" TEXT COLLATE "C",
    "shippingAddressName" TEXT COLLATE "C",
    "shippingAddress" TEXT COLLATE "C",
    "customerGroup" TEXT COLLATE "C",
    "territory" TEXT COLLATE "C",
    "currency" TEXT COLLATE "C" NOT NULL,
    "conversionRate" DOUBLE PRECISION NOT NULL,
    "sellingPriceList" TEXT COLLATE "C" NOT NULL,
    "priceListCurrency" TEXT COLLATE "C" NOT NULL,
    "plcConversionRate" DOUBLE PRECISION NOT NULL,
    "ignorePricingRule" BOOLEAN NOT NULL DEFAULT false,
    "totalQty" DOUBLE PRECISION,
    "baseTotal" DOUBLE PRECISION,
    "baseNetTotal" DOUBLE PRECISION,
    "total" DOUBLE PRECISION,
    "netTotal" DOUBLE PRECISION,
    "totalNetWeight" DOUBLE PRECISION,
    "taxCategory" TEXT COLLATE "C",
    "shippingRule" TEXT COLLATE "C",
    "taxesAndCharges" TEXT COLLATE "C",
    "otherChargesCalculation" TEXT COLLATE "C",
    "baseTotalTaxesAndCharges" DOUBLE PRECISION,
    "totalTaxesAndCharges" DOUBLE PRECISION,
    "couponCode" TEXT COLLATE "C",
    "referralSalesPartner" TEXT COLLATE "C",
    "applyDiscountOn" TEXT COLLATE "C" NOT NULL DEFAULT 'Grand Total',
    "baseDiscountAmount" DOUBLE PRECISION,
    "additionalDiscountPercentage" DOUBLE PRECISION,
    "discountAmount" DOUBLE PRECISION,
    "baseGrandTotal" DOUBLE PRECISION,
    "baseRoundingAdjustment" DOUBLE PRECISION,
    "baseInWords" TEXT COLLATE "C",
    "baseRoundedTotal" DOUBLE PRECISION,
    "grandTotal" DOUBLE PRECISION,
    "roundingAdjustment" DOUBLE PRECISION,
    "roundedTotal" DOUBLE PRECISION,
    "inWords" TEXT COLLATE "C",
    "paymentTermsTemplate" TEXT COLLATE "C",
    "tcName" TEXT COLLATE "C",
    "terms" TEXT COLLATE "C",
    "letterHead" TEXT COLLATE "C",
    "groupSameItems" BOOLEAN NOT NULL DEFAULT false,
    "selectPrintHeading" TEXT COLLATE "C",
    "language" TEXT COLLATE "C",
    "autoRepeat" TEXT COLLATE "C",
    "orderLostReason" TEXT COLLATE "C",
    "enqDet" TEXT COLLATE "C",
    "supplierQuotation" TEXT COLLATE "C",
    "opportunity" TEXT COLLATE "C",
    "companyAddress" TEXT COLLATE "C",
    "companyAddressDisplay" TEXT COLLATE "C",
    "scanBarcode" TEXT COLLATE "C",
    "incoterm" TEXT COLLATE "C",
    "namedPlace" TEXT COLLATE "C",
    "utmCampaign" TEXT COLLATE "C",
    "utmSource" TEXT COLLATE "C",
    "utmMedium" TEXT COLLATE "C",
    "utmContent" TEXT COLLATE "C",
    "disableRoundedTotal" BOOLEAN NOT NULL DEFAULT false,
    "companyContactPerson" TEXT COLLATE "C",
    "hasUnitPriceItems" BOOLEAN NOT NULL DEFAULT false,
    "title" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "Quotation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "scopes" TEXT COLLATE "C" NOT NULL DEFAULT '*',
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ForeignParent" (
    "id" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ForeignParent_pkey" PRIMARY KEY ("id")
);

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

-- CreateTable
CREATE TABLE "IdempotentRequest" (
    "id" TEXT COLLATE "C" NOT NULL,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "answer" BYTEA,

    CONSTRAINT "IdempotentRequest_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "RateWindow" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "minute" INTEGER NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "RateWindow_pkey" PRIMARY KEY ("keyId")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "id" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "types" TEXT COLLATE "C" NOT NULL,
    "actions" TEXT COLLATE "C" NOT NULL,
    "selection" TEXT COLLATE "C",
    "keyId" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "fingerprint" TEXT COLLATE "C" NOT NULL,
    "overlapUntil" TIMESTAMP(3),
    "position" BIGINT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failingSince" TIMESTAMP(3),
    "disabledAt" TIMESTAMP(3),
    "disabledReason" TEXT COLLATE "C",

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" TEXT COLLATE "C" NOT NULL,
    "webhookId" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT,
    "document" TEXT COLLATE "C" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "firstFailedAt" TIMESTAMP(3),
    "nextAttemptAt" TIMESTAMP(3) NOT NULL,
    "requestedAt" TIMESTAMP(3),

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookAttempt" (
    "id" TEXT COLLATE "C" NOT NULL,
    "webhookId" TEXT COLLATE "C" NOT NULL,
    "messageId" TEXT COLLATE "C" NOT NULL,
    "position" BIGINT,
    "at" TIMESTAMP(3) NOT NULL,
    "status" INTEGER,
    "failure" TEXT COLLATE "C",
    "milliseconds" INTEGER NOT NULL,

    CONSTRAINT "WebhookAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookLease" (
    "id" TEXT COLLATE "C" NOT NULL,
    "holder" TEXT COLLATE "C" NOT NULL,
    "expiresAt" BIGINT NOT NULL,

    CONSTRAINT "WebhookLease_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "JournalEntry" (
    "entry" BIGINT NOT NULL DEFAULT gateway_next_entry(),
    "position" BIGINT,
    "at" TIMESTAMP(3) NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "recordId" TEXT COLLATE "C" NOT NULL,
    "documentModel" TEXT COLLATE "C",
    "documentId" TEXT COLLATE "C" NOT NULL,
    "revision" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "keyName" TEXT COLLATE "C" NOT NULL,
    "requestId" TEXT COLLATE "C" NOT NULL,
    "operation" TEXT COLLATE "C",
    "changes" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "JournalEntry_pkey" PRIMARY KEY ("entry")
);

-- CreateTable
CREATE TABLE "JournalState" (
    "id" INTEGER NOT NULL,
    "since" TIMESTAMP(3),
    "position" BIGINT NOT NULL DEFAULT 0,
    "swept" BIGINT NOT NULL DEFAULT 0,
    "keptAt" BIGINT NOT NULL DEFAULT 0,
    "place" TEXT COLLATE "C",

    CONSTRAINT "JournalState_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiUse" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "surface" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "userAgent" TEXT COLLATE "C" NOT NULL,
    "calls" BIGINT NOT NULL,
    "firstAt" BIGINT NOT NULL,
    "lastAt" BIGINT NOT NULL,

    CONSTRAINT "ApiUse_pkey" PRIMARY KEY ("keyId","surface","name","userAgent")
);

-- CreateTable
CREATE TABLE "ImportProgress" (
    "id" TEXT COLLATE "C" NOT NULL,
    "lines" INTEGER NOT NULL,
    "imported" INTEGER NOT NULL,
    "unchanged" INTEGER NOT NULL,
    "refused" INTEGER NOT NULL,
    "isFinished" BOOLEAN NOT NULL,

    CONSTRAINT "ImportProgress_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BOMCreator" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "company" TEXT COLLATE "C" NOT NULL,
    "rmCostAsPer" TEXT COLLATE "C" NOT NULL DEFAULT 'Valuation Rate',
    "buyingPriceList" TEXT COLLATE "C",
    "priceListCurrency" TEXT COLLATE "C",
    "plcConversionRate" DOUBLE PRECISION,
    "currency" TEXT COLLATE "C" NOT NULL,
    "conversionRate" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "rawMaterialCost" DOUBLE PRECISION,
    "remarks" TEXT COLLATE "C",
    "project" TEXT COLLATE "C",
    "itemCode" TEXT COLLATE "C" NOT NULL,
    "qty" DOUBLE PRECISION NOT NULL,
    "itemName" TEXT COLLATE "C",
    "uom" TEXT COLLATE "C",
    "itemGroup" TEXT COLLATE "C",
    "defaultWarehouse" TEXT COLLATE "C",
    "setRateBasedOnWarehouse" BOOLEAN NOT NULL DEFAULT false,
    "errorLog" TEXT COLLATE "C",
    "routing" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "BOMCreator_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "JobCard" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "workOrder" TEXT COLLATE "C",
    "bomNo" TEXT COLLATE "C",
    "workstation" TEXT COLLATE "C",
    "operation" TEXT COLLATE "C",
    "postingDate" TEXT COLLATE "C",
    "company" TEXT COLLATE "C",
    "forQuantity" DOUBLE PRECISION,
    "wipWarehouse" TEXT COLLATE "C",
    "totalCompletedQty" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "totalTimeInMins" DOUBLE PRECISION,
    "operationId" TEXT COLLATE "C",
    "transferredQty" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "requestedQty" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "project" TEXT COLLATE "C",
    "remarks" TEXT COLLATE "C",
    "productionItem" TEXT COLLATE "C",
    "barcode" TEXT COLLATE "C",
    "itemName" TEXT COLLATE "C",
    "operationRowNumber" TEXT COLLATE "C",
    "sequenceId" DOUBLE PRECISION,
    "qualityInspection" TEXT COLLATE "C",
    "hourRate" DOUBLE PRECISION,
    "isCorrectiveJobCard" BOOLEAN NOT NULL DEFAULT false,
    "forJobCard" TEXT COLLATE "C",
    "forOperation" TEXT COLLATE "C",
    "serialNo" TEXT COLLATE "C",
    "batchNo" TEXT COLLATE "C",
    "qualityInspectionTemplate" TEXT COLLATE "C",
    "workstationType" TEXT COLLATE "C",
    "expectedStartDate" TEXT COLLATE "C",
    "expectedEndDate" TEXT COLLATE "C",
    "serialAndBatchBundle" TEXT COLLATE "C",
    "processLossQty" DOUBLE PRECISION,
    "timeRequired" DOUBLE PRECISION,
    "actualStartDate" TEXT COLLATE "C",
    "actualEndDate" TEXT COLLATE "C",
    "finishedGood" TEXT COLLATE "C",
    "targetWarehouse" TEXT COLLATE "C",
    "operationRowId" DOUBLE PRECISION,
    "sourceWarehouse" TEXT COLLATE "C",
    "semiFgBom" TEXT COLLATE "C",
    "isSubcontracted" BOOLEAN NOT NULL DEFAULT false,
    "manufacturedQty" DOUBLE PRECISION,
    "skipMaterialTransfer" BOOLEAN NOT NULL DEFAULT false,
    "backflushFromWipWarehouse" BOOLEAN NOT NULL DEFAULT false,
    "isPaused" BOOLEAN NOT NULL DEFAULT false,
    "trackSemiFinishedGoods" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "JobCard_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "JobCardTimeLog" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "parentId" TEXT COLLATE "C" NOT NULL,
    "parentType" TEXT COLLATE "C" NOT NULL,
    "fromTime" TEXT COLLATE "C",
    "toTime" TEXT COLLATE "C",
    "timeInMins" DOUBLE PRECISION,
    "completedQty" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "employee" TEXT COLLATE "C",
    "operation" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 1,
    "jobCardId" TEXT COLLATE "C",

    CONSTRAINT "JobCardTimeLog_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Timesheet" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "title" TEXT COLLATE "C" NOT NULL DEFAULT '{employee_name}',
    "company" TEXT COLLATE "C",
    "salesInvoice" TEXT COLLATE "C",
    "employee" TEXT COLLATE "C",
    "employeeName" TEXT COLLATE "C",
    "department" TEXT COLLATE "C",
    "user" TEXT COLLATE "C",
    "startDate" TEXT COLLATE "C",
    "endDate" TEXT COLLATE "C",
    "totalHours" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "totalBillableHours" DOUBLE PRECISION,
    "totalBilledHours" DOUBLE PRECISION,
    "totalCostingAmount" DOUBLE PRECISION,
    "totalBillableAmount" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "totalBilledAmount" DOUBLE PRECISION,
    "perBilled" DOUBLE PRECISION,
    "note" TEXT COLLATE "C",
    "parentProject" TEXT COLLATE "C",
    "customer" TEXT COLLATE "C",
    "currency" TEXT COLLATE "C",
    "baseTotalCostingAmount" DOUBLE PRECISION,
    "baseTotalBillableAmount" DOUBLE PRECISION,
    "baseTotalBilledAmount" DOUBLE PRECISION,
    "exchangeRate" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "Timesheet_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TimesheetDetail" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "timesheetId" TEXT COLLATE "C" NOT NULL,
    "activityType" TEXT COLLATE "C",
    "fromTime" TEXT COLLATE "C",
    "expectedHours" DOUBLE PRECISION,
    "hours" DOUBLE PRECISION,
    "toTime" TEXT COLLATE "C",
    "completed" BOOLEAN,
    "project" TEXT COLLATE "C",
    "task" TEXT COLLATE "C",
    "billingHours" DOUBLE PRECISION,
    "billingRate" DOUBLE PRECISION,
    "billingAmount" DOUBLE PRECISION,
    "costingRate" DOUBLE PRECISION,
    "costingAmount" DOUBLE PRECISION,
    "salesInvoice" TEXT COLLATE "C",
    "isBillable" BOOLEAN,
    "projectName" TEXT COLLATE "C",
    "description" TEXT COLLATE "C",
    "baseBillingRate" DOUBLE PRECISION,
    "baseBillingAmount" DOUBLE PRECISION,
    "baseCostingRate" DOUBLE PRECISION,
    "baseCostingAmount" DOUBLE PRECISION,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TimesheetDetail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransactionDeletionRecord" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "company" TEXT COLLATE "C" NOT NULL,
    "deleteBinDataStatus" TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    "deleteLeadsAndAddressesStatus" TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    "resetCompanyDefaultValuesStatus" TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    "clearNotificationsStatus" TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    "initializeDoctypesTableStatus" TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    "deleteTransactionsStatus" TEXT COLLATE "C" NOT NULL DEFAULT 'Pending',
    "errorLog" TEXT COLLATE "C",
    "processInSingleTransaction" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TransactionDeletionRecord_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransactionDeletionRecordDetails" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "transactionDeletionRecordId" TEXT COLLATE "C" NOT NULL,
    "doctypeName" TEXT COLLATE "C" NOT NULL,
    "docfieldName" TEXT COLLATE "C",
    "noOfDocs" INTEGER,
    "done" BOOLEAN,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TransactionDeletionRecordDetails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransactionDeletionRecordItem" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "transactionDeletionRecordId" TEXT COLLATE "C" NOT NULL,
    "doctypeName" TEXT COLLATE "C" NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TransactionDeletionRecordItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransactionDeletionRecordToDelete" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "transactionDeletionRecordId" TEXT COLLATE "C" NOT NULL,
    "doctypeName" TEXT COLLATE "C",
    "companyField" TEXT COLLATE "C",
    "documentCount" INTEGER,
    "childDoctypes" TEXT COLLATE "C",
    "deleted" BOOLEAN,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TransactionDeletionRecordToDelete_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningDocument" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "documentType" TEXT COLLATE "C" NOT NULL DEFAULT 'document',
    "templateType" TEXT COLLATE "C",
    "templateId" TEXT COLLATE "C",
    "source" TEXT COLLATE "C" NOT NULL DEFAULT 'document',
    "title" TEXT COLLATE "C" NOT NULL,
    "company" TEXT COLLATE "C",
    "externalId" TEXT COLLATE "C",
    "signingStatus" TEXT COLLATE "C" NOT NULL DEFAULT 'pending',
    "completedAt" TEXT COLLATE "C",
    "signingOrder" TEXT COLLATE "C" NOT NULL DEFAULT 'parallel',
    "allowDictateNextSigner" BOOLEAN NOT NULL DEFAULT false,
    "typedSignatureEnabled" BOOLEAN NOT NULL DEFAULT true,
    "drawSignatureEnabled" BOOLEAN NOT NULL DEFAULT true,
    "uploadSignatureEnabled" BOOLEAN NOT NULL DEFAULT true,
    "distributionMethod" TEXT COLLATE "C" NOT NULL DEFAULT 'email',
    "emailSubject" TEXT COLLATE "C",
    "emailMessage" TEXT COLLATE "C",
    "redirectUrl" TEXT COLLATE "C",
    "timezone" TEXT COLLATE "C" NOT NULL DEFAULT 'Etc/UTC',
    "dateFormat" TEXT COLLATE "C" NOT NULL DEFAULT 'yyyy-MM-dd hh:mm a',
    "language" TEXT COLLATE "C" NOT NULL DEFAULT 'en',
    "expiresAt" TEXT COLLATE "C",
    "reminderSettings" TEXT COLLATE "C",
    "authOptions" TEXT COLLATE "C",
    "formValues" TEXT COLLATE "C",
    "visibility" TEXT COLLATE "C" NOT NULL DEFAULT 'everyone',
    "publicTitle" TEXT COLLATE "C",
    "publicDescription" TEXT COLLATE "C",
    "referenceDoctype" TEXT COLLATE "C",
    "referenceName" TEXT COLLATE "C",
    "partyType" TEXT COLLATE "C",
    "partyName" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SigningDocument_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningSignature" (
    "id" TEXT COLLATE "C" NOT NULL,
    "signingFieldId" TEXT COLLATE "C" NOT NULL,
    "signingRecipientId" TEXT COLLATE "C" NOT NULL,
    "signatureType" TEXT COLLATE "C" NOT NULL,
    "signatureImage" TEXT COLLATE "C",
    "typedValue" TEXT COLLATE "C",
    "value" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SigningSignature_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SerialAndBatchBundle" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "company" TEXT COLLATE "C" NOT NULL,
    "itemGroup" TEXT COLLATE "C",
    "hasSerialNo" BOOLEAN NOT NULL DEFAULT false,
    "itemCode" TEXT COLLATE "C" NOT NULL,
    "itemName" TEXT COLLATE "C",
    "hasBatchNo" BOOLEAN NOT NULL DEFAULT false,
    "voucherType" TEXT COLLATE "C" NOT NULL,
    "voucherNo" TEXT COLLATE "C",
    "isCancelled" BOOLEAN NOT NULL DEFAULT false,
    "avgRate" DOUBLE PRECISION,
    "totalAmount" DOUBLE PRECISION,
    "totalQty" DOUBLE PRECISION,
    "warehouse" TEXT COLLATE "C",
    "typeOfTransaction" TEXT COLLATE "C" NOT NULL,
    "isRejected" BOOLEAN NOT NULL DEFAULT false,
    "voucherDetailNo" TEXT COLLATE "C",
    "returnedAgainst" TEXT COLLATE "C",
    "isPacked" BOOLEAN NOT NULL DEFAULT false,
    "postingDatetime" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SerialAndBatchBundle_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SerialNo" (
    "id" TEXT COLLATE "C" NOT NULL,
    "serialNo" TEXT COLLATE "C" NOT NULL,
    "itemCode" TEXT COLLATE "C" NOT NULL,
    "itemName" TEXT COLLATE "C",
    "description" TEXT COLLATE "C",
    "itemGroup" TEXT COLLATE "C",
    "brand" TEXT COLLATE "C",
    "asset" TEXT COLLATE "C",
    "assetStatus" TEXT COLLATE "C",
    "location" TEXT COLLATE "C",
    "employee" TEXT COLLATE "C",
    "maintenanceStatus" TEXT COLLATE "C",
    "warrantyPeriod" INTEGER,
    "warrantyExpiryDate" TEXT COLLATE "C",
    "amcExpiryDate" TEXT COLLATE "C",
    "company" TEXT COLLATE "C" NOT NULL,
    "workOrder" TEXT COLLATE "C",
    "warehouse" TEXT COLLATE "C",
    "batchNo" TEXT COLLATE "C",
    "purchaseRate" DOUBLE PRECISION,
    "status" TEXT COLLATE "C",
    "customer" TEXT COLLATE "C",
    "referenceDoctype" TEXT COLLATE "C",
    "referenceName" TEXT COLLATE "C",
    "postingDate" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SerialNo_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CustomsTariffNumber" (
    "id" TEXT COLLATE "C" NOT NULL,
    "tariffNumber" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "CustomsTariffNumber_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UOMCategory" (
    "id" TEXT COLLATE "C" NOT NULL,
    "categoryName" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "UOMCategory_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingOrder" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "title" TEXT COLLATE "C" NOT NULL DEFAULT '{supplier_name}',
    "purchaseOrder" TEXT COLLATE "C" NOT NULL,
    "supplier" TEXT COLLATE "C" NOT NULL,
    "supplierName" TEXT COLLATE "C" NOT NULL,
    "supplierWarehouse" TEXT COLLATE "C" NOT NULL,
    "company" TEXT COLLATE "C" NOT NULL,
    "transactionDate" TEXT COLLATE "C" NOT NULL,
    "scheduleDate" TEXT COLLATE "C",
    "supplierAddress" TEXT COLLATE "C",
    "addressDisplay" TEXT COLLATE "C",
    "contactPerson" TEXT COLLATE "C",
    "contactDisplay" TEXT COLLATE "C",
    "contactMobile" TEXT COLLATE "C",
    "contactEmail" TEXT COLLATE "C",
    "shippingAddress" TEXT COLLATE "C",
    "shippingAddressDisplay" TEXT COLLATE "C",
    "billingAddress" TEXT COLLATE "C",
    "billingAddressDisplay" TEXT COLLATE "C",
    "setWarehouse" TEXT COLLATE "C",
    "totalQty" DOUBLE PRECISION,
    "total" DOUBLE PRECISION,
    "setReserveWarehouse" TEXT COLLATE "C",
    "totalAdditionalCosts" DOUBLE PRECISION,
    "perReceived" DOUBLE PRECISION,
    "selectPrintHeading" TEXT COLLATE "C",
    "letterHead" TEXT COLLATE "C",
    "distributeAdditionalCostsBasedOn" TEXT COLLATE "C" NOT NULL DEFAULT 'Qty',
    "costCenter" TEXT COLLATE "C",
    "project" TEXT COLLATE "C",
    "supplierCurrency" TEXT COLLATE "C",
    "reserveStock" BOOLEAN NOT NULL DEFAULT false,
    "productionPlan" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingOrder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrder" (
    "id" TEXT COLLATE "C" NOT NULL,
    "status" TEXT COLLATE "C" NOT NULL DEFAULT 'draft',
    "title" TEXT COLLATE "C" NOT NULL DEFAULT '{customer_name}',
    "salesOrder" TEXT COLLATE "C",
    "customer" TEXT COLLATE "C",
    "customerName" TEXT COLLATE "C",
    "company" TEXT COLLATE "C",
    "transactionDate" TEXT COLLATE "C",
    "perDelivered" DOUBLE PRECISION,
    "perProduced" DOUBLE PRECISION,
    "perProcessLoss" DOUBLE PRECISION,
    "setDeliveryWarehouse" TEXT COLLATE "C",
    "customerWarehouse" TEXT COLLATE "C",
    "perReturned" DOUBLE PRECISION,
    "perRawMaterialReturned" DOUBLE PRECISION,
    "perRawMaterialReceived" DOUBLE PRECISION,
    "currency" TEXT COLLATE "C",
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrderItem" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "subcontractingInwardOrderId" TEXT COLLATE "C" NOT NULL,
    "itemCode" TEXT COLLATE "C",
    "itemName" TEXT COLLATE "C",
    "qty" DOUBLE PRECISION,
    "stockUom" TEXT COLLATE "C",
    "conversionFactor" DOUBLE PRECISION,
    "bom" TEXT COLLATE "C",
    "includeExplodedItems" BOOLEAN,
    "deliveredQty" DOUBLE PRECISION,
    "returnedQty" DOUBLE PRECISION,
    "salesOrderItem" TEXT COLLATE "C",
    "subcontractingConversionFactor" DOUBLE PRECISION,
    "producedQty" DOUBLE PRECISION,
    "processLossQty" DOUBLE PRECISION,
    "deliveryWarehouse" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrderItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrderReceivedItem" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "subcontractingInwardOrderId" TEXT COLLATE "C" NOT NULL,
    "mainItemCode" TEXT COLLATE "C",
    "rmItemCode" TEXT COLLATE "C",
    "stockUom" TEXT COLLATE "C",
    "bomDetailNo" TEXT COLLATE "C",
    "referenceName" TEXT COLLATE "C",
    "requiredQty" DOUBLE PRECISION,
    "receivedQty" DOUBLE PRECISION,
    "consumedQty" DOUBLE PRECISION,
    "returnedQty" DOUBLE PRECISION,
    "workOrderQty" DOUBLE PRECISION,
    "isCustomerProvidedItem" BOOLEAN,
    "warehouse" TEXT COLLATE "C",
    "billedQty" DOUBLE PRECISION,
    "isAdditionalItem" BOOLEAN,
    "rate" DOUBLE PRECISION,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrderReceivedItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrderSecondaryItem" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "subcontractingInwardOrderId" TEXT COLLATE "C" NOT NULL,
    "itemCode" TEXT COLLATE "C",
    "stockUom" TEXT COLLATE "C",
    "referenceName" TEXT COLLATE "C",
    "producedQty" DOUBLE PRECISION,
    "deliveredQty" DOUBLE PRECISION,
    "fgItemCode" TEXT COLLATE "C",
    "warehouse" TEXT COLLATE "C",
    "type" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrderSecondaryItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrderServiceItem" (
    "id" TEXT COLLATE "C" NOT NULL,
    "idx" INTEGER NOT NULL,
    "subcontractingInwardOrderId" TEXT COLLATE "C" NOT NULL,
    "itemCode" TEXT COLLATE "C",
    "itemName" TEXT COLLATE "C",
    "qty" DOUBLE PRECISION,
    "rate" DOUBLE PRECISION,
    "amount" DOUBLE PRECISION,
    "fgItem" TEXT COLLATE "C",
    "fgItemQty" DOUBLE PRECISION,
    "salesOrderItem" TEXT COLLATE "C",
    "uom" TEXT COLLATE "C",
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrderServiceItem_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "ProcessStatementOfAccountsCC_processStatementOfAccountsId_i_idx" ON "ProcessStatementOfAccountsCC"("processStatementOfAccountsId", "idx");

-- CreateIndex
CREATE INDEX "ProcessStatementOfAccountsCustomer_processStatementOfAccoun_idx" ON "ProcessStatementOfAccountsCustomer"("processStatementOfAccountsId", "idx");

-- CreateIndex
CREATE INDEX "FinancialReportRow_financialReportTemplateId_idx_idx" ON "FinancialReportRow"("financialReportTemplateId", "idx");

-- CreateIndex
CREATE INDEX "SalesInvoicePayment_parentId_idx_idx" ON "SalesInvoicePayment"("parentId", "idx");

-- CreateIndex
CREATE INDEX "CurrencyExchangeSettingsDetails_currencyExchangeSettingsId__idx" ON "CurrencyExchangeSettingsDetails"("currencyExchangeSettingsId", "idx");

-- CreateIndex
CREATE INDEX "CurrencyExchangeSettingsResult_currencyExchangeSettingsId_i_idx" ON "CurrencyExchangeSettingsResult"("currencyExchangeSettingsId", "idx");

-- CreateIndex
CREATE INDEX "AssetRepairConsumedItem_assetRepairId_idx_idx" ON "AssetRepairConsumedItem"("assetRepairId", "idx");

-- CreateIndex
CREATE INDEX "AssetRepairPurchaseInvoice_assetRepairId_idx_idx" ON "AssetRepairPurchaseInvoice"("assetRepairId", "idx");

-- CreateIndex
CREATE INDEX "IdempotentRequest_createdAt_idx" ON "IdempotentRequest"("createdAt");

-- CreateIndex
CREATE INDEX "WebhookDelivery_webhookId_position_idx" ON "WebhookDelivery"("webhookId", "position");

-- CreateIndex
CREATE INDEX "WebhookDelivery_requestedAt_idx" ON "WebhookDelivery"("requestedAt");

-- CreateIndex
CREATE INDEX "WebhookAttempt_webhookId_id_idx" ON "WebhookAttempt"("webhookId", "id");

-- CreateIndex
CREATE INDEX "JournalEntry_documentId_revision_idx" ON "JournalEntry"("documentId", "revision");

-- CreateIndex
CREATE INDEX "ApiUse_lastAt_idx" ON "ApiUse"("lastAt");

-- CreateIndex
CREATE INDEX "JobCardTimeLog_parentId_idx_idx" ON "JobCardTimeLog"("parentId", "idx");

-- CreateIndex
CREATE INDEX "JobCardTimeLog_jobCardId_idx_idx" ON "JobCardTimeLog"("jobCardId", "idx");

-- CreateIndex
CREATE INDEX "TimesheetDetail_timesheetId_idx_idx" ON "TimesheetDetail"("timesheetId", "idx");

-- CreateIndex
CREATE INDEX "TransactionDeletionRecordDetails_transactionDeletionRecordI_idx" ON "TransactionDeletionRecordDetails"("transactionDeletionRecordId", "idx");

-- CreateIndex
CREATE INDEX "TransactionDeletionRecordItem_transactionDeletionRecordId_i_idx" ON "TransactionDeletionRecordItem"("transactionDeletionRecordId", "idx");

-- CreateIndex
CREATE INDEX "TransactionDeletionRecordToDelete_transactionDeletionRecord_idx" ON "TransactionDeletionRecordToDelete"("transactionDeletionRecordId", "idx");

-- CreateIndex
CREATE INDEX "SubcontractingInwardOrderItem_subcontractingInwardOrderId_i_idx" ON "SubcontractingInwardOrderItem"("subcontractingInwardOrderId", "idx");

-- CreateIndex
CREATE INDEX "SubcontractingInwardOrderReceivedItem_subcontractingInwardO_idx" ON "SubcontractingInwardOrderReceivedItem"("subcontractingInwardOrderId", "idx");

-- CreateIndex
CREATE INDEX "SubcontractingInwardOrderSecondaryItem_subcontractingInward_idx" ON "SubcontractingInwardOrderSecondaryItem"("subcontractingInwardOrderId", "idx");

-- CreateIndex
CREATE INDEX "SubcontractingInwardOrderServiceItem_subcontractingInwardOr_idx" ON "SubcontractingInwardOrderServiceItem"("subcontractingInwardOrderId", "idx");

-- AddForeignKey
ALTER TABLE "ProcessStatementOfAccountsCC" ADD CONSTRAINT "ProcessStatementOfAccountsCC_processStatementOfAccountsId_fkey" FOREIGN KEY ("processStatementOfAccountsId") REFERENCES "ProcessStatementOfAccounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ProcessStatementOfAccountsCustomer" ADD CONSTRAINT "ProcessStatementOfAccountsCustomer_processStatementOfAccou_fkey" FOREIGN KEY ("processStatementOfAccountsId") REFERENCES "ProcessStatementOfAccounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FinancialReportRow" ADD CONSTRAINT "FinancialReportRow_financialReportTemplateId_fkey" FOREIGN KEY ("financialReportTemplateId") REFERENCES "FinancialReportTemplate"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CurrencyExchangeSettingsDetails" ADD CONSTRAINT "CurrencyExchangeSettingsDetails_currencyExchangeSettingsId_fkey" FOREIGN KEY ("currencyExchangeSettingsId") REFERENCES "CurrencyExchangeSettings"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "CurrencyExchangeSettingsResult" ADD CONSTRAINT "CurrencyExchangeSettingsResult_currencyExchangeSettingsId_fkey" FOREIGN KEY ("currencyExchangeSettingsId") REFERENCES "CurrencyExchangeSettings"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AssetRepairConsumedItem" ADD CONSTRAINT "AssetRepairConsumedItem_assetRepairId_fkey" FOREIGN KEY ("assetRepairId") REFERENCES "AssetRepair"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AssetRepairPurchaseInvoice" ADD CONSTRAINT "AssetRepairPurchaseInvoice_assetRepairId_fkey" FOREIGN KEY ("assetRepairId") REFERENCES "AssetRepair"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "JobCardTimeLog" ADD CONSTRAINT "JobCardTimeLog_jobCardId_fkey" FOREIGN KEY ("jobCardId") REFERENCES "JobCard"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TimesheetDetail" ADD CONSTRAINT "TimesheetDetail_timesheetId_fkey" FOREIGN KEY ("timesheetId") REFERENCES "Timesheet"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TransactionDeletionRecordDetails" ADD CONSTRAINT "TransactionDeletionRecordDetails_transactionDeletionRecord_fkey" FOREIGN KEY ("transactionDeletionRecordId") REFERENCES "TransactionDeletionRecord"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TransactionDeletionRecordItem" ADD CONSTRAINT "TransactionDeletionRecordItem_transactionDeletionRecordId_fkey" FOREIGN KEY ("transactionDeletionRecordId") REFERENCES "TransactionDeletionRecord"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "TransactionDeletionRecordToDelete" ADD CONSTRAINT "TransactionDeletionRecordToDelete_transactionDeletionRecor_fkey" FOREIGN KEY ("transactionDeletionRecordId") REFERENCES "TransactionDeletionRecord"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SubcontractingInwardOrderItem" ADD CONSTRAINT "SubcontractingInwardOrderItem_subcontractingInwardOrderId_fkey" FOREIGN KEY ("subcontractingInwardOrderId") REFERENCES "SubcontractingInwardOrder"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SubcontractingInwardOrderReceivedItem" ADD CONSTRAINT "SubcontractingInwardOrderReceivedItem_subcontractingInward_fkey" FOREIGN KEY ("subcontractingInwardOrderId") REFERENCES "SubcontractingInwardOrder"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SubcontractingInwardOrderSecondaryItem" ADD CONSTRAINT "SubcontractingInwardOrderSecondaryItem_subcontractingInwar_fkey" FOREIGN KEY ("subcontractingInwardOrderId") REFERENCES "SubcontractingInwardOrder"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SubcontractingInwardOrderServiceItem" ADD CONSTRAINT "SubcontractingInwardOrderServiceItem_subcontractingInwardO_fkey" FOREIGN KEY ("subcontractingInwardOrderId") REFERENCES "SubcontractingInwardOrder"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Counts are counted: nothing keeps them
CREATE OR REPLACE VIEW "RecordCount" AS
  SELECT 'SigningDocument'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "SigningDocument"
  UNION ALL
  SELECT 'SigningSignature'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "SigningSignature"
  UNION ALL
  SELECT 'ProcessStatementOfAccounts'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "ProcessStatementOfAccounts"
  UNION ALL
  SELECT 'FinancialReportTemplate'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "FinancialReportTemplate"
  UNION ALL
  SELECT 'TaxWithholdingGroup'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "TaxWithholdingGroup"
  UNION ALL
  SELECT 'BankReconciliationTool'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "BankReconciliationTool"
  UNION ALL
  SELECT 'TransactionDeletionRecord'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "TransactionDeletionRecord"
  UNION ALL
  SELECT 'AssetRepair'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "AssetRepair"
  UNION ALL
  SELECT 'SubcontractingOrder'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "SubcontractingOrder"
  UNION ALL
  SELECT 'SubcontractingInwardOrder'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "SubcontractingInwardOrder"
  UNION ALL
  SELECT 'SerialAndBatchBundle'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "SerialAndBatchBundle"
  UNION ALL
  SELECT 'SerialNo'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "SerialNo"
  UNION ALL
  SELECT 'CustomsTariffNumber'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "CustomsTariffNumber"
  UNION ALL
  SELECT 'UOMCategory'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "UOMCategory"
  UNION ALL
  SELECT 'BOMCreator'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "BOMCreator"
  UNION ALL
  SELECT 'JobCard'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "JobCard"
  UNION ALL
  SELECT 'Timesheet'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "Timesheet"
  UNION ALL
  SELECT 'IndustryType'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "IndustryType"
  UNION ALL
  SELECT 'Quotation'::text COLLATE "C" AS "model", 0 AS "shard", count(*)::integer AS "count" FROM "Quotation";

-- One block of each type, which is never divided
INSERT INTO "RecordBlock" ("model", "first") VALUES ('SigningDocument', ''), ('SigningSignature', ''), ('ProcessStatementOfAccounts', ''), ('FinancialReportTemplate', ''), ('TaxWithholdingGroup', ''), ('BankReconciliationTool', ''), ('TransactionDeletionRecord', ''), ('AssetRepair', ''), ('SubcontractingOrder', ''), ('SubcontractingInwardOrder', ''), ('SerialAndBatchBundle', ''), ('SerialNo', ''), ('CustomsTariffNumber', ''), ('UOMCategory', ''), ('BOMCreator', ''), ('JobCard', ''), ('Timesheet', ''), ('IndustryType', ''), ('Quotation', '');

-- Readers look for entries by their position, and for those that have none yet.
CREATE UNIQUE INDEX "gateway_journal_position" ON "JournalEntry"("position") WHERE "position" IS NOT NULL;
CREATE INDEX "gateway_journal_unnumbered" ON "JournalEntry"("entry") WHERE "position" IS NULL;

-- The journal begins when a gateway that keeps one starts.
INSERT INTO "JournalState" ("id") VALUES (1);

-- What locks in PostgreSQL's own history. Whoever reads the row in a SERIALIZABLE transaction needs no lock.
CREATE FUNCTION "gateway_journal_is_off"() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT "since" IS NULL FROM "JournalState" WHERE "id" = 1
$$;
CREATE FUNCTION "gateway_share_journal"() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'shared' $$;
CREATE FUNCTION "gateway_claim_journal"() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'claimed' $$;
CREATE FUNCTION "gateway_claim_uses"() RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'claimed' $$;

-- A number as JSON.stringify writes it, which is how every answer writes it. PostgreSQL's own text has the same digits
-- but for some beyond 2^53, and another form: 1e+15, 1e-05, 1e-07, -0.
CREATE FUNCTION "gateway_number"(x double precision) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  written text := x::text;
  digits numeric;
  shorter numeric;
  exponent integer;
BEGIN
  IF x = 0 THEN
    RETURN '0';
  ELSIF abs(x) < 1e-6 THEN
    RETURN replace(written, 'e-0', 'e-');
  ELSIF abs(x) < 9007199254740992 THEN
    RETURN trim_scale(written::numeric);
  END IF;
  digits := split_part(written, 'e', 1);
  exponent := split_part(written, 'e', 2);
  -- The shortest text may stand just between two numbers, of which it means the even one. PostgreSQL never writes such a
  -- text, and beyond 1e40 there is none of 17 digits.
  IF abs(x) < 1e40 AND scale(digits) > 0 THEN
    shorter := trim_scale(round(digits, scale(digits) - 1));
    IF (shorter || 'e' || exponent)::double precision = x THEN
      digits := shorter;
    END IF;
  END IF;
  IF abs(x) < 1e21 THEN
    RETURN (digits || 'e' || exponent)::numeric;
  ELSIF abs(digits) = 10 THEN
    digits := sign(digits);
    exponent := exponent + 1;
  END IF;
  RETURN digits || 'e+' || exponent;
END $$;

-- The two records that are always there, with their defaults (document 4.4; decision: singletons).
INSERT INTO "CurrencyExchangeSettings" ("id", "createdAt", "updatedAt")
VALUES ('currency-exchange-settings_default', CURRENT_TIMESTAMP AT TIME ZONE 'UTC', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');

INSERT INTO "SubscriptionSettings" ("id", "createdAt", "updatedAt")
VALUES ('subscription-settings_default', CURRENT_TIMESTAMP AT TIME ZONE 'UTC', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');

-- CreateTable
CREATE TABLE "SearchText" (
    "id" BIGINT NOT NULL DEFAULT gateway_next_entry(),
    "model" TEXT COLLATE "C" NOT NULL,
    "documentId" TEXT COLLATE "C" NOT NULL,
    "recordId" TEXT COLLATE "C" NOT NULL,
    "words" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "SearchText_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SearchWord" (
    "model" TEXT COLLATE "C" NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,
    "textId" BIGINT NOT NULL,

    CONSTRAINT "SearchWord_pkey" PRIMARY KEY ("model","word","textId")
);

-- CreateTable
CREATE TABLE "SearchState" (
    "model" TEXT COLLATE "C" NOT NULL,
    "upTo" TEXT COLLATE "C" NOT NULL,
    "isComplete" BOOLEAN NOT NULL,

    CONSTRAINT "SearchState_pkey" PRIMARY KEY ("model")
);

-- CreateIndex
CREATE UNIQUE INDEX "SearchText_documentId_recordId_key" ON "SearchText"("documentId", "recordId");

-- Keeps the words with the texts they are of
CREATE FUNCTION "gateway_search_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM "SearchWord" WHERE "model" = OLD."model" AND "textId" = OLD."id"
      AND "word" = ANY (ARRAY(SELECT json_array_elements_text(OLD."words"::json)));
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO "SearchWord" ("model", "word", "textId")
      SELECT NEW."model", "value", NEW."id" FROM json_array_elements_text(NEW."words"::json) AS "new" ("value");
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER "gateway_search_insert" AFTER INSERT ON "SearchText" FOR EACH ROW EXECUTE FUNCTION "gateway_search_changed"();
CREATE TRIGGER "gateway_search_update" AFTER UPDATE OF "words" ON "SearchText" FOR EACH ROW EXECUTE FUNCTION "gateway_search_changed"();
CREATE TRIGGER "gateway_search_delete" AFTER DELETE ON "SearchText" FOR EACH ROW EXECUTE FUNCTION "gateway_search_changed"();

-- Texts that name records
CREATE INDEX "gateway_SigningDocument_templateId" ON "SigningDocument"("templateId", "id")
  WHERE length("templateId") <= 255;

CREATE INDEX "gateway_AssetRepairConsumedItem_serialNo" ON "AssetRepairConsumedItem"("serialNo", "id")
  WHERE length("serialNo") <= 255;

CREATE INDEX "gateway_SerialNo_serialNo" ON "SerialNo"("serialNo", "id")
  WHERE length("serialNo") <= 255;

CREATE INDEX "gateway_AssetRepairConsumedItem_serialAndBatchBundle" ON "AssetRepairConsumedItem"("serialAndBatchBundle", "id")
  WHERE length("serialAndBatchBundle") <= 255;

CREATE INDEX "gateway_SubcontractingInwardOrderReceivedItem_referenceName" ON "SubcontractingInwardOrderReceivedItem"("referenceName", "id")
  WHERE length("referenceName") <= 255;

CREATE INDEX "gateway_SubcontractingInwardOrderSecondaryItem_referenceName" ON "SubcontractingInwardOrderSecondaryItem"("referenceName", "id")
  WHERE length("referenceName") <= 255;

CREATE INDEX "gateway_JobCard_forJobCard" ON "JobCard"("forJobCard", "id")
  WHERE length("forJobCard") <= 255;

CREATE INDEX "gateway_JobCard_serialNo" ON "JobCard"("serialNo", "id")
  WHERE length("serialNo") <= 255;

CREATE INDEX "gateway_JobCard_serialAndBatchBundle" ON "JobCard"("serialAndBatchBundle", "id")
  WHERE length("serialAndBatchBundle") <= 255;
