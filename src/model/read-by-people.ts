/**
 * What people look for in the records of a type, where the rules of `presentation.ts` would guess wrong. A name that no field has
 * is an error of types.
 */
import type { Prisma } from '../generated/sqlite/client.js';
import type { RecordModel } from './catalogue.js';

type FieldOf<Model extends RecordModel> = keyof Prisma.TypeMap['model'][Model]['payload']['scalars'];

interface ReadByPeople<Model extends RecordModel> {
  /** The fields whose texts together name a record. Of several in one place, the first that is filled counts. */
  namedBy?: readonly (FieldOf<Model> | readonly FieldOf<Model>[])[];
  /** At most six fields by which people decide what to do with a record, the most important first. */
  listed?: readonly FieldOf<Model>[];
}

export const readByPeople: { readonly [Model in RecordModel]?: ReadByPeople<Model> } = {
  SigningDocument: { listed: ['signingStatus', 'partyName', 'documentType', 'expiresAt', 'completedAt', 'company'] },
  SigningSignature: {
    namedBy: [['typedValue', 'value', 'signingFieldId']],
    listed: ['signatureType', 'signingRecipientId', 'signingFieldId'],
  },
  ProcessStatementOfAccounts: {
    namedBy: ['company', 'report'],
    listed: ['frequency', 'fromDate', 'toDate', 'customerCollection', 'collectionName', 'currency'],
  },
  ProcessStatementOfAccountsCustomer: { namedBy: [['customerName', 'customer']] },
  FinancialReportRow: {
    namedBy: [['displayName', 'referenceCode']],
    listed: ['referenceCode', 'dataSource', 'balanceType', 'fieldtype', 'calculationFormula', 'indentationLevel'],
  },
  SalesInvoicePayment: {
    namedBy: [['modeOfPayment', 'referenceNo', 'parentId']],
    listed: ['amount', 'baseAmount', 'type', 'account', 'clearanceDate', 'referenceNo'],
  },
  BankReconciliationTool: {
    namedBy: [['bankAccount', 'company']],
    listed: ['company', 'bankStatementFromDate', 'bankStatementToDate', 'bankStatementClosingBalance'],
  },
  TransactionDeletionRecord: {
    namedBy: ['company'],
    listed: ['deleteTransactionsStatus', 'deleteLeadsAndAddressesStatus', 'clearNotificationsStatus', 'errorLog'],
  },
  AssetRepair: {
    namedBy: [['assetName', 'asset']],
    listed: ['asset', 'repairStatus', 'failureDate', 'completionDate', 'totalRepairCost', 'company'],
  },
  AssetRepairPurchaseInvoice: {
    namedBy: [['purchaseInvoice', 'expenseAccount']],
    listed: ['expenseAccount', 'repairCost'],
  },
  SubcontractingOrder: {
    namedBy: [['supplierName', 'supplier']],
    listed: ['purchaseOrder', 'transactionDate', 'scheduleDate', 'totalQty', 'total', 'perReceived'],
  },
  SubcontractingInwardOrder: {
    namedBy: [['customerName', 'customer', 'salesOrder']],
    listed: ['salesOrder', 'transactionDate', 'perRawMaterialReceived', 'perProduced', 'perDelivered', 'company'],
  },
  SubcontractingInwardOrderItem: {
    namedBy: [['itemName', 'itemCode']],
    listed: ['itemCode', 'qty', 'stockUom', 'producedQty', 'deliveredQty', 'deliveryWarehouse'],
  },
  SubcontractingInwardOrderReceivedItem: {
    namedBy: [['rmItemCode', 'mainItemCode']],
    listed: ['mainItemCode', 'requiredQty', 'receivedQty', 'consumedQty', 'stockUom', 'rate'],
  },
  SubcontractingInwardOrderSecondaryItem: { listed: ['type', 'producedQty', 'deliveredQty', 'stockUom', 'warehouse'] },
  SubcontractingInwardOrderServiceItem: {
    namedBy: [['itemName', 'itemCode']],
    listed: ['itemCode', 'qty', 'uom', 'rate', 'amount', 'fgItem'],
  },
  SerialAndBatchBundle: {
    namedBy: [['itemName', 'itemCode'], 'typeOfTransaction'],
    listed: ['voucherType', 'voucherNo', 'warehouse', 'totalQty', 'totalAmount', 'postingDatetime'],
  },
  SerialNo: { listed: ['itemCode', 'itemName', 'status', 'warehouse', 'customer', 'warrantyExpiryDate'] },
  BOMCreator: {
    namedBy: [['itemName', 'itemCode']],
    listed: ['itemCode', 'qty', 'uom', 'rawMaterialCost', 'project', 'company'],
  },
  JobCard: {
    namedBy: ['operation', ['itemName', 'productionItem', 'workOrder']],
    listed: ['workOrder', 'workstation', 'forQuantity', 'totalCompletedQty', 'expectedStartDate'],
  },
  JobCardTimeLog: {
    namedBy: [['operation', 'employee', 'parentId']],
    listed: ['employee', 'fromTime', 'toTime', 'timeInMins', 'completedQty'],
  },
  Timesheet: {
    namedBy: [['employeeName', 'employee', 'user']],
    listed: ['startDate', 'endDate', 'totalHours', 'totalBillableAmount', 'customer', 'parentProject'],
  },
  TimesheetDetail: {
    namedBy: [['activityType', 'task', 'projectName']],
    listed: ['fromTime', 'hours', 'task', 'isBillable', 'billingHours', 'billingAmount'],
  },
  Quotation: {
    namedBy: [['customerName', 'partyName']],
    listed: ['transactionDate', 'validTill', 'grandTotal', 'orderType', 'territory', 'company'],
  },
};
