/** What somebody has typed into the form of a record, and what of it differs from the record. */
import { type About, type FieldAbout, listsOf, type TypeAbout } from '../../../about.js';

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

export type RecordValues = { id: string; version: number; actions?: ActionState[] } & Record<string, unknown>;

/** What can be done with a record now, and why not. */
interface ActionState {
  action: string;
  allowed: boolean;
  reason: string | null;
}

/** What every part of a record's page is given. */
export interface RecordProps {
  type: TypeAbout;
  record: RecordValues;
}

/** The fields that a form changes: a line's place and parent follow from where it stands. */
export const formFields = ({ fields, kind }: TypeAbout): FieldAbout[] =>
  fields.filter(({ name }) => kind !== 'child' || !(name === 'idx' || /^parent|Id$/.test(name)));

/** The form of a record; or of a new one like it, without its ids, its secrets and its state. */
export function draftOf(type: TypeAbout, record: RecordValues, about: About, isNew = false): Draft {
  const lines: Draft['lines'] = {};
  for (const { own, field } of listsOf(type, about)) {
    lines[field] = linesIn(record, field).map((line) => ({
      ...(isNew ? {} : { id: line.id }),
      place: line.id,
      fields: textsOf(own, line, isNew),
    }));
  }
  return { fields: textsOf(type, record, isNew), lines };
}

/** What a new line begins with. */
export const defaultsOf = (type: TypeAbout): Texts => textsOf(type, {}, true);

/** What a record does not have, and what stays with it alone, begins with its default. */
const textsOf = (type: TypeAbout, record: Readonly<Record<string, unknown>>, isNew: boolean): Texts =>
  Object.fromEntries(
    formFields(type).map(({ name, isState, secret, default: given }) => {
      const isHeld = name in record && !(isNew && (isState || secret));
      const value = (isHeld ? record[name] : given) ?? '';
      return [name, typeof value === 'number' ? String(value).replace('.', readersDecimal) : String(value)];
    }),
  );

/** The groups of a form: without the state of a document, and what a line belongs to. */
export const groupsIn = ({ groups, fields }: TypeAbout) =>
  groups.map((group) => ({ ...group, fields: fields.filter(({ name }) => group.fields.includes(name)) }));

/** The fields that a form shows, by its groups. */
export const shownFields = (type: TypeAbout): FieldAbout[] => groupsIn(type).flatMap(({ fields }) => fields);

/** The fields that say what a line belongs to: they are given once, when it is made. */
export function placingFields(type: TypeAbout): FieldAbout[] {
  const shown = shownFields(type);
  return type.kind === 'child' ? type.fields.filter((field) => field.name !== 'idx' && !shown.includes(field)) : [];
}

export function linesIn(record: RecordValues, list: string): RecordValues[] {
  const lines: unknown = record[list];
  return Array.isArray(lines) ? lines : [];
}

/** The input of the mutation: only what differs, and each list that differs as a whole. */
export function changesIn(type: TypeAbout, before: Draft, after: Draft, about: About): Record<string, unknown> {
  const input = changedFields([...formFields(type), ...placingFields(type)], before.fields, after.fields);
  for (const { own, field } of listsOf(type, about)) {
    const [old = [], now = []] = [before.lines[field], after.lines[field]];
    if (old === now || JSON.stringify(old) === JSON.stringify(now)) continue;
    const byId = new Map(old.map((line) => [line.id, line.fields]));
    input[field] = now.map(({ id, fields }) => {
      const changed = changedFields(formFields(own), id ? (byId.get(id) ?? {}) : defaultsOf(own), fields);
      return id ? { id, ...changed } : changed;
    });
  }
  return input;
}

function changedFields(fields: FieldAbout[], before: Texts, after: Texts): Record<string, unknown> {
  const changed = fields.filter(({ name }) => (after[name] ?? '') !== (before[name] ?? ''));
  return Object.fromEntries(changed.map((field) => [field.name, valueIn(field, after[field.name] ?? '')]));
}

/** An empty text is no value. A text that is no number goes as it is, so that the gateway says what is wrong with it. */
export function valueIn({ type }: FieldAbout, text: string): unknown {
  if (text === '') return null;
  if (type === 'String') return text;
  if (type === 'Boolean') return text === 'true';
  return numberIn(text);
}

/** All digits are `0` to `9`: others are not understood when they are typed. */
const latin = { numberingSystem: 'latn' };

/** What parts decimals for the reader: a point or a comma. */
export const readersDecimal = (1.5).toLocaleString(undefined, latin).charAt(1);

/**
 * The number that a text is, in whichever way it is written: `1200.5`, `1,200.50`, `1.200,50`, `1 200,50`. A text that can be
 * read in two ways stays a text, so that nothing is taken for another number: `1,200` is 1200 for some, and for others it has
 * decimals. What parts decimals for the reader is sure. So does one that is too large for a number: as JSON, infinity would be
 * null, which empties a field.
 */
export function numberIn(text: string, decimal = readersDecimal): number | string {
  // Some languages write a minus of their own, or a mark of direction before it.
  const plain = plainOf(text.trim().replace(/^[\u200e\u200f\u061c]?[-−]/, '-'), decimal);
  const number = plain === undefined ? Number.NaN : Number(plain);
  return Number.isFinite(number) ? number : text;
}

/** A number that a comma or a point parts once, after up to three figures and before three. */
export const twofold = /^(-?[1-9]\d{0,2})([,.])(\d{3})$/;

/** Thousands in groups of three, or as in India of two, by one sign throughout; then decimals behind the other sign. */
const grouped = /^-?\d{1,3}([,.\s'’])(?:\d{2,3}\1)*\d{3}(?:([.,])(\d+))?$/;

function plainOf(text: string, decimal: string): string | undefined {
  const sign = twofold.exec(text)?.[2];
  if (sign && sign !== decimal) return undefined;
  if (/^-?\d+([,.]\d+)?([eE][+-]?\d{1,3})?$/.test(text)) return text.replace(',', '.');
  const [, group = '', fraction, decimals] = grouped.exec(text) ?? [];
  if (!group || fraction === group) return undefined;
  const whole = (fraction ? text.slice(0, text.lastIndexOf(fraction)) : text).replaceAll(group, '');
  return decimals ? `${whole}.${decimals}` : whole;
}

/**
 * A number as people read it, with at least so many decimals, and never as another number: one that is very small or very large
 * keeps its exponent.
 */
export function numberText(number: number, decimals = 0, locale?: string): string {
  const size = Math.abs(number);
  const isPlain = size === 0 || (size >= 1e-6 && size < 1e15);
  const digits = { ...latin, minimumFractionDigits: decimals, maximumFractionDigits: 20 };
  return isPlain ? number.toLocaleString(locale, digits) : String(number);
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
