/** What somebody has typed into the form of a record, and what of it differs from the record. */
import { type About, type FieldAbout, type TypeAbout, typeCalled } from '../../../about.js';

/** Texts as they stand in the form, by field. */
export type Texts = Record<string, string>;

export interface Draft {
  fields: Texts;
  /** By the name of the list: its lines, in order. */
  lines: Record<string, Line[]>;
}

/** A line in the form. One without an id is new. */
export interface Line {
  id?: string;
  place: string;
  fields: Texts;
}

export type RecordValues = { id: string; version: number } & Record<string, unknown>;

/** What every part of a record's page is given. */
export interface RecordProps {
  type: TypeAbout;
  record: RecordValues;
}

/** The fields that a form changes: a line's place and parent follow from where it stands. */
export const formFields = ({ fields, kind }: TypeAbout): FieldAbout[] =>
  fields.filter(({ name }) => kind !== 'child' || !(name === 'idx' || /^parent|Id$/.test(name)));

export function draftOf(type: TypeAbout, record: RecordValues, about: About): Draft {
  const lines: Draft['lines'] = {};
  for (const { model, field } of type.lines) {
    const own = typeCalled(about, model);
    lines[field] = linesIn(record, field).map((line) => {
      const { id } = line;
      return { id, place: id, fields: own ? textsOf(own, line) : {} };
    });
  }
  return { fields: textsOf(type, record), lines };
}

export function linesIn(record: RecordValues, list: string): RecordValues[] {
  const lines: unknown = record[list];
  return Array.isArray(lines) ? lines : [];
}

const textsOf = (type: TypeAbout, record: Record<string, unknown>): Texts =>
  Object.fromEntries(formFields(type).map(({ name }) => [name, String(record[name] ?? '')]));

/** The input of the mutation: only what differs, and each list that differs as a whole. */
export function changesIn(type: TypeAbout, before: Draft, after: Draft, about: About): Record<string, unknown> {
  const input = changedFields(type, before.fields, after.fields);
  for (const { model, field } of type.lines) {
    const own = typeCalled(about, model);
    const [old = [], now = []] = [before.lines[field], after.lines[field]];
    if (!own || JSON.stringify(old) === JSON.stringify(now)) continue;
    const byId = new Map(old.map((line) => [line.id, line.fields]));
    input[field] = now.map(({ id, fields }) => {
      const changed = changedFields(own, byId.get(id) ?? {}, fields);
      return id ? { id, ...changed } : changed;
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

/**
 * What somebody has typed, on top of what others have saved since: of the fields and lines that both have changed, it takes
 * those of the form; all that only others have changed stays as it is now.
 */
export function merged(before: Draft, mine: Draft, now: Draft): Draft {
  const lines: Draft['lines'] = {};
  for (const [list, theirs] of Object.entries(now.lines)) {
    lines[list] = mergedLines(before.lines[list] ?? [], mine.lines[list] ?? [], theirs);
  }
  return { fields: mergedFields(before.fields, mine.fields, now.fields), lines };
}

const mergedFields = (before: Texts, mine: Texts, now: Texts): Texts => ({ ...now, ...changedIn(before, mine) });

const changedIn = (before: Texts, mine: Texts): Texts =>
  Object.fromEntries(Object.entries(mine).filter(([name, text]) => text !== (before[name] ?? '')));

function mergedLines(before: Line[], mine: Line[], now: Line[]): Line[] {
  const find = (lines: Line[], id: string | undefined) => lines.find((line) => id !== undefined && line.id === id);
  const kept = now.flatMap((line) => {
    const own = find(mine, line.id);
    const old = find(before, line.id);
    // A line that was there before was removed in the form; any other line was added by somebody else.
    if (!own) return old ? [] : [line];
    return [{ ...line, fields: mergedFields(old?.fields ?? {}, own.fields, line.fields) }];
  });
  const added = mine.filter(({ id }) => id === undefined);
  // Changed in the form, and taken away by others: it comes back as a new line, because what was typed is not lost.
  const revived = mine.filter((line) => {
    const old = find(before, line.id);
    return old && !find(now, line.id) && Object.keys(changedIn(old.fields, line.fields)).length > 0;
  });
  return [...kept, ...revived.map(({ place, fields }) => ({ place, fields })), ...added];
}
