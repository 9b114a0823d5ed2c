/** What somebody has typed into the form of a record, and what of it differs from the record. */
import type { FieldAbout, TypeAbout } from '../../about.js';

/** Texts as they stand in the form, by field. */
export type Texts = Record<string, string>;

export interface Draft {
  fields: Texts;
  /** By the name of the list: its lines, in order. One without an id is new. */
  lines: Record<string, { id?: string; place: string; fields: Texts }[]>;
}

export type RecordValues = { id: string; version: number } & Record<string, unknown>;

/** The fields that a form changes: a line's place and parent follow from where it stands. */
export const formFields = ({ fields, kind }: TypeAbout): FieldAbout[] =>
  fields.filter(({ name }) => kind !== 'child' || !(name === 'idx' || /^parent|Id$/.test(name)));

export function draftOf(
  type: TypeAbout,
  record: RecordValues,
  lineType: (model: string) => TypeAbout | undefined,
): Draft {
  const lines = type.lines.map(({ model, field }) => {
    const own = lineType(model);
    const drafts = linesIn(record, field).map((line) => ({
      id: line.id,
      place: line.id,
      fields: own ? textsOf(own, line) : {},
    }));
    return [field, drafts] as const;
  });
  return { fields: textsOf(type, record), lines: Object.fromEntries(lines) };
}

export function linesIn(record: RecordValues, list: string): RecordValues[] {
  const lines: unknown = record[list];
  return Array.isArray(lines) ? lines : [];
}

const textsOf = (type: TypeAbout, record: Record<string, unknown>): Texts =>
  Object.fromEntries(formFields(type).map(({ name }) => [name, textOf(record[name])]));

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value));

/** The input of the mutation: only what differs, and each list that differs as a whole. */
export function changesIn(
  type: TypeAbout,
  before: Draft,
  after: Draft,
  lineType: (model: string) => TypeAbout | undefined,
): Record<string, unknown> {
  const input = changedFields(type, before.fields, after.fields);
  for (const { model, field } of type.lines) {
    const own = lineType(model);
    const [old = [], now = []] = [before.lines[field], after.lines[field]];
    if (!own || JSON.stringify(old) === JSON.stringify(now)) continue;
    const byId = new Map(old.map((line) => [line.id, line]));
    input[field] = now.map((line) => {
      const known = line.id === undefined ? undefined : byId.get(line.id);
      const changed = changedFields(own, known?.fields ?? {}, line.fields);
      return line.id ? { id: line.id, ...changed } : changed;
    });
  }
  return input;
}

function changedFields(type: TypeAbout, before: Texts, after: Texts): Record<string, unknown> {
  const changed = formFields(type).filter(({ name }) => (after[name] ?? '') !== (before[name] ?? ''));
  return Object.fromEntries(changed.map((field) => [field.name, parsed(field, after[field.name] ?? '')]));
}

/** An empty text is no value. A text that is no number goes as it is, so that the gateway says what is wrong with it. */
function parsed({ type }: FieldAbout, text: string): unknown {
  if (text === '') return null;
  if (type === 'String') return text;
  if (type === 'Boolean') return text === 'true';
  return numberIn(text);
}

/**
 * The number that a text is. A text that is no plain number stays a text, so that the gateway says what is wrong with it: a
 * comma may part thousands or decimals, and nobody but the writer knows which. So does one that is too large for a number:
 * as JSON, infinity would be null, which empties a field.
 */
export function numberIn(text: string): number | string {
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : text;
}

/** A number as people read it, and never as another number: one that is very small or very large keeps its exponent. */
export function numberText(number: number): string {
  const size = Math.abs(number);
  const isPlain = size === 0 || (size >= 1e-6 && size < 1e15);
  return isPlain ? number.toLocaleString('en', { maximumFractionDigits: 20 }) : String(number);
}
