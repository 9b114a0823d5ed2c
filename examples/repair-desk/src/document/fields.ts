/** A field as the form shows it. */
export interface Field {
  name: string;
  label: string;
  /** `list` is a text with one entry a line. */
  type: 'text' | 'date' | 'number' | 'list' | 'paragraph';
  /** Whether it must have a value. */
  required?: boolean;
}

/** The fields of a repair, in the order of the form. */
export const fields = [
  { name: 'asset', label: 'Asset', type: 'text', required: true },
  { name: 'repairStatus', label: 'Repair status', type: 'text' },
  { name: 'failureDate', label: 'Failed on', type: 'date', required: true },
  { name: 'completionDate', label: 'Completed on', type: 'date' },
  { name: 'repairCost', label: 'Repair cost', type: 'number' },
  { name: 'company', label: 'Company', type: 'text' },
  { name: 'description', label: 'What is wrong', type: 'paragraph' },
  { name: 'actionsPerformed', label: 'What was done', type: 'paragraph' },
] as const satisfies Field[];

/** The fields of a consumed item, in the order of its row. */
export const lineFields = [
  { name: 'itemCode', label: 'Item', type: 'text', required: true },
  { name: 'warehouse', label: 'Warehouse', type: 'text', required: true },
  { name: 'consumedQuantity', label: 'Quantity', type: 'text' },
  { name: 'serialNo', label: 'Serial numbers', type: 'list' },
  { name: 'valuationRate', label: 'Rate', type: 'number' },
  { name: 'totalValue', label: 'Total', type: 'number' },
] as const satisfies Field[];

export type FieldName = (typeof fields)[number]['name'];
export type LineFieldName = (typeof lineFields)[number]['name'];

/** Whether two texts of the field mean the same value: `1.50` is the number `1.5`. */
export function isSameText({ type }: Pick<Field, 'type'>, one: string, other: string): boolean {
  return one === other || (type === 'number' && one !== '' && other !== '' && Number(one) === Number(other));
}
