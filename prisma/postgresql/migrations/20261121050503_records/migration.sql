-- CreateTable
CREATE TABLE "ProcessStatementOfAccounts" (
    "id" TEXT NOT NULL,
    "frequency" TEXT,
    "company" TEXT NOT NULL,
    "fromDate" TEXT,
    "toDate" TEXT,
    "customerCollection" TEXT,
    "collectionName" TEXT,
    "account" TEXT,
    "financeBook" TEXT,
    "orientation" TEXT,
    "startDate" TEXT,
    "currency" TEXT,
    "includeAgeing" BOOLEAN NOT NULL DEFAULT false,
    "ageingBasedOn" TEXT NOT NULL DEFAULT 'Due Date',
    "enableAutoEmail" BOOLEAN NOT NULL DEFAULT false,
    "primaryMandatory" BOOLEAN NOT NULL DEFAULT true,
    "filterDuration" INTEGER NOT NULL DEFAULT 1,
    "subject" TEXT,
    "body" TEXT,
    "letterHead" TEXT,
    "termsAndConditions" TEXT,
    "includeBreak" BOOLEAN NOT NULL DEFAULT true,
    "showNetValuesInPartyAccount" BOOLEAN NOT NULL DEFAULT false,
    "sender" TEXT,
    "report" TEXT NOT NULL,
    "postingDate" TEXT,
    "paymentTermsTemplate" TEXT,
    "salesPartner" TEXT,
    "salesPerson" TEXT,
    "territory" TEXT,
    "basedOnPaymentTerms" BOOLEAN NOT NULL DEFAULT false,
    "pdfName" TEXT,
    "ignoreExchangeRateRevaluationJournals" BOOLEAN NOT NULL DEFAULT false,
    "ignoreCrDrNotes" BOOLEAN NOT NULL DEFAULT false,
    "showRemarks" BOOLEAN NOT NULL DEFAULT false,
    "categorizeBy" TEXT NOT NULL DEFAULT 'Categorize by Voucher (Consolidated)',
    "showFuturePayments" BOOLEAN NOT NULL DEFAULT false,
    "printFormat" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ProcessStatementOfAccounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProcessStatementOfAccountsCC" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "processStatementOfAccountsId" TEXT NOT NULL,
    "cc" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ProcessStatementOfAccountsCC_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ProcessStatementOfAccountsCustomer" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "processStatementOfAccountsId" TEXT NOT NULL,
    "customer" TEXT NOT NULL,
    "primaryEmail" TEXT,
    "billingEmail" TEXT,
    "customerName" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ProcessStatementOfAccountsCustomer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FinancialReportTemplate" (
    "id" TEXT NOT NULL,
    "templateName" TEXT NOT NULL,
    "reportType" TEXT NOT NULL,
    "module" TEXT,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "FinancialReportTemplate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "FinancialReportRow" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "financialReportTemplateId" TEXT NOT NULL,
    "referenceCode" TEXT,
    "displayName" TEXT,
    "indentationLevel" INTEGER,
    "dataSource" TEXT,
    "balanceType" TEXT,
    "boldText" BOOLEAN,
    "italicText" BOOLEAN,
    "hiddenCalculation" BOOLEAN,
    "hideWhenEmpty" BOOLEAN,
    "reverseSign" BOOLEAN,
    "calculationFormula" TEXT,
    "includeInCharts" BOOLEAN,
    "color" TEXT,
    "fieldtype" TEXT,
    "advancedFiltering" BOOLEAN,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "FinancialReportRow_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SalesInvoicePayment" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "parentId" TEXT NOT NULL,
    "parentType" TEXT NOT NULL,
    "modeOfPayment" TEXT NOT NULL,
    "amount" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "account" TEXT,
    "type" TEXT,
    "baseAmount" DOUBLE PRECISION,
    "clearanceDate" TEXT,
    "default" BOOLEAN NOT NULL DEFAULT false,
    "referenceNo" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SalesInvoicePayment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TaxWithholdingGroup" (
    "id" TEXT NOT NULL,
    "groupName" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TaxWithholdingGroup_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BankReconciliationTool" (
    "id" TEXT NOT NULL,
    "company" TEXT,
    "bankAccount" TEXT,
    "bankStatementFromDate" TEXT,
    "bankStatementToDate" TEXT,
    "accountOpeningBalance" DOUBLE PRECISION,
    "bankStatementClosingBalance" DOUBLE PRECISION,
    "fromReferenceDate" TEXT,
    "toReferenceDate" TEXT,
    "filterByReferenceDate" BOOLEAN NOT NULL DEFAULT false,
    "accountCurrency" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "BankReconciliationTool_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CurrencyExchangeSettings" (
    "id" TEXT NOT NULL,
    "apiEndpoint" TEXT,
    "url" TEXT,
    "serviceProvider" TEXT,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "accessKey" TEXT,
    "useHttp" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "CurrencyExchangeSettings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CurrencyExchangeSettingsDetails" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "currencyExchangeSettingsId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "CurrencyExchangeSettingsDetails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CurrencyExchangeSettingsResult" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "currencyExchangeSettingsId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "CurrencyExchangeSettingsResult_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubscriptionSettings" (
    "id" TEXT NOT NULL,
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
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "failureDate" TEXT NOT NULL,
    "completionDate" TEXT,
    "repairStatus" TEXT NOT NULL DEFAULT 'Pending',
    "description" TEXT,
    "actionsPerformed" TEXT,
    "downtime" TEXT,
    "repairCost" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "asset" TEXT NOT NULL,
    "assetName" TEXT,
    "capitalizeRepairCost" BOOLEAN NOT NULL DEFAULT false,
    "costCenter" TEXT,
    "project" TEXT,
    "totalRepairCost" DOUBLE PRECISION,
    "increaseInAssetLife" INTEGER,
    "company" TEXT,
    "consumedItemsCost" DOUBLE PRECISION,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "AssetRepair_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AssetRepairConsumedItem" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "assetRepairId" TEXT NOT NULL,
    "valuationRate" DOUBLE PRECISION,
    "consumedQuantity" TEXT,
    "totalValue" DOUBLE PRECISION,
    "serialNo" TEXT,
    "itemCode" TEXT NOT NULL,
    "serialAndBatchBundle" TEXT,
    "warehouse" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "AssetRepairConsumedItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AssetRepairPurchaseInvoice" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "assetRepairId" TEXT NOT NULL,
    "purchaseInvoice" TEXT,
    "expenseAccount" TEXT NOT NULL,
    "repairCost" DOUBLE PRECISION NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "AssetRepairPurchaseInvoice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IndustryType" (
    "id" TEXT NOT NULL,
    "industry" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "IndustryType_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Quotation" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "quotationTo" TEXT NOT NULL DEFAULT 'Customer',
    "partyName" TEXT,
    "customerName" TEXT,
    "company" TEXT NOT NULL,
    "transactionDate" TEXT NOT NULL,
    "validTill" TEXT,
    "orderType" TEXT NOT NULL DEFAULT 'Sales',
    "customerAddress" TEXT,
    "addressDisplay" TEXT,
    "contactPerson" TEXT,
    "contactDisplay" TEXT,
    "contactMobile" TEXT,
    "contactEmail" TEXT,
    "shippingAddressName" TEXT,
    "shippingAddress" TEXT,
    "customerGroup" TEXT,
    "territory" TEXT,
    "currency" TEXT NOT NULL,
    "conversionRate" DOUBLE PRECISION NOT NULL,
    "sellingPriceList" TEXT NOT NULL,
    "priceListCurrency" TEXT NOT NULL,
    "plcConversionRate" DOUBLE PRECISION NOT NULL,
    "ignorePricingRule" BOOLEAN NOT NULL DEFAULT false,
    "totalQty" DOUBLE PRECISION,
    "baseTotal" DOUBLE PRECISION,
    "baseNetTotal" DOUBLE PRECISION,
    "total" DOUBLE PRECISION,
    "netTotal" DOUBLE PRECISION,
    "totalNetWeight" DOUBLE PRECISION,
    "taxCategory" TEXT,
    "shippingRule" TEXT,
    "taxesAndCharges" TEXT,
    "otherChargesCalculation" TEXT,
    "baseTotalTaxesAndCharges" DOUBLE PRECISION,
    "totalTaxesAndCharges" DOUBLE PRECISION,
    "couponCode" TEXT,
    "referralSalesPartner" TEXT,
    "applyDiscountOn" TEXT NOT NULL DEFAULT 'Grand Total',
    "baseDiscountAmount" DOUBLE PRECISION,
    "additionalDiscountPercentage" DOUBLE PRECISION,
    "discountAmount" DOUBLE PRECISION,
    "baseGrandTotal" DOUBLE PRECISION,
    "baseRoundingAdjustment" DOUBLE PRECISION,
    "baseInWords" TEXT,
    "baseRoundedTotal" DOUBLE PRECISION,
    "grandTotal" DOUBLE PRECISION,
    "roundingAdjustment" DOUBLE PRECISION,
    "roundedTotal" DOUBLE PRECISION,
    "inWords" TEXT,
    "paymentTermsTemplate" TEXT,
    "tcName" TEXT,
    "terms" TEXT,
    "letterHead" TEXT,
    "groupSameItems" BOOLEAN NOT NULL DEFAULT false,
    "selectPrintHeading" TEXT,
    "language" TEXT,
    "autoRepeat" TEXT,
    "orderLostReason" TEXT,
    "enqDet" TEXT,
    "supplierQuotation" TEXT,
    "opportunity" TEXT,
    "companyAddress" TEXT,
    "companyAddressDisplay" TEXT,
    "scanBarcode" TEXT,
    "incoterm" TEXT,
    "namedPlace" TEXT,
    "utmCampaign" TEXT,
    "utmSource" TEXT,
    "utmMedium" TEXT,
    "utmContent" TEXT,
    "disableRoundedTotal" BOOLEAN NOT NULL DEFAULT false,
    "companyContactPerson" TEXT,
    "hasUnitPriceItems" BOOLEAN NOT NULL DEFAULT false,
    "title" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "Quotation_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT NOT NULL DEFAULT '*',
    "createdAt" TIMESTAMP(3) NOT NULL,
    "expiresAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),
    "lastUsedAt" TIMESTAMP(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ForeignParent" (
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ForeignParent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BOMCreator" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "company" TEXT NOT NULL,
    "rmCostAsPer" TEXT NOT NULL DEFAULT 'Valuation Rate',
    "buyingPriceList" TEXT,
    "priceListCurrency" TEXT,
    "plcConversionRate" DOUBLE PRECISION,
    "currency" TEXT NOT NULL,
    "conversionRate" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "rawMaterialCost" DOUBLE PRECISION,
    "remarks" TEXT,
    "project" TEXT,
    "itemCode" TEXT NOT NULL,
    "qty" DOUBLE PRECISION NOT NULL,
    "itemName" TEXT,
    "uom" TEXT,
    "itemGroup" TEXT,
    "defaultWarehouse" TEXT,
    "setRateBasedOnWarehouse" BOOLEAN NOT NULL DEFAULT false,
    "errorLog" TEXT,
    "routing" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "BOMCreator_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "JobCard" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "workOrder" TEXT,
    "bomNo" TEXT,
    "workstation" TEXT,
    "operation" TEXT,
    "postingDate" TEXT,
    "company" TEXT,
    "forQuantity" DOUBLE PRECISION,
    "wipWarehouse" TEXT,
    "totalCompletedQty" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "totalTimeInMins" DOUBLE PRECISION,
    "operationId" TEXT,
    "transferredQty" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "requestedQty" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "project" TEXT,
    "remarks" TEXT,
    "productionItem" TEXT,
    "barcode" TEXT,
    "itemName" TEXT,
    "operationRowNumber" TEXT,
    "sequenceId" DOUBLE PRECISION,
    "qualityInspection" TEXT,
    "hourRate" DOUBLE PRECISION,
    "isCorrectiveJobCard" BOOLEAN NOT NULL DEFAULT false,
    "forJobCard" TEXT,
    "forOperation" TEXT,
    "serialNo" TEXT,
    "batchNo" TEXT,
    "qualityInspectionTemplate" TEXT,
    "workstationType" TEXT,
    "expectedStartDate" TEXT,
    "expectedEndDate" TEXT,
    "serialAndBatchBundle" TEXT,
    "processLossQty" DOUBLE PRECISION,
    "timeRequired" DOUBLE PRECISION,
    "actualStartDate" TEXT,
    "actualEndDate" TEXT,
    "finishedGood" TEXT,
    "targetWarehouse" TEXT,
    "operationRowId" DOUBLE PRECISION,
    "sourceWarehouse" TEXT,
    "semiFgBom" TEXT,
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
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "parentId" TEXT NOT NULL,
    "parentType" TEXT NOT NULL,
    "fromTime" TEXT,
    "toTime" TEXT,
    "timeInMins" DOUBLE PRECISION,
    "completedQty" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "employee" TEXT,
    "operation" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "jobCardId" TEXT,

    CONSTRAINT "JobCardTimeLog_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Timesheet" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "title" TEXT NOT NULL DEFAULT '{employee_name}',
    "company" TEXT,
    "salesInvoice" TEXT,
    "employee" TEXT,
    "employeeName" TEXT,
    "department" TEXT,
    "user" TEXT,
    "startDate" TEXT,
    "endDate" TEXT,
    "totalHours" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "totalBillableHours" DOUBLE PRECISION,
    "totalBilledHours" DOUBLE PRECISION,
    "totalCostingAmount" DOUBLE PRECISION,
    "totalBillableAmount" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "totalBilledAmount" DOUBLE PRECISION,
    "perBilled" DOUBLE PRECISION,
    "note" TEXT,
    "parentProject" TEXT,
    "customer" TEXT,
    "currency" TEXT,
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
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "timesheetId" TEXT NOT NULL,
    "activityType" TEXT,
    "fromTime" TEXT,
    "expectedHours" DOUBLE PRECISION,
    "hours" DOUBLE PRECISION,
    "toTime" TEXT,
    "completed" BOOLEAN,
    "project" TEXT,
    "task" TEXT,
    "billingHours" DOUBLE PRECISION,
    "billingRate" DOUBLE PRECISION,
    "billingAmount" DOUBLE PRECISION,
    "costingRate" DOUBLE PRECISION,
    "costingAmount" DOUBLE PRECISION,
    "salesInvoice" TEXT,
    "isBillable" BOOLEAN,
    "projectName" TEXT,
    "description" TEXT,
    "baseBillingRate" DOUBLE PRECISION,
    "baseBillingAmount" DOUBLE PRECISION,
    "baseCostingRate" DOUBLE PRECISION,
    "baseCostingAmount" DOUBLE PRECISION,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TimesheetDetail_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransactionDeletionRecord" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "company" TEXT NOT NULL,
    "deleteBinDataStatus" TEXT NOT NULL DEFAULT 'Pending',
    "deleteLeadsAndAddressesStatus" TEXT NOT NULL DEFAULT 'Pending',
    "resetCompanyDefaultValuesStatus" TEXT NOT NULL DEFAULT 'Pending',
    "clearNotificationsStatus" TEXT NOT NULL DEFAULT 'Pending',
    "initializeDoctypesTableStatus" TEXT NOT NULL DEFAULT 'Pending',
    "deleteTransactionsStatus" TEXT NOT NULL DEFAULT 'Pending',
    "errorLog" TEXT,
    "processInSingleTransaction" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TransactionDeletionRecord_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransactionDeletionRecordDetails" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "transactionDeletionRecordId" TEXT NOT NULL,
    "doctypeName" TEXT NOT NULL,
    "docfieldName" TEXT,
    "noOfDocs" INTEGER,
    "done" BOOLEAN,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TransactionDeletionRecordDetails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransactionDeletionRecordItem" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "transactionDeletionRecordId" TEXT NOT NULL,
    "doctypeName" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TransactionDeletionRecordItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "TransactionDeletionRecordToDelete" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "transactionDeletionRecordId" TEXT NOT NULL,
    "doctypeName" TEXT,
    "companyField" TEXT,
    "documentCount" INTEGER,
    "childDoctypes" TEXT,
    "deleted" BOOLEAN,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "TransactionDeletionRecordToDelete_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningDocument" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "documentType" TEXT NOT NULL DEFAULT 'document',
    "templateType" TEXT,
    "templateId" TEXT,
    "source" TEXT NOT NULL DEFAULT 'document',
    "title" TEXT NOT NULL,
    "company" TEXT,
    "externalId" TEXT,
    "signingStatus" TEXT NOT NULL DEFAULT 'pending',
    "completedAt" TEXT,
    "signingOrder" TEXT NOT NULL DEFAULT 'parallel',
    "allowDictateNextSigner" BOOLEAN NOT NULL DEFAULT false,
    "typedSignatureEnabled" BOOLEAN NOT NULL DEFAULT true,
    "drawSignatureEnabled" BOOLEAN NOT NULL DEFAULT true,
    "uploadSignatureEnabled" BOOLEAN NOT NULL DEFAULT true,
    "distributionMethod" TEXT NOT NULL DEFAULT 'email',
    "emailSubject" TEXT,
    "emailMessage" TEXT,
    "redirectUrl" TEXT,
    "timezone" TEXT NOT NULL DEFAULT 'Etc/UTC',
    "dateFormat" TEXT NOT NULL DEFAULT 'yyyy-MM-dd hh:mm a',
    "language" TEXT NOT NULL DEFAULT 'en',
    "expiresAt" TEXT,
    "reminderSettings" TEXT,
    "authOptions" TEXT,
    "formValues" TEXT,
    "visibility" TEXT NOT NULL DEFAULT 'everyone',
    "publicTitle" TEXT,
    "publicDescription" TEXT,
    "referenceDoctype" TEXT,
    "referenceName" TEXT,
    "partyType" TEXT,
    "partyName" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SigningDocument_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningSignature" (
    "id" TEXT NOT NULL,
    "signingFieldId" TEXT NOT NULL,
    "signingRecipientId" TEXT NOT NULL,
    "signatureType" TEXT NOT NULL,
    "signatureImage" TEXT,
    "typedValue" TEXT,
    "value" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SigningSignature_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SerialAndBatchBundle" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "company" TEXT NOT NULL,
    "itemGroup" TEXT,
    "hasSerialNo" BOOLEAN NOT NULL DEFAULT false,
    "itemCode" TEXT NOT NULL,
    "itemName" TEXT,
    "hasBatchNo" BOOLEAN NOT NULL DEFAULT false,
    "voucherType" TEXT NOT NULL,
    "voucherNo" TEXT,
    "isCancelled" BOOLEAN NOT NULL DEFAULT false,
    "avgRate" DOUBLE PRECISION,
    "totalAmount" DOUBLE PRECISION,
    "totalQty" DOUBLE PRECISION,
    "warehouse" TEXT,
    "typeOfTransaction" TEXT NOT NULL,
    "isRejected" BOOLEAN NOT NULL DEFAULT false,
    "voucherDetailNo" TEXT,
    "returnedAgainst" TEXT,
    "isPacked" BOOLEAN NOT NULL DEFAULT false,
    "postingDatetime" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SerialAndBatchBundle_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SerialNo" (
    "id" TEXT NOT NULL,
    "serialNo" TEXT NOT NULL,
    "itemCode" TEXT NOT NULL,
    "itemName" TEXT,
    "description" TEXT,
    "itemGroup" TEXT,
    "brand" TEXT,
    "asset" TEXT,
    "assetStatus" TEXT,
    "location" TEXT,
    "employee" TEXT,
    "maintenanceStatus" TEXT,
    "warrantyPeriod" INTEGER,
    "warrantyExpiryDate" TEXT,
    "amcExpiryDate" TEXT,
    "company" TEXT NOT NULL,
    "workOrder" TEXT,
    "warehouse" TEXT,
    "batchNo" TEXT,
    "purchaseRate" DOUBLE PRECISION,
    "status" TEXT,
    "customer" TEXT,
    "referenceDoctype" TEXT,
    "referenceName" TEXT,
    "postingDate" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SerialNo_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "CustomsTariffNumber" (
    "id" TEXT NOT NULL,
    "tariffNumber" TEXT NOT NULL,
    "description" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "CustomsTariffNumber_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UOMCategory" (
    "id" TEXT NOT NULL,
    "categoryName" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "UOMCategory_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingOrder" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "title" TEXT NOT NULL DEFAULT '{supplier_name}',
    "purchaseOrder" TEXT NOT NULL,
    "supplier" TEXT NOT NULL,
    "supplierName" TEXT NOT NULL,
    "supplierWarehouse" TEXT NOT NULL,
    "company" TEXT NOT NULL,
    "transactionDate" TEXT NOT NULL,
    "scheduleDate" TEXT,
    "supplierAddress" TEXT,
    "addressDisplay" TEXT,
    "contactPerson" TEXT,
    "contactDisplay" TEXT,
    "contactMobile" TEXT,
    "contactEmail" TEXT,
    "shippingAddress" TEXT,
    "shippingAddressDisplay" TEXT,
    "billingAddress" TEXT,
    "billingAddressDisplay" TEXT,
    "setWarehouse" TEXT,
    "totalQty" DOUBLE PRECISION,
    "total" DOUBLE PRECISION,
    "setReserveWarehouse" TEXT,
    "totalAdditionalCosts" DOUBLE PRECISION,
    "perReceived" DOUBLE PRECISION,
    "selectPrintHeading" TEXT,
    "letterHead" TEXT,
    "distributeAdditionalCostsBasedOn" TEXT NOT NULL DEFAULT 'Qty',
    "costCenter" TEXT,
    "project" TEXT,
    "supplierCurrency" TEXT,
    "reserveStock" BOOLEAN NOT NULL DEFAULT false,
    "productionPlan" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingOrder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrder" (
    "id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "title" TEXT NOT NULL DEFAULT '{customer_name}',
    "salesOrder" TEXT,
    "customer" TEXT,
    "customerName" TEXT,
    "company" TEXT,
    "transactionDate" TEXT,
    "perDelivered" DOUBLE PRECISION,
    "perProduced" DOUBLE PRECISION,
    "perProcessLoss" DOUBLE PRECISION,
    "setDeliveryWarehouse" TEXT,
    "customerWarehouse" TEXT,
    "perReturned" DOUBLE PRECISION,
    "perRawMaterialReturned" DOUBLE PRECISION,
    "perRawMaterialReceived" DOUBLE PRECISION,
    "currency" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrder_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrderItem" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "subcontractingInwardOrderId" TEXT NOT NULL,
    "itemCode" TEXT,
    "itemName" TEXT,
    "qty" DOUBLE PRECISION,
    "stockUom" TEXT,
    "conversionFactor" DOUBLE PRECISION,
    "bom" TEXT,
    "includeExplodedItems" BOOLEAN,
    "deliveredQty" DOUBLE PRECISION,
    "returnedQty" DOUBLE PRECISION,
    "salesOrderItem" TEXT,
    "subcontractingConversionFactor" DOUBLE PRECISION,
    "producedQty" DOUBLE PRECISION,
    "processLossQty" DOUBLE PRECISION,
    "deliveryWarehouse" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrderItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrderReceivedItem" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "subcontractingInwardOrderId" TEXT NOT NULL,
    "mainItemCode" TEXT,
    "rmItemCode" TEXT,
    "stockUom" TEXT,
    "bomDetailNo" TEXT,
    "referenceName" TEXT,
    "requiredQty" DOUBLE PRECISION,
    "receivedQty" DOUBLE PRECISION,
    "consumedQty" DOUBLE PRECISION,
    "returnedQty" DOUBLE PRECISION,
    "workOrderQty" DOUBLE PRECISION,
    "isCustomerProvidedItem" BOOLEAN,
    "warehouse" TEXT,
    "billedQty" DOUBLE PRECISION,
    "isAdditionalItem" BOOLEAN,
    "rate" DOUBLE PRECISION,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrderReceivedItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrderSecondaryItem" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "subcontractingInwardOrderId" TEXT NOT NULL,
    "itemCode" TEXT,
    "stockUom" TEXT,
    "referenceName" TEXT,
    "producedQty" DOUBLE PRECISION,
    "deliveredQty" DOUBLE PRECISION,
    "fgItemCode" TEXT,
    "warehouse" TEXT,
    "type" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "SubcontractingInwardOrderSecondaryItem_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SubcontractingInwardOrderServiceItem" (
    "id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "subcontractingInwardOrderId" TEXT NOT NULL,
    "itemCode" TEXT,
    "itemName" TEXT,
    "qty" DOUBLE PRECISION,
    "rate" DOUBLE PRECISION,
    "amount" DOUBLE PRECISION,
    "fgItem" TEXT,
    "fgItemQty" DOUBLE PRECISION,
    "salesOrderItem" TEXT,
    "uom" TEXT,
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
