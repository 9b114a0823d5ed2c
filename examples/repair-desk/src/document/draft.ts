import { type FieldName, fields, isSameText, type LineFieldName, lineFields } from './fields.js';

/** A repair as the form holds it: every value is the text of an input; no value is an empty text. */
export interface Draft {
  values: Record<FieldName, string>;
  lines: DraftLine[];
}

export interface DraftLine {
  /** Tells the line from the others while it is edited: its id, or another text where it has none yet. */
  key: string;
  /** Null for a line that the gateway does not have. */
  id: string | null;
  values: Record<LineFieldName, string>;
}

export function emptyDraft(): Draft {
  return { values: valuesBy(fields, () => ''), lines: [] };
}

export function emptyLine(): DraftLine {
  return { key: crypto.randomUUID(), id: null, values: valuesBy(lineFields, () => '') };
}

export function isSameLine(one: DraftLine, other: DraftLine): boolean {
  return lineFields.every((field) => isSameText(field, one.values[field.name], other.values[field.name]));
}

export function isSameDraft(one: Draft, other: Draft): boolean {
  return (
    fields.every((field) => isSameText(field, one.values[field.name], other.values[field.name])) &&
    areSameLines(one.lines, other.lines)
  );
}

/** Whether they are the same lines in the same order, with the same values. */
export function areSameLines(ones: DraftLine[], others: DraftLine[]): boolean {
  return (
    ones.length === others.length &&
    ones.every((line, place) => {
      const other = others[place];
      return other?.key === line.key && other.id === line.id && isSameLine(line, other);
    })
  );
}

/** Where a value of a line stands, as marks, questions and problems name it; a field's place is its name. */
export function placeInLine(key: string, name: string): string {
  return `${key}.${name}`;
}

/** What to call the line in a sentence. */
export function nameOfLine({ values }: DraftLine): string {
  return values.itemCode === '' ? 'line without an item' : `line ${values.itemCode}`;
}

/** A value for each of the fields, by its name. */
export function valuesBy<Of extends { name: string }, Value>(
  those: readonly Of[],
  valueIn: (field: Of) => Value,
): Record<Of['name'], Value> {
  // Object.fromEntries forgets the names of what it is given.
  return Object.fromEntries(those.map((field) => [field.name, valueIn(field)])) as Record<Of['name'], Value>;
}
