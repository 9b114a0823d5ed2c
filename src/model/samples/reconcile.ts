/** What of a sample document follows from the rest of it, so that its amounts, quantities, times and states fit each other. */
import type { RecordModel } from '../catalogue.js';
import type { Values } from '../change.js';
import { rounded, type Story } from './story.js';

/** What an hour of work costs. */
export const hourly = 48;

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
  TimesheetDetail: (line, { number }) => {
    const isBillable = number % 4 !== 0;
    return {
      isBillable,
      toTime: later(line.fromTime, amount(line.hours)),
      billingHours: isBillable ? line.hours : 0,
      ...{ billingRate: hourly * 1.5, costingRate: hourly },
      billingAmount: isBillable ? rounded(amount(line.hours) * hourly * 1.5) : 0,
      costingAmount: rounded(amount(line.hours) * hourly),
    };
  },
  Timesheet: ({ details }) => ({
    details: daily(details),
    totalHours: sum(details, 'hours'),
    totalBillableHours: sum(details, 'billingHours'),
    totalBillableAmount: sum(details, 'billingAmount'),
    totalCostingAmount: sum(details, 'costingAmount'),
    totalBilledHours: 0,
    totalBilledAmount: 0,
    perBilled: 0,
  }),
  JobCardTimeLog: ({ fromTime, timeInMins }) => ({ toTime: later(fromTime, amount(timeInMins) / 60) }),
  JobCard: ({ timeLogs, operation, status, isCorrectiveJobCard }, { quantity }) => {
    const logs = daily(timeLogs);
    const done = status === 'draft' ? Math.floor(quantity / 2) : quantity;
    const part = Math.floor(done / logs.length);
    return {
      workstation: `${operation} bench`,
      totalCompletedQty: done,
      manufacturedQty: done,
      totalTimeInMins: sum(logs, 'timeInMins'),
      timeLogs: logs.map((log, index) => ({
        ...log,
        operation,
        completedQty: index === 0 ? done - part * (logs.length - 1) : part,
      })),
      ...(status === 'draft' ? { actualEndDate: null } : {}),
      ...(isCorrectiveJobCard ? {} : { forOperation: null, forJobCard: null }),
    };
  },
  SubcontractingOrder: ({ status }) => (status === 'draft' ? { perReceived: 0 } : {}),
  SubcontractingInwardOrder: ({ status, items, perProduced }) => {
    const produced = status === 'draft' ? 0 : amount(perProduced);
    const delivered = produced === 100 ? 100 : produced / 5;
    return {
      perRawMaterialReceived: status === 'draft' ? 0 : 100,
      perProduced: produced,
      perDelivered: delivered,
      ...{ perProcessLoss: 0, perReturned: 0, perRawMaterialReturned: 0 },
      items: linesIn(items).map((line) => ({
        ...line,
        producedQty: rounded((amount(line.qty) * produced) / 100),
        deliveredQty: rounded((amount(line.qty) * delivered) / 100),
      })),
    };
  },
  CurrencyExchangeSettings: ({ details, results }) => ({
    details: linesIn(details)
      .slice(0, 2)
      .map((line, index) => ({ ...line, ...parameters[index] })),
    results: linesIn(results)
      .slice(0, 1)
      .map((line) => ({ ...line, key: 'rates' })),
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
  SerialAndBatchBundle: ({ status, typeOfTransaction }, { item, quantity }) => ({
    avgRate: item.price,
    totalQty: typeOfTransaction === 'Outward' ? -quantity : quantity,
    totalAmount: rounded(item.price * (typeOfTransaction === 'Outward' ? -quantity : quantity)),
    isCancelled: status === 'cancelled',
  }),
  SigningDocument: ({ status, completedAt }) => ({
    signingStatus: status === 'submitted' ? 'completed' : status === 'cancelled' ? 'cancelled' : 'pending',
    completedAt: status === 'submitted' ? completedAt : null,
  }),
};

/** Makes the amounts of a document fit each other: totals add up its lines, and a `base…` field is an amount converted. */
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

/** Each line a day after the one before. */
const daily = (lines: unknown): Values[] =>
  linesIn(lines).map((line, index) => ({
    ...line,
    fromTime: later(line.fromTime, 24 * index),
    toTime: later(line.toTime, 24 * index),
  }));

const linesIn = (lines: unknown): Values[] => (Array.isArray(lines) ? lines : []);

const later = (instant: unknown, hours: number): string | null =>
  typeof instant === 'string' ? new Date(Date.parse(instant) + hours * 3_600_000).toISOString() : null;

/** What a service of exchange rates is asked with. */
const parameters = [
  { key: 'base', value: '{from_currency}' },
  { key: 'symbols', value: '{to_currency}' },
];
