/** What the columns of a CSV file mean: fields of a type, and of its lists of lines as `consumedItems.itemCode`. */

import { nearest } from '../../../common/nearest.js';
import type { FieldType } from '../../../model/field.js';
import { isDocumentStatus } from '../../../model/lifecycle.js';
import type { Resource } from '../../../model/resource.js';
import { scopeOf } from '../../../query/scope.js';
import { textIn } from '../export/document-form.js';
import { TransferError } from '../transfer-error.js';

/** A value of a cell: null where nothing stands between two commas, not even `""`. */
export type Cell = string | null;

export interface CsvColumn {
  /** The list that it belongs to; undefined for the document itself. */
  list: string | undefined;
  name: string;
  isNumber: boolean;
  /**
   * The value of a cell. A text that is no value of the type stays as it is, and is refused later. Undefined where the
   * field is left out: it cannot be null, and has a value without being given one.
   */
  read(cell: Cell): unknown;
}

export interface CsvForm {
  /** Whether every value is in quotes, so that `""` is also written for null. */
  isQuoted: boolean;
  /** Whether one and a half is written 1,5. */
  decimalComma: boolean;
}

/** @throws TransferError for columns that the type does not have */
export function csvColumns(resource: Resource, header: readonly Cell[], form: CsvForm): CsvColumn[] {
  const known = knownColumns(resource, form);
  const seen = new Set<string>();
  return header.map((cell, index) => {
    const name = cell ?? '';
    if (name === '')
      throw new TransferError(`Column ${index + 1} has no name in the first line. Name it, or remove it.`);
    const column = known.get(name);
    if (!column) throw new TransferError(unknownColumn(resource, name, [...known.keys()]));
    if (seen.has(name)) throw new TransferError(`The first line names the column ${name} twice.`);
    seen.add(name);
    return column;
  });
}

function unknownColumn({ model }: Resource, name: string, known: readonly string[]): string {
  const shown = name.slice(0, 100);
  const meant = nearest(shown, known);
  const hint = meant ? ` Did you mean ${meant}?` : ' The first line of the file names the columns.';
  return `${model} has no column ${JSON.stringify(shown)}.${hint}`;
}

function knownColumns(resource: Resource, { isQuoted, decimalComma }: CsvForm): Map<string, CsvColumn> {
  const columns = new Map<string, CsvColumn>();
  const readers = readersOf(decimalComma);
  const add = (list: string | undefined, part: Resource, without: readonly string[]) => {
    const set = (name: string, type: FieldType, nothing: null | undefined, empty: '' | null | undefined) => {
      const readText = readers[type];
      const read = (cell: Cell) => (cell === null ? nothing : cell === '' ? empty : readText(cell));
      columns.set(list === undefined ? name : `${list}.${name}`, { list, name, isNumber: isNumber(type), read });
    };
    const setBrought = (name: string, type: FieldType) => set(name, type, undefined, undefined);
    setBrought('id', 'String');
    setBrought('version', 'Int');
    if (part.timestamps) for (const name of ['createdAt', 'updatedAt']) setBrought(name, 'String');
    for (const field of part.fields) {
      if (without.includes(field.name)) continue;
      const { name, type, nullable, required } = field;
      const nothing = nullable || required ? null : undefined;
      const mayBeEmpty = type === 'String' && !isDocumentStatus(part, name);
      set(name, type, nothing, mayBeEmpty && !(isQuoted && nullable) ? '' : nothing);
    }
  };
  add(undefined, resource, []);
  for (const { resource: line, field } of resource.lines) add(field, line, [scopeOf(line), 'idx', 'parentType']);
  return columns;
}

const isNumber = (type: FieldType): boolean => type === 'Int' || type === 'Float';

/** Whether a cell holds a number with a decimal comma, perhaps with points between thousands. */
export const hasDecimalComma = (cell: Cell | undefined): boolean => /^-?[\d.]{1,400},\d{1,400}$/.test(cell ?? '');

function readersOf(decimalComma: boolean): Record<FieldType, (cell: string) => unknown> {
  const form = decimalComma
    ? /^-?\d{1,400}(,\d{1,400})?([eE][+-]?\d{1,3})?$/
    : /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/;
  const number = (cell: string) => (form.test(cell) ? Number(cell.replace(',', '.')) : cell);
  return {
    String: textIn,
    Int: number,
    Float: number,
    Boolean: (cell) => booleans[cell.toLowerCase()] ?? cell,
  };
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };
