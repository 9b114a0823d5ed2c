/** A repair as the form holds it: the fields of its input, each value as the text of an input. */
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
  { name: 'repairCost', label: 'Repair cost', type: 'number', required: true },
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

export type Texts<Of extends readonly Field[]> = Record<Of[number]['name'], string>;

export interface Draft extends Texts<typeof fields> {
  consumedItems: DraftLine[];
}

export interface DraftLine extends Texts<typeof lineFields> {
  /** Tells the line from the others while it is edited: its id, or another text where it has none yet. */
  key: string;
  /** Null for a line that the gateway does not have. */
  id: string | null;
}

/** A text for each of the fields, by its name. */
export function textsOf<Of extends readonly Field[]>(those: Of, textOf: (field: Of[number]) => string): Texts<Of> {
  // Object.fromEntries forgets the names of what it is given.
  return Object.fromEntries(those.map((field) => [field.name, textOf(field)])) as Texts<Of>;
}

export function emptyDraft(): Draft {
  // What the gateway would store for no cost is there to be seen.
  return { ...textsOf(fields, () => ''), repairCost: '0', consumedItems: [] };
}

export function emptyLine(): DraftLine {
  return { ...textsOf(lineFields, () => ''), key: crypto.randomUUID(), id: null };
}

/** The value that the text means: null for a blank, and NaN for a text that should be a number. */
export function valueIn({ type }: Pick<Field, 'type'>, text: string): string | number | null {
  if (text.trim() === '') return null;
  return type === 'number' ? Number(text) : text;
}

/** What is wrong with the text, before the gateway is asked. */
export function problemIn(field: Field, text: string): string | undefined {
  const value = valueIn(field, text);
  if (value === null) return field.required ? 'A value is needed.' : undefined;
  return typeof value === 'number' && !Number.isFinite(value) ? 'A number is needed, such as 120.5.' : undefined;
}

/** Whether two texts of the field mean the same value: `1.50` is the number `1.5`. */
export function isSameText(field: Pick<Field, 'type'>, one: string, other: string): boolean {
  const value = valueIn(field, one);
  return one === other || (value === valueIn(field, other) && !Number.isNaN(value));
}

export function isSameLine(one: DraftLine, other: DraftLine): boolean {
  return lineFields.every((field) => isSameText(field, one[field.name], other[field.name]));
}

/** Whether they are the same lines in the same order, with the same values. */
export function areSameLines(ones: DraftLine[], others: DraftLine[]): boolean {
  const isSame = (line: DraftLine, other: DraftLine | undefined) =>
    other?.key === line.key && other.id === line.id && isSameLine(line, other);
  return ones.length === others.length && ones.every((line, place) => isSame(line, others[place]));
}

/** What to call the line in a sentence. */
export function nameOfLine({ itemCode }: Pick<DraftLine, 'itemCode'>): string {
  return itemCode === '' ? 'line without an item' : `line ${itemCode}`;
}
