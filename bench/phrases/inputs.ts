/** The inputs of the writing workloads, with GraphQL names. */
import { snakeOf } from '../../src/model/names.js';
import type { Json, Subject } from './phrases.js';

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

export const repairPatch = ({ turn }: Subject) => ({
  repairStatus: 'Completed',
  actionsPerformed: `Bearing replaced, shaft aligned to 0.02 mm, order ${turn}.`,
});

/** A hundred repairs without lines. */
export const newRepairs = Array.from({ length: 100 }, (_, index) => ({ ...newRepair, asset: `LATHE-${index}` }));

/** The line of the subject that is changed: the one in the middle. */
export function changedLine({ consumedItems }: Subject): string {
  const id = consumedItems[consumedItems.length >> 1];
  if (id === undefined) throw new Error('Only a supplied record with lines has a line to change');
  return id;
}

export const linePatch = ({ turn }: Subject) => ({ consumedQuantity: `${turn} pieces`, totalValue: turn + 0.5 });

/** Another order of the subject's lines at each turn, in which every line moves. */
export function newOrder({ consumedItems, turn }: Subject): string[] {
  const first = 1 + (turn % (consumedItems.length - 1));
  return [...consumedItems.slice(first), ...consumedItems.slice(0, first)];
}

/** The form of a document after an edit: two fields, and all lines with two changed values each. */
export const savedRepair = (subject: Subject) => ({
  repairCost: subject.turn + 0.25,
  description: `Spindle runs hot, estimate ${subject.turn}`,
  consumedItems: subject.consumedItems.map((id, index) => ({
    id,
    valuationRate: 12.25,
    itemCode: `BELT-${index}`,
    warehouse: 'Stores',
    ...linePatch(subject),
  })),
});

/** The same input with REST names. */
export function restBody(fields: { [key: string]: Json }): { [key: string]: Json } {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [snakeOf(name), value]));
}
