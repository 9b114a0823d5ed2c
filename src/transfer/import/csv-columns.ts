/** What the columns of a CSV file mean: fields of a type, and of its lists of lines as `consumedItems.itemCode`. */
import type { FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';
import { nearest } from '../../nearest.js';
import { scopeOf } from '../../records/scope.js';
import { TransferError } from '../transfer-error.js';

/** A value of a cell: null where nothing stands between two commas. */
export type Cell = string | null;

export interface CsvColumn {
  /** The list that it belongs to; undefined for the document itself. */
  list: string | undefined;
  name: string;
  /**
   * The value of a cell. A text that is no value of the type stays as it is, and is refused later. Undefined where the
   * field is left out: it cannot be null, and has a value without being given one.
   */
  read(cell: Cell): unknown;
}

/** @throws TransferError for columns that the type does not have */
export function csvColumns(resource: Resource, header: readonly Cell[]): CsvColumn[] {
  const known = knownColumns(resource);
  const seen = new Set<string>();
  return header.map((cell) => {
    const name = cell ?? '';
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

function knownColumns(resource: Resource): Map<string, CsvColumn> {
  const columns = new Map<string, CsvColumn>();
  const add = (list: string | undefined, { timestamps, fields }: Resource, without: readonly string[]) => {
    const set = (name: string, type: FieldType, mayBeNull: boolean) => {
      const readText = readers[type];
      const column = {
        list,
        name,
        read: (cell: Cell) => (cell === null ? (mayBeNull ? null : undefined) : readText(cell)),
      };
      columns.set(list === undefined ? name : `${list}.${name}`, column);
    };
    set('id', 'String', false);
    set('version', 'Int', false);
    if (timestamps) for (const name of ['createdAt', 'updatedAt']) set(name, 'String', false);
    for (const { name, type, nullable, required } of fields) {
      if (!without.includes(name)) set(name, type, nullable || required);
    }
  };
  add(undefined, resource, []);
  for (const { resource: line, field } of resource.lines) add(field, line, [scopeOf(line), 'idx', 'parentType']);
  return columns;
}

const number = (cell: string): unknown =>
  /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/.test(cell) ? Number(cell) : cell;

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, TRUE: true, FALSE: false };

const readers: Record<FieldType, (cell: string) => unknown> = {
  String: (cell) => cell,
  Int: number,
  Float: number,
  Boolean: (cell) => booleans[cell] ?? cell,
};
