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
  /** The documented operations where these are not all that it has, without `retrieve` for lines. */
  documented?: readonly RecordOperation[];
  /** The plural of its name, if that is irregular. */
  plural?: string;
  /** Fields that hold credentials: the journal records that they have changed, but not their values. */
  secrets?: readonly string[];
}

export const catalogue = {
  SigningDocument: { area: 'signing', kind: 'resource' },
  SigningSignature: { area: 'signing', kind: 'resource' },

  ProcessStatementOfAccounts: { area: 'accounts', kind: 'resource', plural: 'ProcessStatementsOfAccounts' },
  ProcessStatementOfAccountsCC: { area: 'accounts', kind: 'child', plural: 'ProcessStatementOfAccountsCCs' },
  ProcessStatementOfAccountsCustomer: { area: 'accounts', kind: 'child', documented: ['list', 'create', 'update'] },
  FinancialReportTemplate: { area: 'accounts', kind: 'resource' },
  FinancialReportRow: { area: 'accounts', kind: 'child' },
  SalesInvoicePayment: { area: 'accounts', kind: 'child' },
  TaxWithholdingGroup: { area: 'accounts', kind: 'resource' },
  BankReconciliationTool: { area: 'accounts', kind: 'resource' },
  CurrencyExchangeSettings: { area: 'accounts', kind: 'singleton', secrets: ['accessKey'] },
  CurrencyExchangeSettingsDetails: { area: 'accounts', kind: 'child', plural: 'CurrencyExchangeSettingsDetailsList' },
  CurrencyExchangeSettingsResult: { area: 'accounts', kind: 'child' },
  SubscriptionSettings: { area: 'accounts', kind: 'singleton' },

  TransactionDeletionRecord: { area: 'setup', kind: 'resource' },
  TransactionDeletionRecordDetails: { area: 'setup', kind: 'child', plural: 'TransactionDeletionRecordDetailsList' },
  TransactionDeletionRecordItem: { area: 'setup', kind: 'child' },
  TransactionDeletionRecordToDelete: { area: 'setup', kind: 'child', plural: 'TransactionDeletionRecordsToDelete' },

  AssetRepair: { area: 'assets', kind: 'resource' },
  AssetRepairConsumedItem: { area: 'assets', kind: 'child' },
  AssetRepairPurchaseInvoice: { area: 'assets', kind: 'child' },

  SubcontractingOrder: {
    area: 'subcontracting',
    kind: 'resource',
    documented: ['retrieve', 'list', 'create', 'update', 'delete', 'submit'],
  },
  SubcontractingInwardOrder: { area: 'subcontracting', kind: 'resource' },
  SubcontractingInwardOrderItem: { area: 'subcontracting', kind: 'child' },
  SubcontractingInwardOrderReceivedItem: { area: 'subcontracting', kind: 'child' },
  SubcontractingInwardOrderSecondaryItem: { area: 'subcontracting', kind: 'child' },
  SubcontractingInwardOrderServiceItem: { area: 'subcontracting', kind: 'child' },

  SerialAndBatchBundle: { area: 'stock', kind: 'resource' },
  SerialNo: { area: 'stock', kind: 'resource' },
  CustomsTariffNumber: { area: 'stock', kind: 'resource' },
  UOMCategory: { area: 'stock', kind: 'resource' },

  BOMCreator: { area: 'manufacturing', kind: 'resource' },
  JobCard: { area: 'manufacturing', kind: 'resource' },
  JobCardTimeLog: { area: 'manufacturing', kind: 'child' },

  Timesheet: { area: 'projects', kind: 'resource' },
  TimesheetDetail: { area: 'projects', kind: 'child' },

  IndustryType: { area: 'crm', kind: 'resource' },
  Quotation: { area: 'crm', kind: 'resource', documented: ['retrieve', 'list', 'create'] },
} as const satisfies Record<RecordModel, CatalogueEntry>;
