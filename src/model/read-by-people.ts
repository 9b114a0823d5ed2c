/**
 * What people look for in the records of a type, where the rules of `presentation.ts` would guess wrong: the fields whose texts
 * together name a record, and behind the arrow at most six by which people decide what to do with it, the most important first.
 * Of several fields in one place (`customerName|partyName`), the first that is filled names the record.
 */
import type { RecordModel } from './catalogue.js';

export const readByPeople: { readonly [Model in RecordModel]?: `${string}→${string}` } = {
  SigningDocument: '→ signingStatus partyName documentType expiresAt completedAt company',
  SigningSignature: 'typedValue|value|signingFieldId → signatureType signingRecipientId signingFieldId',
  ProcessStatementOfAccounts: 'company report → frequency fromDate toDate customerCollection collectionName currency',
  ProcessStatementOfAccountsCustomer: 'customerName|customer →',
  FinancialReportRow:
    'displayName|referenceCode → referenceCode dataSource balanceType fieldtype calculationFormula indentationLevel',
  SalesInvoicePayment: 'modeOfPayment|referenceNo|parentId → amount baseAmount type account clearanceDate referenceNo',
  BankReconciliationTool:
    'bankAccount|company → company bankStatementFromDate bankStatementToDate bankStatementClosingBalance',
  TransactionDeletionRecord:
    'company → deleteTransactionsStatus deleteLeadsAndAddressesStatus clearNotificationsStatus errorLog',
  AssetRepair: 'assetName|asset → asset repairStatus failureDate completionDate totalRepairCost company',
  AssetRepairPurchaseInvoice: 'purchaseInvoice|expenseAccount → expenseAccount repairCost',
  SubcontractingOrder: 'supplierName|supplier → purchaseOrder transactionDate scheduleDate totalQty total perReceived',
  SubcontractingInwardOrder:
    'customerName|customer|salesOrder → salesOrder transactionDate perRawMaterialReceived perProduced perDelivered company',
  SubcontractingInwardOrderItem: 'itemName|itemCode → itemCode qty stockUom producedQty deliveredQty deliveryWarehouse',
  SubcontractingInwardOrderReceivedItem:
    'rmItemCode|mainItemCode → mainItemCode requiredQty receivedQty consumedQty stockUom rate',
  SubcontractingInwardOrderSecondaryItem: '→ type producedQty deliveredQty stockUom warehouse',
  SubcontractingInwardOrderServiceItem: 'itemName|itemCode → itemCode qty uom rate amount fgItem',
  SerialAndBatchBundle:
    'itemName|itemCode typeOfTransaction → voucherType voucherNo warehouse totalQty totalAmount postingDatetime',
  SerialNo: '→ itemCode itemName status warehouse customer warrantyExpiryDate',
  BOMCreator: 'itemName|itemCode → itemCode qty uom rawMaterialCost project company',
  JobCard:
    'operation itemName|productionItem|workOrder → workOrder workstation forQuantity totalCompletedQty expectedStartDate',
  JobCardTimeLog: 'operation|employee|parentId → employee fromTime toTime timeInMins completedQty',
  Timesheet: 'employeeName|employee|user → startDate endDate totalHours totalBillableAmount customer parentProject',
  TimesheetDetail: 'activityType|task|projectName → fromTime hours task isBillable billingHours billingAmount',
  Quotation: 'customerName|partyName → transactionDate validTill grandTotal orderType territory company',
};
