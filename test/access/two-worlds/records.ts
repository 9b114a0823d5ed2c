/** Records of few words, so that filters find some and links lead to some. */
import type { Random } from './random.js';

export const ownCompany = 'ACME';

export const words = {
  company: [ownCompany, ownCompany, 'Umbrella', null],
  asset: ['LATHE', 'PRESS', 'DRILL'],
  serialNo: ['SN-1', 'SN-2', 'SN-3', 'SN-4'],
  itemCode: ['GEAR', 'BELT', 'OIL'],
  warehouse: ['main', 'yard'],
  employee: ['EMP-1', 'EMP-2', 'EMP-3', null],
  modeOfPayment: ['Cash', 'Card', 'Wire'],
  repairStatus: ['Pending', 'Completed'],
  description: ['worn bearing', 'broken belt', 'oil leaks', null],
  status: ['Active', 'Delivered', null],
} as const;

const rates = [1, 2.5, 10, null];

export const inputs = {
  AssetRepair: (random: Random) => ({
    asset: random.one(words.asset),
    failureDate: `2026-0${1 + random.below(9)}-11`,
    company: random.one(words.company),
    repairStatus: random.one(words.repairStatus),
    description: random.one(words.description),
    repairCost: random.below(5),
  }),
  AssetRepairConsumedItem: (random: Random) => ({
    itemCode: random.one(words.itemCode),
    warehouse: random.one(words.warehouse),
    serialNo: random.one([...words.serialNo, null]),
    totalValue: random.one(rates),
  }),
  SerialNo: (random: Random) => ({
    serialNo: random.one(words.serialNo),
    itemCode: random.one(words.itemCode),
    company: random.one(['ACME', 'ACME', 'Umbrella']),
    status: random.one(words.status),
    description: random.one(words.description),
  }),
  JobCard: (random: Random) => ({
    company: random.one(words.company),
    serialNo: random.one([...words.serialNo, null]),
    operation: random.one(['mill', 'turn', null]),
    forQuantity: random.one(rates),
  }),
  Timesheet: (random: Random) => ({
    company: random.one(words.company),
    employee: random.one(words.employee),
    note: random.one(words.description),
  }),
  TimesheetDetail: (random: Random) => ({ hours: random.one(rates), project: random.one(['P-1', 'P-2', null]) }),
  IndustryType: (random: Random) => ({ industry: `industry ${random.below(1_000_000)}` }),
  UOMCategory: (random: Random) => ({ categoryName: `category ${random.below(1_000_000)}` }),
  SalesInvoicePayment: (random: Random) => ({
    parentId: random.one(['sinv-1', 'sinv-2', 'sinv-3']),
    parentType: 'Sales Invoice',
    modeOfPayment: random.one(words.modeOfPayment),
    amount: random.below(9),
  }),
  JobCardTimeLog: (random: Random) => ({
    parentId: random.one(['work-1', 'work-2']),
    parentType: 'Work Order',
    employee: random.one(words.employee),
    completedQty: random.below(9),
  }),
};

export type Model = keyof typeof inputs;

/** What is there at the beginning: also values of the fields that are hidden from the caller. */
export function documentsOf(random: Random): { model: Model; documents: object[] }[] {
  const many = (model: Model, count: number, more: () => object = () => ({})) => ({
    model,
    documents: Array.from({ length: count }, () => ({ ...inputs[model](random), ...more() })),
  });
  return [
    many('SerialNo', 16, () => ({ purchaseRate: random.one(rates) })),
    many('AssetRepair', 30, () => ({
      actionsPerformed: random.one(words.description),
      totalRepairCost: random.one(rates),
      consumedItems: Array.from({ length: random.below(4) }, () => ({
        ...inputs.AssetRepairConsumedItem(random),
        valuationRate: random.one(rates),
      })),
    })),
    many('JobCard', 14, () => ({
      timeLogs: Array.from({ length: random.below(3) }, () => ({ employee: random.one(words.employee) })),
    })),
    many('Timesheet', 14, () => ({
      details: Array.from({ length: random.below(3) }, () => ({
        ...inputs.TimesheetDetail(random),
        costingRate: random.one(rates),
      })),
    })),
    many('IndustryType', 4),
    many('UOMCategory', 4),
    // A line counts all lines of its parent, so those that are hidden have parents of their own.
    many('SalesInvoicePayment', 8, () => ({ modeOfPayment: random.one(['Cash', 'Card']) })),
    many('SalesInvoicePayment', 6, () => ({ modeOfPayment: 'Wire', parentId: 'sinv-9' })),
    many('JobCardTimeLog', 5, () => ({ employee: 'EMP-1' })),
    many('JobCardTimeLog', 5, () => ({ employee: 'EMP-2', parentId: 'work-9' })),
  ];
}
