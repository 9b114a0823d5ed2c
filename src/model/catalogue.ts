/**
 * What the REST documentation says of each record type besides its fields: area, kind, and documented operations
 * (sections 4.3 to 4.5). Behaviour of a single type belongs in `src/change/rules/`; operations that the gateway adds
 * are derived in `src/model/create-resources.ts`.
 */
import type { Prisma } from '../generated/sqlite/client.js';

/** Tables of the gateway itself, which no interface shows. */
export const gatewayModels = [
  'ApiKey',
  'ForeignParent',
  'RecordCount',
  'RecordBlock',
  'RecordBlockChange',
  'IdempotentRequest',
  'RateWindow',
  'Webhook',
  'WebhookDelivery',
  'WebhookAttempt',
  'WebhookLease',
  'JournalEntry',
  'JournalState',
  'ApiUse',
  'ImportProgress',
  'SearchText',
  'SearchWord',
  'SearchState',
] as const satisfies readonly Prisma.ModelName[];

export type RecordModel = Exclude<Prisma.ModelName, (typeof gatewayModels)[number]>;

export type Area =
  | 'signing'
  | 'accounts'
  | 'setup'
  | 'assets'
  | 'subcontracting'
  | 'stock'
  | 'manufacturing'
  | 'projects'
  | 'crm';

export type Kind = 'resource' | 'singleton' | 'child';

export type RecordOperation = 'retrieve' | 'list' | 'create' | 'update' | 'delete' | 'submit' | 'cancel' | 'reorder';

export interface CatalogueEntry {
  area: Area;
  kind: Kind;
  documented: readonly RecordOperation[];
  /** The plural of its name, if that is irregular. */
  plural?: string;
  /** Fields that hold credentials: the journal records that they have changed, but not their values. */
  secrets?: readonly string[];
}

const standard = ['retrieve', 'list', 'create', 'update', 'delete'] as const;
const submittable = [...standard, 'submit', 'cancel'] as const;
const lines = ['list', 'create', 'update', 'delete', 'reorder'] as const;

export const catalogue = {
  SigningDocument: { area: 'signing', kind: 'resource', documented: submittable },
  SigningSignature: { area: 'signing', kind: 'resource', documented: standard },

  ProcessStatementOfAccounts: {
    area: 'accounts',
    kind: 'resource',
    documented: standard,
    plural: 'ProcessStatementsOfAccounts',
  },
  ProcessStatementOfAccountsCC: {
    area: 'accounts',
    kind: 'child',
    documented: lines,
    plural: 'ProcessStatementOfAccountsCCs',
  },
  ProcessStatementOfAccountsCustomer: { area: 'accounts', kind: 'child', documented: ['list', 'create', 'update'] },
  FinancialReportTemplate: { area: 'accounts', kind: 'resource', documented: standard },
  FinancialReportRow: { area: 'accounts', kind: 'child', documented: lines },
  SalesInvoicePayment: { area: 'accounts', kind: 'child', documented: lines },
  TaxWithholdingGroup: { area: 'accounts', kind: 'resource', documented: standard },
  BankReconciliationTool: { area: 'accounts', kind: 'resource', documented: standard },
  CurrencyExchangeSettings: {
    area: 'accounts',
    kind: 'singleton',
    documented: ['retrieve', 'update'],
    secrets: ['accessKey'],
  },
  CurrencyExchangeSettingsDetails: {
    area: 'accounts',
    kind: 'child',
    documented: lines,
    plural: 'CurrencyExchangeSettingsDetailsList',
  },
  CurrencyExchangeSettingsResult: { area: 'accounts', kind: 'child', documented: lines },
  SubscriptionSettings: { area: 'accounts', kind: 'singleton', documented: ['retrieve', 'update'] },

  TransactionDeletionRecord: { area: 'setup', kind: 'resource', documented: submittable },
  TransactionDeletionRecordDetails: {
    area: 'setup',
    kind: 'child',
    documented: lines,
    plural: 'TransactionDeletionRecordDetailsList',
  },
  TransactionDeletionRecordItem: { area: 'setup', kind: 'child', documented: lines },
  TransactionDeletionRecordToDelete: {
    area: 'setup',
    kind: 'child',
    documented: lines,
    plural: 'TransactionDeletionRecordsToDelete',
  },

  AssetRepair: { area: 'assets', kind: 'resource', documented: submittable },
  AssetRepairConsumedItem: { area: 'assets', kind: 'child', documented: lines },
  AssetRepairPurchaseInvoice: { area: 'assets', kind: 'child', documented: lines },

  SubcontractingOrder: { area: 'subcontracting', kind: 'resource', documented: [...standard, 'submit'] },
  SubcontractingInwardOrder: { area: 'subcontracting', kind: 'resource', documented: submittable },
  SubcontractingInwardOrderItem: { area: 'subcontracting', kind: 'child', documented: lines },
  SubcontractingInwardOrderReceivedItem: { area: 'subcontracting', kind: 'child', documented: lines },
  SubcontractingInwardOrderSecondaryItem: { area: 'subcontracting', kind: 'child', documented: lines },
  SubcontractingInwardOrderServiceItem: { area: 'subcontracting', kind: 'child', documented: lines },

  SerialAndBatchBundle: { area: 'stock', kind: 'resource', documented: submittable },
  SerialNo: { area: 'stock', kind: 'resource', documented: standard },
  CustomsTariffNumber: { area: 'stock', kind: 'resource', documented: standard },
  UOMCategory: { area: 'stock', kind: 'resource', documented: standard },

  BOMCreator: { area: 'manufacturing', kind: 'resource', documented: submittable },
  JobCard: { area: 'manufacturing', kind: 'resource', documented: submittable },
  JobCardTimeLog: { area: 'manufacturing', kind: 'child', documented: lines },

  Timesheet: { area: 'projects', kind: 'resource', documented: submittable },
  TimesheetDetail: { area: 'projects', kind: 'child', documented: lines },

  IndustryType: { area: 'crm', kind: 'resource', documented: standard },
  Quotation: { area: 'crm', kind: 'resource', documented: ['retrieve', 'list', 'create'] },
} as const satisfies Record<RecordModel, CatalogueEntry>;
