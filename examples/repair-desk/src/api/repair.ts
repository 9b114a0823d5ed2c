/** What the desk reads of an asset repair. */
export interface Repair extends Record<FieldName, Value> {
  id: string;
  version: number;
  status: string;
  displayTitle: string;
  /** What may be done with it now: `submit`, `cancel`. */
  allowedActions: string[];
  consumedItems: Line[];
}

/** A consumed item of it. */
export interface Line extends Record<LineFieldName, Value> {
  id: string;
}

type Value = string | number | null;

export type FieldName = (typeof fields)[number]['name'];
export type LineFieldName = (typeof lineFields)[number]['name'];

/** A field as the form shows it. */
export interface Field {
  label: string;
  type: 'text' | 'date' | 'number' | 'paragraph';
}

export const fields = [
  { name: 'asset', label: 'Asset', type: 'text' },
  { name: 'repairStatus', label: 'Repair status', type: 'text' },
  { name: 'failureDate', label: 'Failed on', type: 'date' },
  { name: 'completionDate', label: 'Completed on', type: 'date' },
  { name: 'repairCost', label: 'Repair cost', type: 'number' },
  { name: 'company', label: 'Company', type: 'text' },
  { name: 'description', label: 'What is wrong', type: 'paragraph' },
  { name: 'actionsPerformed', label: 'What was done', type: 'paragraph' },
] as const satisfies (Field & { name: string })[];

export const lineFields = [
  { name: 'itemCode', label: 'Item', type: 'text' },
  { name: 'warehouse', label: 'Warehouse', type: 'text' },
  { name: 'consumedQuantity', label: 'Quantity', type: 'text' },
  { name: 'valuationRate', label: 'Rate', type: 'number' },
  { name: 'totalValue', label: 'Total', type: 'number' },
] as const satisfies (Field & { name: string })[];
