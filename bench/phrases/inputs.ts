/** The inputs of the writing workloads, with GraphQL names. */
import { snakeOf } from '../../src/model/names.js';
import type { Json } from './phrases.js';

export const newRepair = {
  failureDate: '2026-11-20',
  description: 'Spindle "B" runs hot above 3/4 load – Lagerschaden, seen on the night shift',
  repairCost: 120.37,
  asset: 'LATHE-7',
  company: 'Werk Nord',
};

export const newLines = {
  consumedItems: Array.from({ length: 5 }, (_, index) => ({
    valuationRate: 12.25,
    consumedQuantity: '2',
    totalValue: 24.5,
    itemCode: `BELT-${index}`,
    warehouse: 'Stores',
  })),
  purchaseInvoices: Array.from({ length: 2 }, (_, index) => ({
    purchaseInvoice: `PINV-${index}`,
    expenseAccount: 'Maintenance',
    repairCost: 60.15,
  })),
};

export const repairPatch = {
  repairStatus: 'Completed',
  actionsPerformed: 'Bearing replaced, shaft aligned to 0.02 mm.',
};

/** The same input with REST names. */
export function restBody(fields: { [key: string]: Json }): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeOf(name), value]));
}
