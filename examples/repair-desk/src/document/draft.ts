import { type FieldName, fields, type Line, type LineFieldName, lineFields, type Repair } from '../api/repair.js';

/** A repair as the form holds it: every value is the text of an input; no value is an empty text. */
export interface Draft {
  values: Record<FieldName, string>;
  lines: DraftLine[];
}

export interface DraftLine {
  /** Tells the line from the others while it is edited. */
  key: string;
  /** Null for a line that is not saved yet. */
  id: string | null;
  values: Record<LineFieldName, string>;
}

const fieldNames = fields.map(({ name }) => name);
const lineFieldNames = lineFields.map(({ name }) => name);
const numbers = new Set<string>(
  [...fields, ...lineFields].filter(({ type }) => type === 'number').map(({ name }) => name),
);

export function draftOf(repair: Repair): Draft {
  return {
    values: fromNames(fieldNames, (name) => textOf(repair[name])),
    lines: repair.consumedItems.map((line: Line) => ({
      key: line.id,
      id: line.id,
      values: fromNames(lineFieldNames, (name) => textOf(line[name])),
    })),
  };
}

export function newLine(): DraftLine {
  return { key: crypto.randomUUID(), id: null, values: fromNames(lineFieldNames, () => '') };
}

/** Whether saving the draft over the repair would change nothing. */
export function isSame(draft: Draft, repair: Repair): boolean {
  return Object.keys(inputOf(draft, repair)).length === 0;
}

/**
 * The input of a save that makes `repair` what the draft says: the fields that differ, and all lines when any differs. A
 * line that `repair` no longer has is sent as a new one.
 */
export function inputOf(draft: Draft, repair: Repair): Record<string, unknown> {
  const saved = draftOf(repair);
  const changed = fieldNames.filter((name) => draft.values[name] !== saved.values[name]);
  const input: Record<string, unknown> = fromNames(changed, (name) => valueIn(name, draft.values[name]));
  if (linesAsText(draft) !== linesAsText(saved)) {
    const ids = new Set(saved.lines.map(({ id }) => id));
    input.consumedItems = draft.lines.map(({ id, values }) => ({
      ...(id !== null && ids.has(id) ? { id } : {}),
      ...fromNames(lineFieldNames, (name) => valueIn(name, values[name])),
    }));
  }
  return input;
}

function linesAsText({ lines }: Draft): string {
  return JSON.stringify(lines.map(({ id, values }) => [id, ...lineFieldNames.map((name) => values[name])]));
}

function textOf(value: string | number | null): string {
  return value === null ? '' : String(value);
}

function valueIn(name: string, text: string): string | number | null {
  if (text === '') return null;
  return numbers.has(name) ? Number(text) : text;
}

function fromNames<Name extends string, Value>(
  names: readonly Name[],
  valueOfName: (name: Name) => Value,
): Record<Name, Value> {
  // Object.fromEntries forgets the names of what it is given.
  return Object.fromEntries(names.map((name) => [name, valueOfName(name)])) as Record<Name, Value>;
}
