/**
 * Makes the amounts of a document fit each other: totals add up its lines, and a `base…` field is an amount converted.
 */
import type { RecordModel } from '../catalogue.js';
import type { Values } from '../change.js';
import { rounded, type Story } from './story.js';

/** The fields of a type that follow from others, in this order. */
const derived: Partial<Record<RecordModel, (values: Values, story: Story) => Values>> = {
  AssetRepairConsumedItem: (line, { quantity }) => ({
    consumedQuantity: String(quantity),
    totalValue: rounded(amount(line.valuationRate) * quantity),
  }),
  AssetRepair: (repair) => {
    const consumedItemsCost = sum(repair.consumedItems, 'totalValue');
    const isDone = repair.status !== 'draft';
    return {
      consumedItemsCost,
      totalRepairCost: rounded(amount(repair.repairCost) + consumedItemsCost),
      repairStatus: repair.status === 'cancelled' ? 'Cancelled' : isDone ? 'Completed' : 'Pending',
      ...(isDone ? {} : { completionDate: null, actionsPerformed: null, downtime: null }),
      ...(repair.capitalizeRepairCost ? {} : { increaseInAssetLife: null }),
    };
  },
  TimesheetDetail: (line) => ({
    toTime: typeof line.fromTime === 'string' ? later(line.fromTime, amount(line.hours)) : null,
    billingHours: line.isBillable ? line.hours : 0,
    billingAmount: line.isBillable ? rounded(amount(line.hours) * amount(line.billingRate)) : 0,
    costingAmount: rounded(amount(line.hours) * amount(line.costingRate)),
  }),
  Timesheet: ({ details }) => ({
    totalHours: sum(details, 'hours'),
    totalBillableHours: sum(details, 'billingHours'),
    totalBillableAmount: sum(details, 'billingAmount'),
    totalCostingAmount: sum(details, 'costingAmount'),
    totalBilledHours: 0,
    totalBilledAmount: 0,
    perBilled: 0,
  }),
  JobCard: ({ timeLogs, forQuantity }) => ({
    totalCompletedQty: Math.min(sum(timeLogs, 'completedQty'), amount(forQuantity)),
    totalTimeInMins: sum(timeLogs, 'timeInMins'),
  }),
  Quotation: (_, { item, quantity }) => {
    const netTotal = rounded(item.price * quantity);
    const totalTaxesAndCharges = rounded(netTotal * 0.19);
    const grandTotal = rounded(netTotal + totalTaxesAndCharges);
    const roundedTotal = Math.round(grandTotal);
    const roundingAdjustment = rounded(roundedTotal - grandTotal);
    return {
      totalQty: quantity,
      total: netTotal,
      netTotal,
      totalTaxesAndCharges,
      grandTotal,
      roundedTotal,
      roundingAdjustment,
    };
  },
  SerialAndBatchBundle: ({ avgRate, totalQty, status }) => ({
    totalAmount: rounded(amount(avgRate) * amount(totalQty)),
    isCancelled: status === 'cancelled',
  }),
  SigningDocument: ({ status, completedAt }) => ({
    signingStatus: status === 'submitted' ? 'completed' : status === 'cancelled' ? 'cancelled' : 'pending',
    completedAt: status === 'submitted' ? completedAt : null,
  }),
};

export function reconcile(model: RecordModel, values: Values, story: Story): void {
  Object.assign(values, derived[model]?.(values, story));
  for (const name of Object.keys(values)) {
    if (!/^base[A-Z]/.test(name) || typeof values[name] !== 'number') continue;
    const own = values[name.slice(4, 5).toLowerCase() + name.slice(5)];
    if (typeof own === 'number') values[name] = rounded(own * story.rate);
  }
}

const amount = (value: unknown): number => (typeof value === 'number' ? value : 0);

const sum = (lines: unknown, name: string): number =>
  Array.isArray(lines) ? rounded(lines.reduce((total: number, line: Values) => total + amount(line[name]), 0)) : 0;

const later = (instant: string, hours: number): string =>
  new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
