/** Reads the current state of records within the transaction that changes them. */

import type { Procedure, Rows } from '../../common/work.js';
import type { Provider } from '../../database/migrations/migration-history.js';
import { StatementBuilder } from '../../database/statement-builder.js';
import type { Values } from '../../model/change.js';
import type { FieldType } from '../../model/field.js';
import type { Resource } from '../../model/resource.js';

/** A record in its current state. */
export interface StoredRecord {
  id: string;
  version: number;
  values: Values;
}

interface Reading {
  /** The column to find records by, and its possible values. */
  by: string;
  among: readonly string[];
  /** The fields to read. */
  names: readonly string[];
  /** Whether to lock the records until the transaction ends. */
  isLocked: boolean;
}

/** Ordered by id, so that transactions that lock several records do so in the same order and cannot deadlock. */
export function* readStored(
  provider: Provider,
  resource: Resource,
  { by, among, names, isLocked }: Reading,
): Procedure<StoredRecord[]> {
  const text = new StatementBuilder(provider);
  const [only] = among;
  const condition = among.length === 1 ? `= ${text.bind(only)}` : text.among(among);
  const columns = ['id', 'version', ...names].map((name) => `"${name}"`).join(', ');
  const lock = isLocked ? text.locked : '';
  const found = yield text.statement(
    `SELECT ${columns} FROM "${resource.model}" WHERE "${by}" ${condition} ORDER BY "id"${lock}`,
  );
  return storedRecordsIn(resource, names, found);
}

/** Converts rows of id, version and fields. */
export function storedRecordsIn(resource: Resource, names: readonly string[], found: Rows): StoredRecord[] {
  return found.map(storedRecordReader(resource, names));
}

/** Converts a row whose columns from `start` on are id, version and fields. */
export function storedRecordReader(
  { fields }: Resource,
  names: readonly string[],
  start = 0,
): (row: Rows[number]) => StoredRecord {
  const columns = names.map((name, index) => ({
    name,
    place: start + 2 + index,
    type: fields.find((field) => field.name === name)?.type,
  }));
  return (row) => {
    const values: Values = {};
    for (const { name, place, type } of columns) values[name] = fieldValue(row[place], type);
    return { id: String(row[start]), version: Number(row[start + 1]), values };
  };
}

/** A column's value as the API returns it; drivers return booleans and integers in several forms. */
function fieldValue(cell: unknown, type: FieldType | undefined): unknown {
  if (cell === null || cell === undefined) return null;
  if (type === 'Boolean') return cell === true || Number(cell) === 1;
  return type === 'String' || type === undefined ? String(cell) : Number(cell);
}
